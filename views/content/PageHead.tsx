import type { ReactNode } from "react";

/** The opening of a public page: what it is, one sentence on it, and room for a first action or a picture. */
export function PageHead({ title, lead, children }: { title: string; lead: ReactNode; children?: ReactNode }) {
  return (
    <header className="mx-auto grid grid-cols-1 w-full max-w-[70rem] items-end gap-x-16 gap-y-8 px-4 pb-10 pt-10 md:px-6 md:pb-14 md:pt-16 lg:grid-cols-[minmax(0,1fr)_auto]">
      <div>
        <h1 className="max-w-[20ch] text-balance font-serif text-display">{title}</h1>
        <p className="mt-5 max-w-[38rem] text-[1.1875rem] leading-7 text-soft">{lead}</p>
      </div>
      {children}
    </header>
  );
}
