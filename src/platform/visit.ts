import { isIP } from "node:net";
/** The signed-in person, read from the database at each request. */
export type Me = {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  role: "user" | "admin";
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
  /** Lets the connection be quiet for as long as it likes; for streams, which Bun would cut otherwise. */
  keepOpen(): void;
};
export type Once = { key: string; fingerprint: string };

type Server = { requestIP(request: Request): { address: string } | null; timeout(request: Request, seconds: number): void };
export type Context = { request: Request; server: Server | null };

let visits = 0;
const start = Date.now().toString(36);

/** Reads what a handler needs to know of a request; `trusted` are the proxies that may speak for a client. */
export function visitOf(context: Context, trusted: readonly string[]): Visit {
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
    keepOpen: () => context.server?.timeout(request, 0),
  };
}

/** The client's address and scheme: the peer's own, or what trusted proxies say, read from the right as far as it names addresses. */
export function clientOf(request: Request, peer: string, trusted: readonly string[]): { ip: string; secure: boolean } {
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

const plainAddress = (address: string) => (address.startsWith("::ffff:") ? address.slice(7) : address);

function isTrusted(address: string, trusted: readonly string[]): boolean {
  return trusted.some((range) => {
    const [base = "", bits] = range.split("/");
    const a = addressBits(address);
    const b = addressBits(base);
    if (!a || !b || a.length !== b.length) return false;
    const length = bits === undefined ? b.length : Number(bits);
    return a.slice(0, length) === b.slice(0, length);
  });
}

/** An address as a string of bits; null where it is none. */
function addressBits(address: string): string | null {
  if (/^\d+\.\d+\.\d+\.\d+$/.test(address))
    return address
      .split(".")
      .map((part) => Number(part).toString(2).padStart(8, "0"))
      .join("");
  if (!/^[0-9a-f:]+$/i.test(address) || !address.includes(":")) return null;
  const [head = "", tail] = address.split("::");
  const left = head.split(":").filter(Boolean);
  const right = (tail ?? "").split(":").filter(Boolean);
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length;
  if (zeros < 0) return null;
  return [...left, ...Array<string>(zeros).fill("0"), ...right].map((part) => Number.parseInt(part, 16).toString(2).padStart(16, "0")).join("");
}
