import type { ReactNode } from "react";
import { classes } from "./classes";

/** One figure with its name, and what it means or did below. */
export function Stat({ label, children, note, className, id }: { label: string; children: ReactNode; note?: ReactNode; className?: string; id?: string }) {
  return (
    <div className={classes("flex min-w-0 flex-col gap-1", className)} role="group" aria-label={label} id={id}>
      <span className="text-table text-soft">{label}</span>
      <div className="text-[clamp(1.0625rem,4.6vw,1.5rem)] font-semibold leading-8 [overflow-wrap:anywhere] tracking-[-0.015em] tabular-nums">{children}</div>
      {note ? <span className="text-note text-soft">{note}</span> : null}
    </div>
  );
}
