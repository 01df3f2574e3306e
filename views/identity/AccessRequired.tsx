import type { ReactNode } from "react";
import { Icon } from "../ui/Icon";

/** Stands in place of a page that the person may not see yet: says what is missing, and what to do about it. */
export const AccessRequired = ({ title, words, children }: { title: string; words: string; children: ReactNode }) => (
  <div className="mx-auto flex max-w-md flex-col items-center gap-4 px-4 py-20 text-center md:py-28">
    <span className="inline-flex size-12 items-center justify-center rounded-full bg-sunken text-soft">
      <Icon name="shield" className="size-6" />
    </span>
    <h1 className="text-title font-semibold">{title}</h1>
    <p className="text-soft">{words}</p>
    {children}
  </div>
);
