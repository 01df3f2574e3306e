/** What a browser has to fetch for each page, counted from the page itself: its HTML, its style sheet, its scripts and all that these import. */

/** Bytes as they are, and as they travel to a browser that takes gzip and brotli. */
type Weight = { raw: number; sent: number };
export type PageWeight = {
  path: string;
  html: Weight;
  css: Weight;
  /** What runs as soon as the page is there. */
  script: Weight;
  /** What may follow: islands that wait to be seen or touched, and imports made on demand. */
  later: Weight;
};

const transpiler = new Bun.Transpiler({ loader: "js" });
const NOTHING: Weight = { raw: 0, sent: 0 };

/** Weighs one page as the holder of this cookie gets it. */
export async function weighPage(origin: string, path: string, cookie: string): Promise<PageWeight> {
  const html = await fetchText(origin, path, cookie);
  const found = readPage(html.text);
  const [css, now] = await Promise.all([sumOf(origin, found.styles), graphOf(origin, found.scripts)]);
  const after = await graphOf(origin, [...found.islands, ...now.onDemand]);
  return {
    path,
    html: html.weight,
    css,
    script: await sumOf(origin, now.files),
    later: await sumOf(
      origin,
      [...after.files, ...after.onDemand].filter((file) => !now.files.includes(file)),
    ),
  };
}

/** The files that a page names: style sheets, scripts with the modules they preload, islands that wake later, the code of a form. */
function readPage(html: string) {
  const all = (pattern: RegExp) => [...new Set([...html.matchAll(pattern)].map(([, address]) => address as string))];
  const atLoad = all(/<div[^>]*data-when="load"[^>]*data-src="([^"]+)"/g);
  return {
    styles: all(/<link[^>]*rel="stylesheet"[^>]*href="([^"]+)"/g),
    scripts: [...new Set([...all(/<script[^>]*\bsrc="([^"]+)"/g), ...all(/<link[^>]*rel="modulepreload"[^>]*href="([^"]+)"/g), ...atLoad])],
    islands: all(/data-(?:src|form)="([^"]+)"/g).filter((address) => !atLoad.includes(address)),
  };
}

/** Scripts with everything they import, and what they import on demand. */
async function graphOf(origin: string, entries: string[]): Promise<{ files: string[]; onDemand: string[] }> {
  const files = new Set<string>();
  const onDemand = new Set<string>();
  const visit = async (file: string): Promise<void> => {
    if (files.has(file)) return;
    files.add(file);
    const { text } = await fetchText(origin, file, "");
    for (const { path, kind } of transpiler.scanImports(text)) {
      const address = new URL(path, origin + file).pathname;
      if (kind === "dynamic-import") onDemand.add(address);
      else await visit(address);
    }
  };
  for (const entry of entries) await visit(entry);
  return { files: [...files], onDemand: [...onDemand].filter((file) => !files.has(file)) };
}

async function sumOf(origin: string, files: string[]): Promise<Weight> {
  const weights = await Promise.all(files.map(async (file) => (await fetchText(origin, file, "")).weight));
  return weights.reduce((a, b) => ({ raw: a.raw + b.raw, sent: a.sent + b.sent }), NOTHING);
}

/** The first visitor's answer to a kept page is the one that is being drawn, so it is asked for once before it is weighed. */
async function fetchText(origin: string, path: string, cookie: string): Promise<{ text: string; weight: Weight }> {
  const headers = { "Accept-Encoding": "gzip, br", ...(cookie ? { Cookie: cookie } : {}) };
  const raw = new Uint8Array(await (await fetch(origin + path, { headers, redirect: "error" })).arrayBuffer());
  const sent = await (await fetch(origin + path, { headers, redirect: "error", decompress: false })).arrayBuffer();
  return { text: new TextDecoder().decode(raw), weight: { raw: raw.byteLength, sent: sent.byteLength } };
}
