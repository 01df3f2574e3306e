import type { ReactNode } from "react";
import { classes } from "./classes";

/** A hairline round what belongs together. Never put one inside another. */
export function Card({ children, className, label }: { children: ReactNode; className?: string; label?: string }) {
  return (
    <section aria-label={label} className={classes("rounded-card border border-line bg-surface", className)}>
      {children}
    </section>
  );
}

/** A card with its heading and, at the right, what can be done with it. */
export function Panel({ title, action, children, className, id }: { title: string; action?: ReactNode; children: ReactNode; className?: string; id?: string }) {
  return (
    <section id={id} aria-label={title} className={classes("rounded-card border border-line bg-surface", className)}>
      <div className="panel-head">
        <h2 className="text-[0.9375rem] font-semibold">{title}</h2>
        {action}
      </div>
      <div className="p-4">{children}</div>
    </section>
  );
}
