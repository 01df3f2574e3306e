import { useEffect, useState } from "react";
import { Button } from "../../views/ui/Button";
import { Dialog } from "../../views/ui/Dialog";
import { ErrorState, Skeleton } from "../../views/ui/States";
import { ApiError } from "../wire/api";
import { toast } from "../wire/toasts";

/** What the editors of the operator's texts share. */

/** What a dialog asks for once; `again` asks once more after a failure. */
export function useRead<T>(ask: () => Promise<T>): { read: T | "failed" | null; again: () => void } {
  const [read, setRead] = useState<T | "failed" | null>(null);
  const [tries, setTries] = useState(0);
  const [first] = useState(() => ask);
  useEffect(() => {
    first().then(setRead, () => setRead("failed"));
  }, [first, tries]);
  const again = () => {
    setRead(null);
    setTries(tries + 1);
  };
  return { read, again };
}

export function Loading({ id, title, failed, again, onClose }: { id: string; title: string; failed: boolean; again: () => void; onClose: () => void }) {
  return (
    <Dialog id={id} title={title} open onClose={onClose} wide>
      {failed ? <ErrorState title="The text did not come" retry={<Button onClick={again}>Try again</Button>} /> : <Skeleton className="h-60" />}
    </Dialog>
  );
}

/** What stands in a field of the form. */
export const fieldText = (id: string): string => document.querySelector<HTMLInputElement | HTMLTextAreaElement>(`#${id}`)?.value ?? "";

/** Shows what is written as it will be read. `of` asks for it as HTML. */
export function Preview({ of }: { of: () => Promise<{ html: string }> }) {
  const [html, setHtml] = useState<string | null>(null);
  const show = async () => {
    try {
      setHtml((await of()).html);
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
      {html === null ? null : (
        <div
          role="region"
          aria-label="Preview"
          className="max-h-80 overflow-y-auto rounded-control border border-line p-4"
          dangerouslySetInnerHTML={{ __html: html }}
        />
      )}
    </>
  );
}
