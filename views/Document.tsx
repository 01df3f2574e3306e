import type { ReactNode } from "react";
import { scriptJson } from "../islands/wire/json";

export type Head = {
  title: string;
  description: string | null;
  noindex: boolean;
  /** Whom the page is made for, by id; what tabs tell each other goes no further. Null: a visitor. */
  person: string | null;
  /** What a reader of the staff may do; null for everybody else. */
  may: readonly string[] | null;
  /** How instruments are listed and dealt (`market/rules_listed`), where islands wake that may ask. */
  instruments: string | undefined;
  brand: string;
  /** The page's own address, where the site's is known. */
  canonical: string | null;
  /** The picture that a shared link shows. */
  card: string;
  /** What search engines read: each an object of schema.org. */
  structured: object[];
  /** On the trading screen, whose frame is another: whether a notice stands above it. */
  desk: "noticed" | "" | undefined;
  /** The id of the part that the first paint waits for, where it should wait. */
  firstPaint: string | null;
  /** Rules that stand in the page, or the address of the whole sheet. */
  style: { inline: string } | { href: string };
  /** Rules behind it: the house's own colours, or "". */
  colours: string;
  /** The script that runs before anything is painted: it chooses the theme. */
  first: string;
  /** Addresses of what runs once the page is read. */
  scripts: string[];
  /** The frame's own script, with what it loads later. */
  chrome: { src: string; install: string; tooltip: string; /** What the page that is likely next waits for. */ next: string | undefined; staff: boolean };
  /** On a page with a form that has code of its own: what fetches it, and the code. */
  form: { src: string; code: string } | null;
  /** Chunks that the page's islands will ask for at once. */
  preload: string[];
};

export const bodyClasses = (surface: "site" | "product") =>
  surface === "site" ? "flex flex-col bg-paper text-public text-ink" : "flex flex-col bg-paper text-product text-ink";

/** The whole HTML document. Its policy names the inline script and style by their hashes and allows no other. */
export function Document({ head, surface, children }: { head: Head; surface: "site" | "product"; children: ReactNode }) {
  return (
    <html lang="en" data-person={head.person ?? undefined} data-may={head.may?.join(" ")} data-instruments={head.instruments} data-desk={head.desk}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <title>{head.title}</title>
        <script dangerouslySetInnerHTML={{ __html: head.first }} />
        {head.firstPaint ? <link rel="expect" href={`#${head.firstPaint}`} blocking="render" /> : null}
        {"inline" in head.style ? <style dangerouslySetInnerHTML={{ __html: head.style.inline }} /> : <link rel="stylesheet" href={head.style.href} />}
        {head.colours ? <style dangerouslySetInnerHTML={{ __html: head.colours }} /> : null}
        {head.preload.map((href) => (
          <link key={href} rel="modulepreload" href={href} media="not all" />
        ))}
        {head.scripts.map((src) => (
          <script key={src} src={src} defer />
        ))}
        <script
          src={head.chrome.src}
          defer
          data-install={head.chrome.install}
          data-tooltip={head.chrome.tooltip}
          data-next={head.chrome.next}
          data-staff={head.chrome.staff ? "" : undefined}
        />
        {head.form ? <script src={head.form.src} defer data-code={head.form.code} /> : null}
        {head.description ? <meta name="description" content={head.description} /> : null}
        {head.noindex ? <meta name="robots" content="noindex" /> : <Shared head={head} />}
        <meta name="application-name" content={head.brand} />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" media="(prefers-color-scheme: light)" content="#fbfaf7" />
        <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#0a1420" />
        <link rel="manifest" href="/manifest.webmanifest" />
        <link rel="icon" href="/favicon.ico" sizes="32x32" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
      </head>
      <body className={bodyClasses(surface)}>{children}</body>
    </html>
  );
}

/** What others show of the page: search engines, and messages in which it is linked. */
function Shared({ head }: { head: Head }) {
  const { title, description, brand, canonical, card, structured } = head;
  return (
    <>
      {canonical ? <link rel="canonical" href={canonical} /> : null}
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={brand} />
      <meta property="og:title" content={title} />
      {description ? <meta property="og:description" content={description} /> : null}
      {canonical ? <meta property="og:url" content={canonical} /> : null}
      <meta property="og:image" content={card} />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta property="og:image:alt" content="A chart of a currency pair, and the words: Forex and crypto, with a receipt for every fill." />
      <meta name="twitter:card" content="summary_large_image" />
      {structured.map((about, index) => (
        <script key={index} type="application/ld+json" dangerouslySetInnerHTML={{ __html: scriptJson(about) }} />
      ))}
    </>
  );
}
