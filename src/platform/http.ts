import { Elysia } from "elysia";
import type * as v from "valibot";
import type { AnswerOf, BodyOf, Endpoint, ParamsOf, QueryOf } from "../lib/endpoint";
import { fit } from "../lib/fit";
import { notFound, Refusal } from "../lib/refusal";
import { readForm, readJson } from "./body";
import { isUnavailable, refusalOf } from "./db";
import type { Act, House, Me } from "./house";
import { KeptPage } from "./kept_page";
import { type Page, renderPage } from "./page";

/** Who may open a door: anyone, the signed-in, or staff. */
export type Lock = "open" | "user" | "admin";

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

type Input<E extends Endpoint> = { body: BodyOf<E>; params: ParamsOf<E>; query: QueryOf<E>; visit: Visit };
type Result<E extends Endpoint> = (undefined extends AnswerOf<E> ? void : never) | AnswerOf<E> | Response | Reply<AnswerOf<E>>;
type Handler<E extends Endpoint, X> = (input: Input<E> & X) => Promise<Result<E>> | Result<E>;
type PageHandler<X> = (input: { visit: Visit; params: Record<string, string> } & X) => Promise<Page | Response> | Page | Response;
type FormHandler<X> = (input: { visit: Visit; form: Record<string, string> } & X) => Promise<Page | Response> | Page | Response;

/** An answer with a status of its own, say 202. */
export class Reply<T> {
  constructor(
    readonly status: number,
    readonly data: T,
  ) {}
}

const STATUS = new Map<string, number>([
  ["invalid", 400],
  ["unauthorized", 401],
  ["invalid_credentials", 401],
  ["forbidden", 403],
  ["account_suspended", 403],
  ["account_banned", 403],
  ["registration_rejected", 403],
  ["password_required", 403],
  ["against_client", 403],
  ["balance_mismatch", 403],
  ["not_found", 404],
  ["method_not_allowed", 405],
  ["conflict", 409],
  ["price_moved", 409],
  ["too_large", 413],
  ["unsupported_media_type", 415],
  ["too_many_requests", 429],
  ["stale_price", 503],
  ["unavailable", 503],
]);
/** The HTTP status of a refusal. A rule of the domain that has no row above is a 422. */
export const statusOf = (refusal: Refusal) => STATUS.get(refusal.code) ?? 422;

export function errorResponse(refusal: Refusal, headers = new Headers()): Response {
  if (refusal.retryAfter !== undefined) headers.set("Retry-After", String(Math.max(1, Math.ceil(refusal.retryAfter))));
  const { message, code, fields } = refusal;
  return Response.json(fields ? { message, code, fields } : { message, code }, { status: statusOf(refusal), headers });
}

/** Holds input to its schema; a misfit is a 400 with each field's first message. */
function fitting<S extends v.GenericSchema>(schema: S | undefined, value: unknown): v.InferOutput<S> {
  if (!schema) return undefined as v.InferOutput<S>;
  const result = fit(schema, value);
  if (result.ok) return result.value;
  throw new Refusal("invalid", Object.values(result.fields)[0] ?? "The request is not valid.", result.fields);
}

/** A path's parameters; what can't be an id names nothing that exists. */
function fittingParams<S extends v.GenericSchema>(schema: S | undefined, value: unknown): v.InferOutput<S> {
  const result = schema && fit(schema, value);
  if (result?.ok === false) throw notFound();
  return result?.value as v.InferOutput<S>;
}

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Refuses a write that another site's page could have made, before its body is read. Another port of this host is
 * another site too, which SameSite cookies do not see.
 */
function refuseCrossSite(request: Request, url: URL, publicOrigin: string | null) {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null) {
    if (site === "same-origin" || site === "none") return;
    throw new Refusal("forbidden", "This request came from another site.");
  }
  const origin = request.headers.get("origin");
  if (origin === null || origin === url.origin || origin === publicOrigin) return;
  throw new Refusal("forbidden", "This request came from another site.");
}

const JSON_TYPE = /^application\/json\s*(;.*)?$/i;
const FORM_TYPE = /^(application\/x-www-form-urlencoded|multipart\/form-data)\s*(;.*)?$/i;

function refuseMediaType(request: Request, accepted: RegExp) {
  const type = request.headers.get("content-type");
  if (type === null && !request.body) return;
  if (type !== null && accepted.test(type)) return;
  throw new Refusal("unsupported_media_type", "Send this as application/json.");
}

const idempotencyKey = (request: Request) => {
  const key = request.headers.get("idempotency-key");
  if (key === null) return null;
  if (!/^[\x21-\x7e]{1,200}$/.test(key)) throw new Refusal("invalid", "Idempotency-Key must be 1 to 200 visible characters.");
  return key;
};

type Listed = { method: string; path: string; lock: Lock; kind: "call" | "page" | "form" | "file" };

/**
 * A domain's doors. The verb that opens a door is its lock: `open`, `user`, `admin` for calls of the API, `page`,
 * `userPage` for HTML, `form` for a form that works without scripts. Every door does the same in the same order:
 * cross-site check, lock, body, shape, deed.
 */
export class Doors {
  readonly app = new Elysia({ normalize: false });
  readonly list: Listed[] = [];
  constructor(private readonly house: House) {}

  open<E extends Endpoint>(e: E, handler: Handler<E, object>) {
    return this.call("open", e, (input) => handler(input));
  }
  user<E extends Endpoint>(e: E, handler: Handler<E, { me: Me }>) {
    return this.call("user", e, (input, me) => handler({ ...input, me: me as Me }));
  }
  admin<E extends Endpoint>(e: E, handler: Handler<E, { me: Me; act: Act }>) {
    return this.call("admin", e, (input, me) => {
      const admin = me as Me;
      return handler({ ...input, me: admin, act: { admin, ip: input.visit.ip, userAgent: input.visit.userAgent } });
    });
  }

  /** A page that anyone may read; `me` is null for a visitor. One that says `keep` is drawn for the first of them and kept for the others. */
  page(path: string, handler: PageHandler<{ me: Me | null }>) {
    const kept = new KeptPage();
    return this.html(
      "GET",
      path,
      "open",
      async (visit, params) => this.rendered(await handler({ visit, params, me: await this.meet(visit) }), visit, kept),
      (request) => kept.answer(request),
    );
  }
  /** A file that is the same for everyone: neither session nor page stands behind it. */
  file(path: string, answer: (request: Request, params: Record<string, string>) => Response) {
    this.list.push({ method: "GET", path, lock: "open", kind: "file" });
    this.app.route("GET", path, ({ request, params }) => answer(request, params as Record<string, string>), { parse: "none" });
    return this;
  }
  /** A page for the signed-in; others are sent to sign in and come back. */
  userPage(path: string, handler: PageHandler<{ me: Me }>) {
    return this.html("GET", path, "user", async (visit, params) => {
      const me = await this.meet(visit);
      if (!me) return redirect(`/login?returnTo=${encodeURIComponent(visit.url.pathname + visit.url.search)}`);
      return this.rendered(await handler({ visit, params, me }), visit);
    });
  }
  /** The POST of a form that works without scripts: answers a redirect, or the page again with its messages. */
  form(path: string, handler: FormHandler<{ me: Me | null }>) {
    return this.html("POST", path, "open", async (visit) => {
      refuseMediaType(visit.request, FORM_TYPE);
      const me = await this.meet(visit);
      return this.rendered(await handler({ visit, form: await readForm(visit.request), me }), visit);
    });
  }

  private async meet(visit: Visit): Promise<Me | null> {
    visit.me = await this.house.gate.whoIs(visit);
    return visit.me;
  }

  private rendered(result: Page | Response, visit: Visit, kept?: KeptPage) {
    return result instanceof Response ? withHeaders(result, visit.headers) : renderPage(this.house, result, visit, kept);
  }

  private call<E extends Endpoint>(lock: Lock, e: E, handler: (input: Input<E>, me: Me | null) => Promise<Result<E>> | Result<E>) {
    this.list.push({ method: e.method, path: e.path, lock, kind: "call" });
    this.app.route(
      e.method,
      e.path,
      async (context) => {
        const visit = visitOf(context, this.house);
        try {
          if (!SAFE_METHODS.has(e.method)) refuseCrossSite(visit.request, visit.url, this.house.config.publicUrl);
          if (lock !== "open") {
            const me = await this.meet(visit);
            if (!me) throw new Refusal("unauthorized", "Unauthorized");
            if (lock === "admin" && me.role !== "admin") throw new Refusal("forbidden", "Administrators only.");
          }
          if (!SAFE_METHODS.has(e.method)) refuseMediaType(visit.request, JSON_TYPE);
          const sent = e.body ? await readJson(visit.request) : undefined;
          const params = fittingParams(e.params, context.params) as ParamsOf<E>;
          const query = fitting(e.query, Object.fromEntries(visit.url.searchParams)) as QueryOf<E>;
          const body = fitting(e.body, sent?.value) as BodyOf<E>;
          const key = e.method === "POST" ? idempotencyKey(visit.request) : null;
          if (key) visit.once = { key, fingerprint: Bun.hash(`${visit.url.pathname}\n${sent?.text ?? ""}`).toString(36) };
          const result = await handler({ body, params, query, visit }, visit.me);
          if (result instanceof Response) return withHeaders(result, visit.headers);
          if (result instanceof Reply) return Response.json(result.data, { status: result.status, headers: visit.headers });
          if (result === undefined) return new Response(null, { status: 204, headers: visit.headers });
          return Response.json(result, { status: e.status ?? 200, headers: visit.headers });
        } catch (error) {
          return errorResponse(this.explain(error, visit), visit.headers);
        }
      },
      { parse: "none" },
    );
    return this;
  }

  private html(
    method: "GET" | "POST",
    path: string,
    lock: Lock,
    answer: (visit: Visit, params: Record<string, string>) => Promise<Response>,
    ready: (request: Request) => Response | null = () => null,
  ) {
    this.list.push({ method, path, lock, kind: method === "GET" ? "page" : "form" });
    const drawn = async (context: Context & { params: unknown }) => {
      const visit = visitOf(context, this.house);
      try {
        if (method === "POST") refuseCrossSite(visit.request, visit.url, this.house.config.publicUrl);
        return await answer(visit, context.params as Record<string, string>);
      } catch (error) {
        const refusal = this.explain(error, visit);
        return renderPage(this.house, { kind: "error", status: statusOf(refusal), message: refusal.message }, visit);
      }
    };
    this.app.route(method, path, (context) => ready(context.request) ?? drawn(context), { parse: "none" });
    return this;
  }

  /** A refusal as it is; a database that is away as 503; anything else is our fault: logged in full, told in a sentence. */
  private explain(error: unknown, visit: Visit): Refusal {
    const refusal = refusalOf(error);
    if (refusal) return refusal;
    if (isUnavailable(error)) {
      this.house.log.warn("database unavailable", { requestId: visit.id, error });
      return new Refusal("unavailable", "The service is briefly unavailable. Please try again.", undefined, 2);
    }
    this.house.log.error("request failed", { requestId: visit.id, method: visit.request.method, path: visit.url.pathname, error });
    return new Refusal("internal", `Something went wrong on our side. Reference ${visit.id}.`);
  }
}
STATUS.set("internal", 500);

export const redirect = (to: string, status: 302 | 303 = 302) => new Response(null, { status, headers: { Location: to } });

function withHeaders(response: Response, headers: Headers): Response {
  for (const [name, value] of headers) response.headers.append(name, value);
  return response;
}

type Server = { requestIP(request: Request): { address: string } | null; timeout(request: Request, seconds: number): void };
type Context = { request: Request; server: Server | null };

let visits = 0;
const start = Date.now().toString(36);

function visitOf(context: Context, house: House): Visit {
  const { request } = context;
  const peer = context.server?.requestIP(request)?.address ?? "";
  const { ip, secure } = clientOf(request, peer, house.config.trustedProxy);
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

/** The client's address and scheme: the peer's own, or what trusted proxies say, read from the right. */
export function clientOf(request: Request, peer: string, trusted: readonly string[]): { ip: string; secure: boolean } {
  const direct = plainAddress(peer);
  const encrypted = request.url.startsWith("https:");
  if (!isTrusted(direct, trusted)) return { ip: direct, secure: encrypted };
  const hops = (request.headers.get("x-forwarded-for") ?? "")
    .split(",")
    .map((hop) => plainAddress(hop.trim()))
    .filter(Boolean);
  let ip = direct;
  for (const hop of hops.reverse()) {
    ip = hop;
    if (!isTrusted(hop, trusted)) break;
  }
  return { ip: ip.slice(0, 64), secure: encrypted || request.headers.get("x-forwarded-proto")?.split(",")[0]?.trim() === "https" };
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
