import type { ReactNode } from "react";
import { classes } from "../ui/classes";
import { useMarks } from "../ui/staff/marks";

type Props = {
  id: string;
  title: ReactNode;
  /** Beside the title, in small. */
  note?: ReactNode;
  /** At the right of the title. */
  mark: ReactNode;
  /** One line, cut off where it is longer: the whole of it is in the evidence. */
  line: ReactNode;
  /** What must be seen before it is decided. */
  warning?: string | undefined;
  children: ReactNode;
};

/** A request of a queue in three lines, the third for the thumb: so low that a morning's requests are a few screens. */
export function AppRow({ id, title, note, mark, line, warning, children }: Props) {
  const decided = useMarks()(id);
  return (
    <div
      data-marked={decided === null ? undefined : ""}
      className={classes("flex h-25 flex-col justify-between rounded-card border border-line px-3 py-1", decided === null ? "bg-surface" : "bg-sunken")}
    >
      <div className="flex items-baseline justify-between gap-3">
        <p className="min-w-0 truncate">
          <strong className="text-base font-semibold tabular-nums">{title}</strong>
          {note ? <span className="text-note text-soft"> {note}</span> : null}
        </p>
        <span className="shrink-0 text-note">{mark}</span>
      </div>
      {warning ? <p className="truncate text-table text-warn">{warning}</p> : <p className="truncate text-table text-soft">{line}</p>}
      {decided ?? children}
    </div>
  );
}

export const AppRows = ({ label, children }: { label: string; children: ReactNode }) => (
  <ul aria-label={label} className="grid grid-cols-1 gap-1.5 md:grid-cols-2 md:gap-2">
    {children}
  </ul>
);
