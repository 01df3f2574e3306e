import { readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { notFound } from "../lib/refusal";
import { errorResponse } from "./answer";
import { assetResponse } from "./assets";
import { fileNames, folders } from "./files";
import type { House } from "./house";
import { Doors } from "./http";

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
 * The browser's built files under /assets, kept for ever by their hashed names, and those of public/ at the root under
 * names that never change, so that a browser asks each time and is told that nothing changed.
 */
export function assetDoors(house: House): Doors {
  const doors = new Doors(house).file("/assets/:name", (request, { name = "" }) => assetResponse(name, request) ?? noFile());
  for (const name of fileNames(folders.public)) doors.file(`/${name}`, publicFile(name));
  return doors;
}

/** Kept by nobody: the next build may have a file of that name. */
const noFile = () => errorResponse(notFound(), new Headers({ "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" }));

/** One file, read and compressed once; answers a request for it. */
function publicFile(name: string): (request: Request) => Response {
  const plain = new Uint8Array(readFileSync(join(folders.public, name)));
  const type = TYPES[extname(name)] ?? "application/octet-stream";
  const packed = COMPRESSIBLE.test(type) && plain.byteLength > 500 ? Bun.gzipSync(plain) : null;
  const etag = `"${Bun.hash(plain).toString(36)}"`;
  return (request) => {
    const gzip = packed !== null && (request.headers.get("accept-encoding") ?? "").includes("gzip");
    const headers: Record<string, string> = { "Content-Type": type, "Cache-Control": "no-cache", ETag: etag, "X-Content-Type-Options": "nosniff" };
    if (packed) headers.Vary = "Accept-Encoding";
    if (request.headers.get("if-none-match") === etag) return new Response(null, { status: 304, headers });
    if (gzip) headers["Content-Encoding"] = "gzip";
    return new Response(gzip ? packed : plain, { headers });
  };
}
