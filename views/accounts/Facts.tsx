import type { ReactNode } from "react";

/** Names and what they are, one to a line. */
export const Facts = ({ children }: { children: ReactNode }) => <dl className="flex flex-col gap-2">{children}</dl>;

export const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="flex items-baseline justify-between gap-4">
    <dt className="text-soft">{name}</dt>
    <dd className="text-right font-medium tabular-nums [overflow-wrap:anywhere]">{children}</dd>
  </div>
);
