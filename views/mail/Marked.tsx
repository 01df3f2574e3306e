import { Fragment, type ReactNode } from "react";
import { MARKDOWN } from "../ui/markdown";
import type { Look, Wear } from "./looks";

/** The operator's own words of a letter as Markdown, and what its placeholders stand for: text, whatever it holds. */
export type Marked = { markdown: string; said: (text: string) => string };

/** Leads somewhere that a letter may lead: a page of this site, another site, an address to write to. */
const LINK = /^(\/(?!\/)|https?:\/\/|mailto:)/i;
export const mayLead = (href: string): boolean => LINK.test(href);
/** The address of a link, whole; null for one that leads nowhere. */
const addressOf = (href: string, home: string): string | null => (mayLead(href) ? (href.startsWith("/") ? home + href : href) : null);

/** Where the links of a text lead, as they are written. */
export function linksIn(markdown: string): string[] {
  const links: string[] = [];
  const link = (_: string, { href }: { href: string }) => {
    links.push(href);
    return "";
  };
  Bun.markdown.render(markdown, { link }, MARKDOWN);
  return links;
}

const UNBROKEN = /(−\$[\d,.]*\d|\b\d{4}-\d\d-\d\d\b)/;
/** A text whose losses and dates stand on one line each: a browser breaks it after '−' and after a hyphen. */
export const whole = (words: string, wear: Wear): ReactNode =>
  words.split(UNBROKEN).map((part, n) =>
    n % 2 ? (
      <span key={n} {...wear("whole")}>
        {part}
      </span>
    ) : (
      part
    ),
  );

type Held = { children?: ReactNode };
type Tag = "h2" | "h3" | "p" | "ul" | "li" | "blockquote" | "table" | "th" | "td" | "code" | "strong" | "em" | "del";

/** The same as HTML; `home` is this site. */
export function MarkedHtml({ of: { markdown, said }, wear, home }: { of: Marked; wear: Wear; home: string }): ReactNode {
  const filled = (children: ReactNode): ReactNode => {
    if (typeof children === "string") return whole(said(children), wear);
    return Array.isArray(children) ? children.map((child, n) => <Fragment key={n}>{filled(child as ReactNode)}</Fragment>) : children;
  };
  const tag = (Name: Tag, look: Look | null, className?: string) =>
    function Part({ children }: Held) {
      return (
        <Name className={className} {...(look ? wear(look) : {})}>
          {filled(children)}
        </Name>
      );
    };
  const heading = tag("h2", "heading", "ink");
  const lower = tag("h3", "lower", "ink");
  const parts = {
    h1: heading,
    h2: heading,
    h3: lower,
    h4: lower,
    h5: lower,
    h6: lower,
    p: tag("p", "text", "ink"),
    ul: tag("ul", "list", "ink"),
    ol: ({ children, start }: Held & { start?: number }) => (
      <ol className="ink" start={start} {...wear("list")}>
        {children}
      </ol>
    ),
    li: tag("li", "item"),
    blockquote: tag("blockquote", "quote", "rule"),
    hr: () => <hr className="rule" {...wear("rule")} />,
    table: tag("table", "table"),
    th: tag("th", "head", "ink rule"),
    td: tag("td", "cell", "ink rule"),
    pre: ({ children }: Held) => (
      <pre className="ink sunken" {...wear("block")}>
        <code {...wear("code")}>{filled(children)}</code>
      </pre>
    ),
    code: tag("code", "code"),
    strong: tag("strong", null),
    em: tag("em", null),
    del: tag("del", null),
    a: ({ children, href }: Held & { href: string }) => {
      const address = addressOf(href, home);
      return address === null ? (
        <>{filled(children)}</>
      ) : (
        <a className="link" href={address} {...wear("link")}>
          {filled(children)}
        </a>
      );
    },
    // Pictures of others would tell them who reads; the words stand for it.
    img: ({ alt = "" }: { alt?: string }) => <>{filled(alt)}</>,
  };
  return Bun.markdown.react(markdown, parts as never, MARKDOWN) as ReactNode;
}

const block = (text: string) => `${text.trimEnd()}\n\n`;
const cell = (text: string) => `${text} | `;

/** The same as plain text, with the address of each link behind its words. */
export function markedText({ markdown, said }: Marked, home: string): string {
  const text = Bun.markdown.render(
    markdown,
    {
      text: said,
      heading: block,
      paragraph: block,
      blockquote: (quoted) => block(quoted.trimEnd().replace(/^/gm, "> ")),
      code: (code) => block(code.trimEnd().replace(/^/gm, "    ")),
      list: (items, { depth }) => (depth === 0 ? block(items) : `\n${items}`),
      listItem: (item, { ordered, start = 1, index }) => {
        const mark = ordered ? `${start + index}. ` : "- ";
        return `${mark}${item.trim().replaceAll("\n", `\n${" ".repeat(mark.length)}`)}\n`;
      },
      hr: () => block("* * *"),
      table: block,
      th: cell,
      td: cell,
      tr: (cells) => `${cells.replace(/ \| $/, "")}\n`,
      link: (words, { href }) => {
        const address = addressOf(href, home)?.replace(/^mailto:/i, "");
        return address === undefined || address === words ? words : `${words} (${address})`;
      },
    },
    MARKDOWN,
  );
  return text.replace(/\n{3,}/g, "\n\n").trim();
}
