import { type ReactNode } from "react";
import { renderToStaticMarkup, renderToString } from "react-dom/server";
import { setDrawer } from "../../islands/lib/island";
import { Document } from "../../views/Document";
import { ErrorPage, NotFoundPage } from "../../views/ErrorPages";
import { type Chrome, Layout } from "../../views/Layout";
import { assetUrl, type Manifest, manifest } from "./assets";
import type { House } from "./house";
import type { Visit } from "./visit";
import type { KeptPage } from "./kept_page";
import { pageHeaders } from "./page_headers";

/** A page as a handler answers it: its data already fetched, ready to be drawn. */
export type Page =
  | {
      kind?: "page";
      title: string;
      description?: string;
      body: ReactNode;
      status?: number;
      /** Search engines are told to leave it out; signed-in pages always are. */
      noindex?: boolean;
      /** `product`: the trading screens' denser type and whole width. Without it, `site`. */
      look?: "site" | "product";
      /** A small script of the page's own, without React. */
      script?: Exclude<keyof Manifest["scripts"], "theme" | "boot">;
      /**
       * The page is the same for every signed-out visitor: it is rendered once and kept, with ETag and compressed bytes, for as
       * many milliseconds (`Infinity`: as long as the program runs).
       */
      keep?: { forMs: number };
    }
  | { kind: "error"; status: number; message: string };

type Wake = "load" | "idle" | "visible" | "touch";
/** The islands of the page being drawn. Drawing never awaits, so there is only one at a time. */
let met = new Map<string, Wake>();

setDrawer({
  draw: renderToString,
  source: (name) => assetUrl(islandOf(name).file),
  used: (name, when) => void (met.get(name) === "load" || met.set(name, when)),
});

function islandOf(name: string) {
  const found = manifest().islands[name];
  if (!found) throw new Error(`island ${name} is not in the manifest: its name must be its file's name in islands/`);
  return found;
}

const TITLES: Record<number, string> = {
  400: "That did not work",
  401: "Please sign in",
  403: "Not allowed",
  404: "Page Not Found",
  429: "Too many requests",
  503: "Briefly unavailable",
};

/** Draws a page's whole HTML for this visitor. */
export function renderHtml(house: House, page: Page, visit: Pick<Visit, "me" | "url">): string {
  const shown = page.kind === "error" ? errorPage(page) : page;
  const { config } = house;
  const look = shown.look ?? "site";
  const chrome: Chrome = {
    brand: config.brandName,
    path: visit.url.pathname,
    me: visit.me,
    demonstration: config.siteMode === "demo",
    simulated: config.feed === "simulator",
    licence: config.siteMode === "live" ? config.licence : null,
    wide: look === "product",
  };
  met = new Map();
  const body = renderToStaticMarkup(<Layout chrome={chrome}>{shown.body}</Layout>);
  const files = manifest();
  const islands = [...met].map(([name, when]) => ({ ...islandOf(name), when }));
  const scripts = [...(islands.length ? [files.scripts.boot] : []), ...(shown.script ? [files.scripts[shown.script]] : [])];
  const preload = new Set(islands.filter(({ when }) => when === "load").flatMap(({ file, imports }) => [...imports, file]));
  const frame = renderToStaticMarkup(
    <Document
      look={look}
      head={{
        title: shown.title.startsWith(config.brandName) ? shown.title : `${shown.title} · ${config.brandName}`,
        description: shown.description ?? null,
        noindex: shown.noindex === true || visit.me !== null || (shown.status ?? 200) >= 400,
        style: assetUrl(files.style),
        theme: assetUrl(files.scripts.theme),
        scripts: scripts.map(assetUrl),
        preload: [...preload].map(assetUrl),
      }}
    >
      {HOLE}
    </Document>,
  );
  return `<!doctype html>${frame.replace(HOLE, () => body)}`;
}

/** Where the body goes; the head is drawn last, because only then it is known which islands the body holds. */
const HOLE = "\u0001body\u0001";

function errorPage({ status, message }: { status: number; message: string }): Exclude<Page, { kind: "error" }> {
  const title = TITLES[status] ?? "Something went wrong";
  return { title, status, body: status === 404 ? <NotFoundPage /> : <ErrorPage title={title} message={message} /> };
}

/**
 * A page as a response. Signed-in pages, and pages with an error, are never stored by anyone. A page that says `keep` is put on
 * `shelf` when a visitor without a session asked for it by its plain path.
 */
export async function renderPage(house: House, page: Page, visit: Visit, shelf?: KeptPage): Promise<Response> {
  const html = renderHtml(house, page, visit);
  const headers = pageHeaders(house.config);
  if (shelf && page.kind !== "error" && page.keep && !visit.me && !visit.url.search && !page.status) shelf.keep(html, headers, page.keep.forMs);
  headers.set("Cache-Control", visit.me || page.kind === "error" ? "no-store" : "no-cache");
  headers.set("Vary", "Accept-Encoding, Cookie");
  for (const [name, value] of visit.headers) headers.append(name, value);
  return new Response(packed(html, visit.request, headers), { status: page.status ?? 200, headers });
}

/** Below this many characters a page fits into its first packets anyway. */
const WORTH_PACKING = 4_000;

/** A page made for one person, packed at the fastest level: on a slow line an eighth of the bytes, for a fraction of its drawing time. */
function packed(html: string, request: Request, headers: Headers): string | Uint8Array<ArrayBuffer> {
  if (html.length < WORTH_PACKING || !request.headers.get("accept-encoding")?.includes("gzip")) return html;
  headers.set("Content-Encoding", "gzip");
  return Bun.gzipSync(html, { level: 1 });
}

/** The answer to a path that leads nowhere, for the catch-all of the house. */
export const notFoundPage = (house: House, visit: Visit): Promise<Response> => renderPage(house, { kind: "error", status: 404, message: "Not found." }, visit);
