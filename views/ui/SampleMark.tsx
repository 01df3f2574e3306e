import type { ReactNode } from "react";

/** Marks what is made up for a demonstration. */
export const SampleMark = ({ children = "Sample" }: { children?: ReactNode }) => (
  <span className="inline-block rounded-full bg-warn-soft px-2 py-0.5 align-middle text-note font-normal text-warn">{children}</span>
);
