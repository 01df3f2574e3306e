import type { ReactNode } from "react";

/** The frame of registration and sign-in: the form at the left, what waits behind it at the right. */
export function Entrance({ title, lead, children, aside }: { title: string; lead: string; children: ReactNode; aside: ReactNode }) {
  return (
    <div className="mx-auto grid grid-cols-1 w-full max-w-[70rem] gap-12 px-4 py-10 md:px-6 md:py-16 lg:grid-cols-[minmax(0,30rem)_1fr] lg:gap-24">
      <div>
        <h1 className="font-serif text-section">{title}</h1>
        <p className="mb-8 mt-3 text-soft">{lead}</p>
        {children}
      </div>
      <aside className="border-line max-lg:border-t max-lg:pt-10 lg:border-l lg:pl-16">{aside}</aside>
    </div>
  );
}
