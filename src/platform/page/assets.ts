import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { folders } from "../files";

/** Which file name each part of the browser's code is served under; written by `scripts/build_client`. */
export type Manifest = {
  scripts: Record<
    | "theme"
    | "hold"
    | "chrome"
    | "install"
    | "tooltip"
    | "boot"
    | "landing"
    | "entrance"
    | "contact"
    | "clear"
    | "unread"
    | "tabs"
    | "faq"
    | "passkey"
    | "form",
    string
  >;
  style: string;
  /** The trading screen's own style sheet. */
  desk: string;
  /** An island's own file and the chunks it needs before it can run. */
  islands: Record<string, { file: string; imports: string[] }>;
};

let read: Manifest | null = null;
export function manifest(): Manifest {
  if (read) return read;
  const path = join(folders.client, "manifest.json");
  if (!existsSync(path)) throw new Error("the browser's files are not built: run the client build first");
  read = JSON.parse(readFileSync(path, "utf8")) as Manifest;
  return read;
}

/** The address of a built file. Its name carries its content's hash, so it may be kept for ever. */
export const assetUrl = (file: string) => `/assets/${file}`;

const TYPES: Record<string, string> = { js: "text/javascript; charset=utf-8", css: "text/css; charset=utf-8" };
const NAME = /^[\w.-]+\.(js|css)$/;
const YEAR = "public, max-age=31536000, immutable";

type Stored = { type: string; plain: Uint8Array<ArrayBuffer>; br: Uint8Array<ArrayBuffer>; gzip: Uint8Array<ArrayBuffer> };
const stored = new Map<string, Stored>();

function load(name: string): Stored | null {
  const known = stored.get(name);
  if (known) return known;
  const extension = NAME.exec(name)?.[1];
  const path = join(folders.client, name);
  if (!extension || !existsSync(path)) return null;
  const bytes = (suffix: string) => new Uint8Array(readFileSync(path + suffix));
  const file = { type: TYPES[extension] as string, plain: bytes(""), br: bytes(".br"), gzip: bytes(".gz") };
  stored.set(name, file);
  return file;
}

/** Answers `/assets/:name` in the best coding the browser takes; null when there is no such file. */
export function assetResponse(name: string, request: Request): Response | null {
  const file = load(name);
  if (!file) return null;
  const accepted = request.headers.get("accept-encoding") ?? "";
  const coding = accepted.includes("br") ? "br" : accepted.includes("gzip") ? "gzip" : null;
  const headers: Record<string, string> = {
    "Content-Type": file.type,
    "Cache-Control": YEAR,
    Vary: "Accept-Encoding",
  };
  if (coding) headers["Content-Encoding"] = coding;
  return new Response(file[coding ?? "plain"], { headers });
}
