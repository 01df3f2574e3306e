import type { ReactNode } from "react";
import { MARKDOWN } from "../ui/markdown";

/** Leads somewhere that a text may lead: a page of this site, a part of this page, another site, an address to write to. */
const LINK = /^(\/(?!\/)|#|https?:\/\/|mailto:)/i;

const anchorOf = (title: string) => title.toLowerCase().replace(/[^a-z0-9]+/g, "-");
/** The words of what a heading holds. */
function wordsOf(node: ReactNode): string {
  if (typeof node === "string" || typeof node === "number") return String(node);
  if (Array.isArray(node)) return node.map(wordsOf).join("");
  return node && typeof node === "object" && "props" in node ? wordsOf((node.props as { children?: ReactNode }).children) : "";
}

type Held = { children?: ReactNode };
const Heading = ({ children }: Held) => (
  <h2 id={anchorOf(wordsOf(children))} className="mb-3 mt-10 text-heading font-semibold first:mt-0">
    {children}
  </h2>
);
const Lower = ({ children }: Held) => <h3 className="mb-2 mt-6 font-semibold">{children}</h3>;

const PARTS = {
  h1: Heading,
  h2: Heading,
  h3: Lower,
  h4: Lower,
  h5: Lower,
  h6: Lower,
  p: ({ children }: Held) => <p className="mb-3">{children}</p>,
  ul: ({ children }: Held) => <ul className="mb-3 list-disc pl-6">{children}</ul>,
  ol: ({ children, start }: Held & { start?: number | undefined }) => (
    <ol className="mb-3 list-decimal pl-6" start={start}>
      {children}
    </ol>
  ),
  li: ({ children }: Held) => <li className="mb-1">{children}</li>,
  blockquote: ({ children }: Held) => <blockquote className="mb-3 border-l border-line pl-4 text-soft">{children}</blockquote>,
  hr: () => <hr className="my-6 border-line" />,
  table: ({ children }: Held) => (
    <div className="mb-3 overflow-x-auto">
      <table className="w-full text-left text-product">{children}</table>
    </div>
  ),
  th: ({ children }: Held) => (
    <th scope="col" className="border-b border-line py-2 pr-4 font-medium">
      {children}
    </th>
  ),
  td: ({ children }: Held) => <td className="border-b border-line py-2 pr-4 align-top">{children}</td>,
  pre: ({ children }: Held) => <pre className="mb-3 overflow-x-auto bg-sunken p-3 text-table">{children}</pre>,
  a: ({ children, href }: Held & { href: string }) =>
    LINK.test(href) ? (
      <a href={href} rel="noopener noreferrer" className="text-accent underline underline-offset-2">
        {children}
      </a>
    ) : (
      <>{children}</>
    ),
  // Pictures of others would tell them who reads; the words stand for it.
  img: ({ alt }: { alt?: string }) => <>{alt}</>,
};

/** A text of the operator's: Markdown as CommonMark has it, with tables; HTML in it is shown as it was written. */
export const Markdown = ({ text }: { text: string }): ReactNode => Bun.markdown.react(text, PARTS as never, MARKDOWN) as ReactNode;

/** The headings of a text, for a list of its parts. */
export const headingsOf = (text: string): { title: string; anchor: string }[] =>
  [...text.matchAll(/^#{1,2} +(.+?) *#*$/gm)].map(([, words = ""]) => {
    const title = words.replace(/[*_`]|\[([^\]]*)\]\([^)]*\)/g, "$1");
    return { title, anchor: anchorOf(title) };
  });
