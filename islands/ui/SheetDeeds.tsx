import { Button } from "../../views/ui/Button";

/** The ways of a list out as a file and back in. `onTake` null: it can't be changed by who sees it. */
export const SheetDeeds = ({ href, onTake }: { href: string; onTake: (() => void) | null }) => (
  <>
    <a href={href} download="" className="inline-flex min-h-11 items-center text-table text-accent underline underline-offset-2 md:min-h-8">
      CSV
    </a>
    {onTake ? (
      <Button variant="quiet" size="small" className="js-only" onClick={onTake}>
        From a file
      </Button>
    ) : null}
  </>
);
