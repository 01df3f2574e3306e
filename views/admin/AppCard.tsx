import type { ReactNode } from "react";
import { classes } from "../ui/classes";
import { useMarks } from "../ui/staff/marks";

type Props = {
  id: string;
  title: ReactNode;
  note?: ReactNode;
  /** At the right of the title. */
  mark?: ReactNode;
  facts?: [name: string, value: ReactNode][];
  /** What can be decided, under the thumb. */
  children?: ReactNode;
};

/** One person, request or position of a list. */
export function AppCard({ id, title, note, mark, facts = [], children }: Props) {
  const decided = useMarks()(id);
  return (
    <li
      data-row={id}
      data-marked={decided === null ? undefined : ""}
      className={classes("flex flex-col gap-3 rounded-card border border-line p-4", decided === null ? "bg-surface" : "bg-sunken")}
    >
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <p className="text-base font-semibold [overflow-wrap:anywhere]">{title}</p>
          {note ? <p className="text-table text-soft [overflow-wrap:anywhere]">{note}</p> : null}
        </div>
        {mark ? <div className="shrink-0 text-right">{mark}</div> : null}
      </div>
      {facts.length > 0 ? (
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-table">
          {facts.map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-soft">{name}</dt>
              <dd className="text-right [overflow-wrap:anywhere]">{value}</dd>
            </div>
          ))}
        </dl>
      ) : null}
      {decided ?? children}
    </li>
  );
}

export const AppCards = ({ label, children }: { label: string; children: ReactNode }) => (
  <ul aria-label={label} className="grid gap-3 md:grid-cols-2">
    {children}
  </ul>
);

/** Two or more decisions, side by side. */
export const Decisions = ({ children }: { children: ReactNode }) => <div className="js-only grid grid-flow-col auto-cols-fr gap-2">{children}</div>;
