import { type BlockList, isIP } from "node:net";

/** The signed-in person, read from the database at each request. */
export type Me = {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  /** What the person may do at this moment. */
  role: "user" | "admin";
  /** An administrator who must set up a second factor first; until then `role` is 'user'. */
  heldBack: boolean;
  accountStatus: string;
  registrationStatus: string;
  sessionId: string;
};

/** One request, as a handler sees it. */
export type Visit = {
  readonly request: Request;
  readonly url: URL;
  /** The client's address, through trusted proxies only. */
  readonly ip: string;
  readonly secure: boolean;
  readonly userAgent: string;
  readonly id: string;
  /** The signed-in person where there is one; on locked doors always. */
  me: Me | null;
  /** Headers of the answer, cookies among them. */
  readonly headers: Headers;
  /** The caller's Idempotency-Key with a fingerprint of what was asked, where the header was sent. */
  once: Once | null;
  /** The country that a trusted proxy names for the client, as a code of two letters; null where none does. */
  country(): string | null;
  /** Lets the connection be quiet for as long as it likes; for streams, which Bun would cut otherwise. */
  keepOpen(): void;
};
export type Once = { key: string; fingerprint: string };

type Server = { requestIP(request: Request): { address: string } | null; timeout(request: Request, seconds: number): void };
export type Context = { request: Request; server: Server | null };

let visits = 0;
const start = Date.now().toString(36);

/** Reads what a handler needs to know of a request; `trusted` are the proxies that may speak for a client. */
export function visitOf(context: Context, trusted: BlockList | null): Visit {
  const { request } = context;
  const peer = context.server?.requestIP(request)?.address ?? "";
  const { ip, secure } = clientOf(request, peer, trusted);
  const url = new URL(request.url);
  if (secure) url.protocol = "https:";
  return {
    request,
    url,
    ip,
    secure,
    userAgent: (request.headers.get("user-agent") ?? "").slice(0, 512),
    id: `${start}-${(++visits).toString(36)}`,
    me: null,
    headers: new Headers(),
    once: null,
    country: () => (isTrusted(plainAddress(peer), trusted) ? countryOf(request.headers) : null),
    keepOpen: () => context.server?.timeout(request, 0),
  };
}

/** Headers by which proxies and networks of delivery name the client's country. */
const COUNTRY_HEADERS = ["cf-ipcountry", "cloudfront-viewer-country", "x-vercel-ip-country", "x-country-code"];
/** What some of them say where they do not know. */
const NO_COUNTRY = new Set(["XX", "T1", "ZZ"]);

function countryOf(headers: Headers): string | null {
  const said = COUNTRY_HEADERS.map((name) => headers.get(name)?.trim().toUpperCase() ?? "").find((code) => /^[A-Z]{2}$/.test(code));
  return said === undefined || NO_COUNTRY.has(said) ? null : said;
}

/** The client's address and scheme: the peer's own, or what trusted proxies say, read from the right as far as it names addresses. */
export function clientOf(request: Request, peer: string, trusted: BlockList | null): { ip: string; secure: boolean } {
  const direct = plainAddress(peer);
  const encrypted = request.url.startsWith("https:");
  if (!isTrusted(direct, trusted)) return { ip: direct, secure: encrypted };
  const hops = (request.headers.get("x-forwarded-for") ?? "").split(",").map((hop) => plainAddress(hop.trim()));
  let ip = direct;
  for (const hop of hops.reverse()) {
    if (!isIP(hop)) break;
    ip = hop;
    if (!isTrusted(hop, trusted)) break;
  }
  return { ip, secure: encrypted || request.headers.get("x-forwarded-proto")?.split(",")[0]?.trim() === "https" };
}

/** An address of this very machine. */
export const isLoopback = (ip: string): boolean => ip === "::1" || ip.startsWith("127.");

const plainAddress = (address: string) => (address.startsWith("::ffff:") ? address.slice(7) : address);

function isTrusted(address: string, trusted: BlockList | null): boolean {
  if (trusted === null) return false;
  const version = isIP(address);
  return version !== 0 && trusted.check(address, version === 4 ? "ipv4" : "ipv6");
}
