import { Button } from "../../views/ui/Button";
import type { Selection } from "../runtime/select_rows";
import type { Together } from "../runtime/together";
import { resultText } from "./TogetherDialog";

type Props<R, T> = { selection: Selection<R>; together: Together<R, T>; what: (rows: R[]) => string };

/**
 * At the foot of the screen, over the rows and moving none of them: how many are selected and their sum, and the way to approve them together;
 * or how far that is, where its dialog was closed.
 */
export function SelectBar<R, T>({ selection, together, what }: Props<R, T>) {
  const { rows, clear } = selection;
  const { job, isOpen, ask, show } = together;
  const isUnderWay = !isOpen && (job?.state === "sending" || job?.state === "stopped");
  if (isOpen || (rows.length === 0 && !isUnderWay)) return null;
  return (
    <div
      role="group"
      aria-label="Selected"
      data-select-bar=""
      className="fixed bottom-4 left-1/2 z-30 flex max-w-[calc(100vw-1rem)] -translate-x-1/2 items-center gap-2 rounded-card border border-line bg-surface py-2 pl-4 pr-2 shadow-raised max-md:bottom-20"
    >
      {isUnderWay && job ? (
        <>
          <span aria-live="polite" className="text-table tabular-nums">{`${resultText(job.outcomes)} of ${job.rows.length}`}</span>
          <Button variant="secondary" size="small" onClick={show}>
            Show
          </Button>
        </>
      ) : (
        <>
          <span aria-live="polite" className="text-table tabular-nums">{`${what(rows)} selected`}</span>
          <Button size="small" className="whitespace-nowrap" onClick={() => ask(rows)}>
            Approve together
          </Button>
          <Button variant="quiet" size="small" onClick={clear}>
            Clear
          </Button>
        </>
      )}
    </div>
  );
}
