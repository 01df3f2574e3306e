import { brotliCompressSync, constants } from "node:zlib";
import { type ReactNode } from "react";
import { renderToStaticMarkup, renderToString } from "react-dom/server";
import { BackAgain } from "../../../views/BackAgain";
import { bodyClasses, Document, type Head } from "../../../views/Document";
import { ErrorPage, NotFoundPage } from "../../../views/ErrorPages";
import { type Chrome, Layout, type OwnHeader } from "../../../views/Layout";
import { asAnyone } from "../../lib/anyone";
import { setDrawer, type When } from "../../lib/drawer";
import { showFor } from "../../lib/may";
import { HOUR } from "../../lib/time";
import { assetUrl, type Manifest, manifest } from "./assets";
import type { AppContext } from "../app_context";
import type { RequestContext } from "../http/request_context";
import { framed, hole, keptPart, keptWhole, showInstruments, withParts } from "./frames";
import type { KeptPage } from "./kept_page";
import { type Inline, pageHeaders } from "../http/headers";
import { inlineScript, inlineStyle, policyHash } from "./page_style";
import { sharedHead } from "./page_shared";
import { type Sent, sentAgain } from "./sent_again";

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
      surface?: "site" | "product";
      /** The page is the trading screen, which is as high as the window at a desk and under the thumb on a phone (`views/desk_css.ts`). */
      isDesk?: boolean;
      /** Stands in the place of the site's header, as on the staff's pages. */
      header?: OwnHeader;
      /** A small script of the page's own, without React. */
      script?: Exclude<keyof Manifest["scripts"], "theme" | "hold" | "chrome" | "form" | "boot" | "unread" | "tabs" | Fetched>;
      /** The code of the page's form, fetched when somebody turns to it. */
      form?: Exclude<Fetched, "install" | "tooltip">;
      /** The id of the part that the first picture waits for: painted by halves, a slow phone shows it later. */
      firstPaint?: string;
      /** The style of what the page shows in a frame, which has the page's policy: the policy names it. */
      framedStyle?: string;
      /** What the page is about, as objects of schema.org, for search engines. */
      structured?: object[];
      /**
       * The page is the same for every signed-out visitor: it is rendered once and kept, with ETag and compressed bytes, for as
       * many milliseconds (`Infinity`: as long as the program runs).
       */
      keep?: { forMs: number };
    }
  | {
      kind: "error";
      status: number;
      message: string;
      /** The same address may be asked for once more. */
      again?: boolean;
    };

/** What is fetched where it is needed, not with the page. */
type Fetched = "install" | "tooltip" | "entrance" | "contact";

/** The islands of the page being drawn. Drawing never awaits, so there is only one at a time. */
let met = new Map<string, When>();

setDrawer({
  draw: (Component, props, seen) => {
    const draw = (of: typeof props) => withParts(renderToString(<Component {...of} />));
    if (seen !== undefined) return keptWhole(Component, seen, () => [draw(props)]).join("");
    const shown = asAnyone(Component, props);
    if (!shown) return draw(props);
    return keptWhole(Component, JSON.stringify(shown.props), () => shown.partsOf(draw(shown.props))).join(shown.account);
  },
  kept: (Component, props, seen) => keptPart(Component, seen, () => renderToString(<Component {...props} />)),
  source: (name) => assetUrl(islandOf(name).file),
  used: (name, when) => void (met.get(name) === "load" || met.set(name, when)),
});

function islandOf(name: string) {
  const found = manifest().islands[name];
  if (!found) throw new Error(`island ${name} is not in the manifest: its name must be its file's name`);
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

/** A page's whole HTML, what of it the policy has to name, and the address of its style sheet, where that is a file. */
type Drawn = { html: string; inline: Inline; noindex: boolean; sheet: string | null };

/** Draws a page for this visitor. */
function drawPage(app: AppContext, page: Page, context: RequestContext, termsDue: number | null): Drawn {
  const shown = page.kind === "error" ? errorPage(page) : page;
  const { config } = app;
  const surface = shown.surface ?? "site";
  const chrome: Chrome = {
    brand: app.brand.name,
    logo: app.brand.logo,
    path: context.url.pathname,
    me: context.me,
    demonstration: config.siteMode === "demo",
    simulated: config.feed === "simulator",
    licence: config.siteMode === "live" ? config.licence : null,
    wide: surface === "product",
    losingShare: app.losingShare ?? null,
    termsDue,
    warning: app.countries?.get(context.me?.country ?? "")?.warning ?? null,
  };
  met = new Map();
  showFor(context.me?.permissions ?? []);
  showInstruments(app.instruments?.());
  const body = drawBody(chrome, shown);
  const files = manifest();
  const islands = [...met].map(([name, when]) => ({ ...islandOf(name), when }));
  const scripts = [
    ...(islands.length ? [files.scripts.boot] : []),
    ...(shown.script ? [files.scripts[shown.script]] : []),
    ...(context.me ? [files.scripts.unread] : []),
    ...(body.includes('role="tablist"') ? [files.scripts.tabs] : []),
  ];
  const preload = new Set(islands.filter(({ when }) => when === "load").flatMap(({ file, imports }) => [...imports, file]));
  const first = [files.scripts.theme, ...(islands.length ? [files.scripts.hold] : [])].map(inlineScript).join("\n");
  const fetched = [files.scripts.install, files.scripts.tooltip, ...(shown.form ? [files.scripts[shown.form]] : [])];
  // A visitor sees few pages, and each at once; an island's code may bring classes of its own.
  const own = !context.me && islands.length === 0;
  const style = own
    ? inlineStyle(files.style, `<body class="${bodyClasses(surface)}">${body}`, [...scripts, files.scripts.chrome, ...fetched]) + app.brand.css
    : null;
  const sheet = assetUrl(shown.isDesk ? files.desk : files.style);
  const noindex = shown.noindex === true || context.me !== null || (shown.status ?? 200) >= 400;
  const title = shown.title.startsWith(app.brand.name) ? shown.title : `${shown.title} · ${app.brand.name}`;
  const head: Head = {
    title,
    description: shown.description ?? null,
    noindex,
    person: context.me?.id ?? null,
    may: context.me?.role === "admin" ? context.me.permissions : null,
    instruments: context.me && islands.length > 0 ? app.instruments?.() : undefined,
    brand: app.brand.name,
    desk: shown.isDesk ? (chrome.demonstration ? "noticed" : "") : undefined,
    firstPaint: shown.firstPaint ?? null,
    // Only search engines and messages read it.
    ...(context.me ? { canonical: null, card: "", structured: [] } : sharedHead(app, context.url.pathname, shown)),
    style: style === null ? { href: sheet } : { inline: style },
    colours: style === null ? app.brand.css : "",
    first,
    scripts: scripts.map(assetUrl),
    chrome: {
      src: assetUrl(files.scripts.chrome),
      install: assetUrl(files.scripts.install),
      tooltip: assetUrl(files.scripts.tooltip),
      next: context.me && !shown.isDesk ? assetUrl(files.desk) : undefined,
      staff: context.me?.role === "admin",
    },
    form: shown.form ? { src: assetUrl(files.scripts.form), code: assetUrl(files.scripts[shown.form]) } : null,
    preload: [...preload].map(assetUrl),
  };
  const html = drawDocument(head, surface, body);
  const styles = [style ?? app.brand.css, shown.framedStyle ?? ""].filter(Boolean).map(policyHash);
  const inline = { script: policyHash(first), style: styles.length === 0 ? null : styles.join(" ") };
  return { html: `<!doctype html>${html}`, inline, noindex, sheet: style === null ? sheet : null };
}

/** The page in its layout. What surrounds it is drawn once for all who see it there; a header of its own has figures, and a visitor's page is kept whole. */
function drawBody(chrome: Chrome, { header, body }: Extract<Page, { body: ReactNode }>): string {
  const { me } = chrome;
  if (!me || header)
    return renderToStaticMarkup(
      <Layout chrome={chrome} header={header}>
        {body}
      </Layout>,
    );
  const anyone = { ...chrome, me: { firstName: me.firstName && hole("firstName"), email: hole("email"), role: me.role } };
  const draw = () => renderToStaticMarkup(<Layout chrome={anyone}>{hole("page")}</Layout>);
  const { escapeHTML } = Bun;
  return framed(JSON.stringify(anyone), draw, { page: renderToStaticMarkup(body), firstName: escapeHTML(me.firstName), email: escapeHTML(me.email) });
}

/** The whole document around a body; drawn last, because only then it is known which islands the body holds. */
function drawDocument(head: Head, surface: "site" | "product", body: string): string {
  const draw = (of: Head) =>
    renderToStaticMarkup(
      <Document surface={surface} head={of}>
        {hole("body")}
      </Document>,
    );
  if (head.person === null) return draw(head).replace(hole("body"), () => body);
  const anyone = { ...head, title: hole("title"), person: hole("person"), instruments: head.instruments && hole("instruments") };
  const own = { body, title: Bun.escapeHTML(head.title), person: head.person, instruments: Bun.escapeHTML(head.instruments ?? "") };
  return framed(JSON.stringify([surface, anyone]), () => draw(anyone), own);
}

function errorPage({ status, message, again = false }: Extract<Page, { kind: "error" }>): Exclude<Page, { kind: "error" }> {
  const title = TITLES[status] ?? "Something went wrong";
  return { title, status, body: status === 404 ? <NotFoundPage /> : <ErrorPage title={title} message={message} again={again} /> };
}

/**
 * A page as a response. Signed-in pages, and pages with an error, are never stored by anyone. A page that says `keep` is put on
 * `shelf` when a visitor without a session asked for it by its plain path. A page that refuses a form, or
 * that its sender comes back to, is given what was `sent`.
 */
export async function renderPage(app: AppContext, page: Page, context: RequestContext, shelf?: KeptPage, sent?: Sent): Promise<Response> {
  const due = context.me && page.kind !== "error" && app.termsDue ? await app.termsDue(context.me.id) : null;
  const { html: drawn, inline, noindex, sheet } = drawPage(app, page, context, due);
  const shows = sent && page.kind !== "error" && (sent.isBack || (page.status ?? 200) >= 400);
  const html = shows ? sentAgain(drawn, sent, sent.isBack ? renderToStaticMarkup(<BackAgain />) : "") : drawn;
  const headers = pageHeaders(inline);
  // Asked for before a slow phone has begun to read the page: the first picture waits for it.
  if (sheet) headers.set("Link", `<${sheet}>; rel=preload; as=style`);
  if (noindex) headers.set("X-Robots-Tag", "noindex");
  if (shelf && page.kind !== "error" && page.keep && !context.me && !context.url.search && !page.status) {
    await shelf.keep(html, headers, Math.min(page.keep.forMs, HOUR));
    const ready = shelf.answer(context.request);
    if (ready) return ready;
  }
  headers.set("Cache-Control", context.me || page.kind === "error" || sent ? "no-store" : "no-cache");
  headers.set("Vary", "Accept-Encoding, Cookie");
  for (const [name, value] of context.headers) headers.append(name, value);
  return new Response(packed(html, context.request, headers), { status: page.status ?? 200, headers });
}

/** Below this many characters a page fits into its first packets anyway. */
const WORTH_PACKING = 4_000;
/** Up to so many, what fits into the first packets by a quick way is packed by it: a slower one would save no journey. */
const QUICKLY = 64_000;

/** The highest level of the way that looks up what repeats by two tables (`ZSTD_dfast`): the next takes more than twice as long. */
const ZSTD = { level: 4 };
const ZSTD_QUICKLY = { level: 1 };
/** For browsers without zstd. A window no larger than the page costs less to begin with. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_LGWIN]: 17 } };
const GZIP = { library: "libdeflate", level: 1 } as const;

const gzip = (html: string) => Bun.gzipSync(html, GZIP);
/** The first of these that a browser takes. Of a small page Brotli makes no fewer packets than gzip, in three times as long. */
const WAYS = {
  quickly: { zstd: (html: string) => Bun.zstdCompressSync(html, ZSTD_QUICKLY), gzip },
  well: { zstd: (html: string) => Bun.zstdCompressSync(html, ZSTD), br: (html: string) => brotliCompressSync(html, BROTLI), gzip },
};

/** A page made for one person, packed for a fraction of its drawing time: 0.1 ms, 1 ms for the largest. */
function packed(html: string, request: Request, headers: Headers): string | Uint8Array<ArrayBuffer> {
  const accepted = request.headers.get("accept-encoding") ?? "";
  const way = Object.entries(WAYS[html.length < QUICKLY ? "quickly" : "well"]).find(([name]) => accepted.includes(name));
  if (html.length < WORTH_PACKING || !way) return html;
  const [coding, pack] = way;
  headers.set("Content-Encoding", coding);
  return new Uint8Array(pack(html));
}
