import { readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { notFound } from "../../lib/refusal";
import { errorResponse } from "../http/answer";
import { OfflinePage } from "../../../views/ErrorPages";
import { assetResponse, manifest } from "./assets";
import { fileNames, folders } from "../files";
import type { AppContext } from "../app_context";
import { Routes } from "../http/routes";

const TYPES: Record<string, string> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
  ".txt": "text/plain; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".webp": "image/webp",
};
const COMPRESSIBLE = /^(text\/|application\/(json|manifest)|image\/svg)/;

/**
 * Serves the browser's built files under /assets, whose hashed names let browsers keep them for ever, and those of public/ at the root. Their
 * names never change, so a browser asks each time and gets a 304.
 */
export function assetRoutes(app: AppContext): Routes {
  const routes = new Routes(app, import.meta.path)
    .file("/assets/:name", (request, { name = "" }) => assetResponse(name, request) ?? noFile())
    .file("/manifest.webmanifest", (request) => fileOf("manifest.webmanifest", Buffer.from(JSON.stringify(appManifest(app.brand.name))))(request))
    .page("/offline", () => ({ title: "You are offline", body: <OfflinePage />, noindex: true, keep: { forMs: Number.POSITIVE_INFINITY } }));
  for (const name of fileNames(folders.public)) {
    const ours = fileOf(name, name === "sw.js" ? serviceWorker() : readFileSync(join(folders.public, name)));
    routes.file(`/${name}`, (request) => {
      const own = app.brand.files.get(name);
      return own ? fileOf(name, own)(request) : ours(request);
    });
  }
  return routes;
}

/** The worker's text differs from build to build, so that browsers notice, and fetch the offline page anew. */
function serviceWorker(): Buffer {
  const build = Bun.hash(JSON.stringify(manifest())).toString(36);
  return Buffer.from(readFileSync(join(folders.public, "sw.js"), "utf8").replace("__BUILD__", build));
}

/** How the installed app introduces itself to the device. */
const appManifest = (name: string) => ({
  id: "/",
  name,
  short_name: name,
  description: "Forex and crypto trading with a receipt for every fill.",
  lang: "en",
  start_url: "/dashboard",
  scope: "/",
  display: "standalone",
  background_color: "#fbfaf7",
  theme_color: "#fbfaf7",
  categories: ["finance"],
  icons: [
    { src: "/icon.svg", sizes: "any", type: "image/svg+xml" },
    ...[192, 512].flatMap((size) => [
      { src: `/icon-${size}.png`, sizes: `${size}x${size}`, type: "image/png" },
      { src: `/icon-maskable-${size}.png`, sizes: `${size}x${size}`, type: "image/png", purpose: "maskable" },
    ]),
  ],
  shortcuts: [
    { name: "Traders Portal", url: "/traders-portal" },
    { name: "Make a Deposit", url: "/deposit" },
  ],
});

/** Kept by nobody: the next build may have a file of that name. */
const noFile = () => errorResponse(notFound(), new Headers({ "Cache-Control": "no-store" }));

/** One file, compressed once; answers a request for it. */
function fileOf(name: string, bytes: Buffer): (request: Request) => Response {
  const plain = new Uint8Array(bytes);
  const type = TYPES[extname(name)] ?? "application/octet-stream";
  const packed = COMPRESSIBLE.test(type) && plain.byteLength > 500 ? Bun.gzipSync(plain) : null;
  const etag = `"${Bun.hash(plain).toString(36)}"`;
  return (request) => {
    const gzip = packed !== null && (request.headers.get("accept-encoding") ?? "").includes("gzip");
    const headers: Record<string, string> = { "Content-Type": type, "Cache-Control": "no-cache", ETag: etag };
    if (packed) headers.Vary = "Accept-Encoding";
    // Where the site is linked to, others show its picture.
    if (type.startsWith("image/")) headers["Cross-Origin-Resource-Policy"] = "cross-origin";
    if (request.headers.get("if-none-match") === etag) return new Response(null, { status: 304, headers });
    if (gzip) headers["Content-Encoding"] = "gzip";
    return new Response(gzip ? packed : plain, { headers });
  };
}
