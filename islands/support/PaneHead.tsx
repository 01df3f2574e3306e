import { type ReactNode, useState } from "react";
import { Button } from "../../views/ui/Button";
import { Dialog } from "../../views/ui/Dialog";
import { Icon } from "../../views/ui/Icon";

/** What the list says to a conversation that stands beside it. */
export type PaneProps = {
  /** What stands beside it of the client. */
  aside: ReactNode;
  /** Begins with the keyboard in the answer. */
  begins: boolean;
  /** Whether a press may be heard: the second of a double press may not. */
  mayPress: () => boolean;
  /** It was answered and is done with: marks it, and then, once the lists are current, opens the next one. */
  onDone?: (() => void) | undefined;
  onNext?: (() => void) | undefined;
  /** Back to the list, on a phone. */
  onBack: () => void;
  /** The keyboard goes back to the list. */
  onLeave: () => void;
};

type Props = Pick<PaneProps, "onBack"> & {
  label: string;
  title: string;
  person: { id: string; name: string };
  badges: ReactNode;
  /** What can be done about the whole of it. */
  tools?: ReactNode;
  /** What stands at the side of it, or where there is no room, one press away; ids in it begin so. Null: nothing does. */
  beside: ((prefix: string) => ReactNode) | null;
  children: ReactNode;
};

/** A conversation with its head, and what one should know at its side. What was said scrolls; where one writes stays in sight. */
export function PaneHead({ label, title, person, badges, tools, beside, onBack, children }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <article
        aria-label={label}
        className="flex h-[calc(100dvh-var(--keyboard,0px)-var(--above,6.25rem))] min-h-0 min-w-0 flex-col overflow-hidden rounded-card border border-line bg-surface lg:h-full"
      >
        <div className="flex min-h-12 items-center gap-x-2 border-b border-line px-2 py-1 md:px-3">
          <button
            type="button"
            aria-label="Back to the list"
            onClick={onBack}
            className="inline-flex size-11 shrink-0 items-center justify-center rounded-control text-soft hover:text-ink lg:hidden"
          >
            <Icon name="arrowLeft" />
          </button>
          <div className="min-w-0 flex-1">
            <h2 className="truncate text-product font-semibold">{title}</h2>
            <p className="truncate text-note">
              <a href={`/admin/users/${person.id}`} className="inline-flex min-h-6 items-center text-soft underline-offset-2 hover:underline">
                {person.name}
              </a>
            </p>
          </div>
          <span className="flex shrink-0 gap-1.5 max-md:hidden">{badges}</span>
          {tools}
          {beside ? (
            <Button variant="quiet" size="small" className="js-only shrink-0 xl:hidden" onClick={() => setOpen(true)}>
              <Icon name="person" className="size-4" />
              Client
            </Button>
          ) : null}
        </div>
        {children}
      </article>
      {beside ? (
        <aside
          aria-label={`About ${person.name}`}
          className="flex min-h-0 flex-col gap-3 overflow-y-auto rounded-card border border-line bg-surface p-4 max-xl:hidden"
        >
          {beside("side")}
        </aside>
      ) : null}
      {isOpen && beside ? (
        <Dialog id="about-client" title={person.name} open onClose={() => setOpen(false)}>
          <div className="flex flex-col gap-3">
            <span className="flex gap-1.5 md:hidden">{badges}</span>
            {beside("dialog")}
          </div>
        </Dialog>
      ) : null}
    </>
  );
}
