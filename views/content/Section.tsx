import type { ReactNode } from "react";
import { PageIcon, type PageIconName } from "../ui/PageIcon";

/** A part of a public page, laid out when it comes near the screen, or after all else (`far`). `tinted` parts stand on a ground of their own, between hairlines. */
export function Section({ id, title, lead, children, tinted }: { id: string; title: string; lead?: ReactNode; children: ReactNode; tinted?: boolean }) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className={tinted ? "far border-y border-line bg-surface" : "far"}>
      <div className="mx-auto w-full max-w-[70rem] px-4 py-14 md:px-6 md:py-20">
        <h2 id={`${id}-title`} className="max-w-[24ch] text-balance font-serif text-section">
          {title}
        </h2>
        {lead ? <p className="mt-4 max-w-prose text-soft">{lead}</p> : null}
        <div className="mt-10 md:mt-12">{children}</div>
      </div>
    </section>
  );
}

/** One reason or trait, in a list. */
export function Fact({ icon, title, text }: { icon: PageIconName; title: string; text: string }) {
  return (
    <li className="far far-card">
      <PageIcon name={icon} className="size-7 text-accent" />
      <h3 className="mt-4 text-heading font-semibold">{title}</h3>
      <p className="mt-2 text-soft">{text}</p>
    </li>
  );
}

export type Figure = { before?: string; value: string; label: string };

/** Figures with what they count, side by side. */
export const FigureList = ({ figures }: { figures: readonly Figure[] }) => (
  <ul className="flex flex-wrap gap-x-6 gap-y-6">
    {figures.map(({ before, value, label }) => (
      <li key={label} className="min-w-32 flex-1">
        <span className="block whitespace-nowrap font-serif text-title">
          {before ? <span className="font-sans text-table text-soft">{before} </span> : null}
          {value}
        </span>{" "}
        <span className="mt-1 block text-table text-soft">{label}</span>
      </li>
    ))}
  </ul>
);
