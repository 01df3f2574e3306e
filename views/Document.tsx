import type { ReactNode } from "react";

export type Head = {
  title: string;
  description: string | null;
  noindex: boolean;
  /** Addresses of what the page loads; no island, no script but the theme's. */
  style: string;
  theme: string;
  scripts: string[];
  /** Chunks that the page's islands will ask for at once. */
  preload: string[];
};

/** The whole HTML document. It has no inline script and no inline style: the content security policy allows neither. */
export function Document({ head, look, children }: { head: Head; look: "site" | "product"; children: ReactNode }) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <title>{head.title}</title>
        {head.description ? <meta name="description" content={head.description} /> : null}
        {head.noindex ? <meta name="robots" content="noindex" /> : null}
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" media="(prefers-color-scheme: light)" content="#fbfaf7" />
        <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#0a1420" />
        <script src={head.theme} />
        <link rel="stylesheet" href={head.style} />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        {head.preload.map((href) => (
          <link key={href} rel="modulepreload" href={href} />
        ))}
        {head.scripts.map((src) => (
          <script key={src} src={src} defer />
        ))}
      </head>
      <body className={look === "site" ? "flex flex-col bg-paper text-public text-ink" : "flex flex-col bg-paper text-product text-ink"}>{children}</body>
    </html>
  );
}
