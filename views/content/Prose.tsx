import type { ReactNode } from "react";

export type Section = {
  title: string;
  paragraphs: ReactNode[];
  /** A table, say, after the paragraphs. */
  figure?: ReactNode;
};

/** A text to be read: a measure of some 70 characters, and a list of its parts beside it at a desk. */
export const Prose = ({ sections, ...head }: { title: string; lead: string; updated: string; sections: Section[] }) => (
  <ProseFrame {...head} parts={sections.map(({ title }) => ({ title, anchor: anchor(title) }))}>
    <article className="flex max-w-[42rem] flex-col gap-10">
      {sections.map((section) => (
        <section key={section.title} id={anchor(section.title)}>
          <h2 className="mb-3 text-heading font-semibold">{section.title}</h2>
          {section.paragraphs.map((paragraph, index) => (
            <p key={index} className="mb-3">
              {paragraph}
            </p>
          ))}
          {section.figure}
        </section>
      ))}
    </article>
  </ProseFrame>
);

type Head = { title: string; lead: string; updated: string; parts: { title: string; anchor: string }[]; children: ReactNode };
export function ProseFrame({ title, lead, updated, parts, children }: Head) {
  return (
    <div className="mx-auto w-full max-w-[70rem] px-4 py-10 md:px-6 md:py-16">
      <h1 className="font-serif text-section">{title}</h1>
      <p className="mt-3 max-w-prose text-soft">{lead}</p>
      <p className="mt-2 text-table text-soft">{updated}</p>
      <div className="mt-10 grid grid-cols-1 gap-10 lg:grid-cols-[minmax(0,1fr)_16rem]">
        {children}
        <nav aria-label="On this page" className="max-lg:hidden">
          <ul className="sticky top-24 flex flex-col border-l border-line">
            {parts.map((part) => (
              <li key={part.anchor}>
                <a href={`#${part.anchor}`} className="block py-1.5 pl-4 text-table text-soft no-underline hover:text-ink">
                  {part.title}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </div>
    </div>
  );
}

const anchor = (title: string) => title.toLowerCase().replace(/[^a-z]+/g, "-");
