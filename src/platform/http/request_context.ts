import { type BlockList, isIP } from "node:net";
import type { Permission } from "../../lib/permissions";
import type { Config } from "../../config";

/** The signed-in person, read from the database at each request. */
export type Me = {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  /** What the person may do at this moment. */
  role: "user" | "admin";
  /** Which role of staff an administrator has; null for everybody else. */
  staffRole: string | null;
  /** What that role lets do. */
  permissions: readonly Permission[];
  /** An administrator who must set up a second factor first; until then `role` is 'user'. */
  heldBack: boolean;
  accountStatus: string;
  registrationStatus: string;
  /** Where the person lives; null where it was never said. */
  country: string | null;
  sessionId: string;
};

/** One request, as a handler sees it. */
export type RequestContext = {
  readonly request: Request;
  readonly url: URL;
  /** The client's address, through trusted proxies only. */
  readonly ip: string;
  /** The network of that address, by which strangers are counted. */
  readonly network: string;
  readonly secure: boolean;
  readonly userAgent: string;
  readonly id: string;
  /** The signed-in person where there is one; on locked routes always. */
  me: Me | null;
  /** Whose account it is about where nobody is signed in yet, say at a sign-in: for the log, and never for the visitor. */
  subject?: Pick<Me, "id" | "role">;
  /** Headers of the answer, cookies among them. */
  readonly headers: Headers;
  /** The caller's Idempotency-Key with a fingerprint of what was asked, where the header was sent. */
  idempotency: Idempotency | null;
  /** The country that a trusted proxy names for the client, as a code of two letters; null where none does. */
  country(): string | null;
  /** Lets the connection be quiet for as long as it likes; for streams, which Bun would cut otherwise. */
  keepOpen(): void;
};
export type Idempotency = { key: string; fingerprint: string };

type Server = { requestIP(request: Request): { address: string } | null; timeout(request: Request, seconds: number): void };
export type Incoming = { request: Request; server: Server | null };

let requests = 0;
const start = Date.now().toString(36);

/** How visitors reach the site: its public address, and the proxies that may speak for a client. */
export type Way = Pick<Config, "publicUrl" | "trustedProxy">;

const peerOf = ({ request, server }: Incoming) => server?.requestIP(request)?.address ?? "";
/** A site whose address is on https is served only there, so what it sends counts on https, whatever way a request came. */
const isOnHttps = ({ publicUrl }: Way) => publicUrl?.startsWith("https:") === true;

/** Whether what is answered may count on https. */
export const isSecure = (incoming: Incoming, way: Way): boolean => isOnHttps(way) || clientOf(incoming.request, peerOf(incoming), way.trustedProxy).secure;

/** Reads what a handler needs to know of a request. */
export function contextOf(incoming: Incoming, way: Way): RequestContext {
  return new Context(incoming, way);
}

/** What few requests are asked for is worked out when it is asked for: of a busy program most are orders. */
class Context implements RequestContext {
  readonly request: Request;
  readonly secure: boolean;
  readonly id = `${start}-${(++requests).toString(36)}`;
  readonly headers = new Headers();
  me: Me | null = null;
  subject?: Pick<Me, "id" | "role">;
  idempotency: Idempotency | null = null;
  private readonly peer: string;
  private readonly client: { ip: string; secure: boolean };
  private parsed: URL | null = null;

  constructor(
    private readonly incoming: Incoming,
    private readonly way: Way,
  ) {
    this.request = incoming.request;
    // The connection may be gone when somebody asks, and its address with it.
    this.peer = peerOf(incoming);
    this.client = clientOf(this.request, this.peer, way.trustedProxy);
    this.secure = isOnHttps(way) || this.client.secure;
  }

  get url(): URL {
    if (this.parsed) return this.parsed;
    this.parsed = new URL(this.request.url);
    if (this.secure) this.parsed.protocol = "https:";
    return this.parsed;
  }
  get ip(): string {
    return this.client.ip;
  }
  get network(): string {
    return networkOf(this.client.ip);
  }
  get userAgent(): string {
    return (this.request.headers.get("user-agent") ?? "").slice(0, 512);
  }
  country(): string | null {
    return isTrusted(plainAddress(this.peer), this.way.trustedProxy) ? countryOf(this.request.headers) : null;
  }
  keepOpen(): void {
    this.incoming.server?.timeout(this.request, 0);
  }
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

/** The network a client is counted and throttled by: IPv4 addresses alone, IPv6 by /64, which one customer gets whole. */
export function networkOf(ip: string): string {
  if (!ip.includes(":")) return ip;
  const [head = "", tail] = ip.split("::");
  const left = head.split(":").filter(Boolean);
  const right = (tail ?? "").split(":").filter(Boolean);
  const full = tail === undefined ? left : [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill("0"), ...right];
  return `${full.slice(0, 4).join(":")}::/64`;
}

/** An address of this very machine. */
export const isLoopback = (ip: string): boolean => ip === "::1" || ip.startsWith("127.");

const plainAddress = (address: string) => (address.startsWith("::ffff:") ? address.slice(7) : address);

function isTrusted(address: string, trusted: BlockList | null): boolean {
  if (trusted === null) return false;
  const version = isIP(address);
  return version !== 0 && trusted.check(address, version === 4 ? "ipv4" : "ipv6");
}
