import type { ReactNode } from "react";
import { classes } from "../ui/classes";

type Props = { id?: string; label: string; demo: boolean; children: ReactNode };

/** The frame round an order panel: says by its colour and in words whose money is dealt with, so that live and demo are never confused. */
export const OrderFrame = ({ id, label, demo, children }: Props) => (
  <section
    id={id}
    aria-label={label}
    tabIndex={-1}
    className={classes("scroll-mt-20 overflow-hidden rounded-card border-2 bg-surface", demo ? "border-dashed border-warn" : "border-accent")}
  >
    <p className={classes("px-4 py-1 text-note font-semibold", demo ? "bg-warn-soft text-warn" : "bg-accent-soft text-accent")}>
      {demo ? "Demo account: virtual money" : "Live account: real money"}
    </p>
    {children}
  </section>
);

/** What a button that deals adds to its words where the money is real. */
export const liveMark = (demo: boolean): string => (demo ? "" : " (live)");
