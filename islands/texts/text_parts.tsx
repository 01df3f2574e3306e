import { type ReactNode, useState } from "react";
import { Button } from "../../views/ui/Button";
import { Dialog } from "../../views/ui/Dialog";
import { ErrorState, Skeleton } from "../../views/ui/States";
import { ApiError } from "../wire/api";
import { toast } from "../wire/toasts";

/** What the editors of the operator's texts share. */

export function Loading({ id, title, failed, again, onClose }: { id: string; title: string; failed: boolean; again: () => void; onClose: () => void }) {
  return (
    <Dialog id={id} title={title} open onClose={onClose} wide>
      {failed ? <ErrorState title="The text did not come" retry={<Button onClick={again}>Try again</Button>} /> : <Skeleton className="h-60" />}
    </Dialog>
  );
}

/** What stands in a field of the form. */
export const fieldText = (id: string): string => document.querySelector<HTMLInputElement | HTMLTextAreaElement>(`#${id}`)?.value ?? "";

/** Shows what is written as it will be read: `of` asks for it, `children` draws it. */
export function Preview<T>({ of, children }: { of: () => Promise<T>; children: (seen: T) => ReactNode }) {
  const [seen, setSeen] = useState<{ of: T } | null>(null);
  const show = async () => {
    try {
      setSeen({ of: await of() });
    } catch (error) {
      toast({ title: "No preview", description: error instanceof ApiError ? error.message : "Please try again." });
    }
  };
  return (
    <>
      <div>
        <Button type="button" variant="secondary" size="small" onClick={() => void show()}>
          Preview
        </Button>
      </div>
      {seen ? (
        <div role="region" aria-label="Preview">
          {children(seen.of)}
        </div>
      ) : null}
    </>
  );
}

/** A page's text, as the page has it. */
export const PageSeen = ({ html }: { html: string }) => (
  <div className="max-h-80 overflow-y-auto rounded-control border border-line p-4" dangerouslySetInnerHTML={{ __html: html }} />
);

type Letter = { subject: string; html: string; text: string };
const WAYS = { html: "As a letter", text: "As plain text" } as const;

/** A letter in a frame of its own, where nothing of the panel reaches it and nothing in it runs; or as programs without HTML show it. */
export function LetterSeen({ subject, html, text }: Letter) {
  const [way, setWay] = useState<keyof typeof WAYS>("html");
  return (
    <div className="flex flex-col gap-2">
      <p className="text-table [overflow-wrap:anywhere]">
        <span className="text-soft">Subject: </span>
        <span className="font-medium">{subject}</span>
      </p>
      <div role="group" aria-label="How it is seen" className="flex flex-wrap gap-2">
        {(["html", "text"] as const).map((each) => (
          <Button
            key={each}
            type="button"
            variant="secondary"
            size="small"
            className="aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent"
            aria-pressed={way === each}
            onClick={() => setWay(each)}
          >
            {WAYS[each]}
          </Button>
        ))}
      </div>
      {way === "html" ? (
        <iframe title="The letter" sandbox="" srcDoc={html} className="h-[28rem] w-full rounded-control border border-line" />
      ) : (
        <pre className="whitespace-pre-wrap rounded-control border border-line p-4 text-table [overflow-wrap:anywhere]">{text}</pre>
      )}
    </div>
  );
}
