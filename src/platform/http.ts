import { Elysia } from "elysia";
import type * as v from "valibot";
import type { AnswerOf, BodyOf, Endpoint, ParamsOf, QueryOf } from "../lib/endpoint";
import { fit } from "../lib/fit";
import { notFound, Refusal, unauthorized } from "../lib/refusal";
import { inTime, SECOND } from "../lib/time";
import { errorResponse, redirect, Reply, statusOf, withHeaders } from "./answer";
import { readBytes, readForm, readJson } from "./body";
import { busy, busyPage } from "./busy_page";
import { isDiskFull, isUnavailable, refusalOf } from "./db";
import { FORM_TYPE, JSON_TYPE, refuseCrossSite, refuseMediaType, SAFE_METHODS } from "./guard";
import type { Act, Caller, House, Me } from "./house";
import { KeptPage } from "./kept_page";
import { type Page, renderPage } from "./page";
import { type Context, type Visit, visitOf } from "./visit";

export { paged, redirect, Reply, statusOf } from "./answer";
export type { Once, Visit } from "./visit";

/** Who may open a door: anyone, the signed-in, or staff. */
export type Lock = "open" | "user" | "admin";

/** What an upload takes: content types and bytes. */
type FileKind = { types: RegExp; limit: number };
type Input<E extends Endpoint> = { body: BodyOf<E>; params: ParamsOf<E>; query: QueryOf<E>; visit: Visit };
type Result<E extends Endpoint> = (undefined extends AnswerOf<E> ? void : never) | AnswerOf<E> | Response | Reply<AnswerOf<E>>;
type Handler<E extends Endpoint, X> = (input: Input<E> & X) => Promise<Result<E>> | Result<E>;
type CallHandler<E extends Endpoint> = (input: Input<E>, me: Me | null, by: Caller | null) => Promise<Result<E>> | Result<E>;
type PageHandler<X> = (input: { visit: Visit; params: Record<string, string> } & X) => Promise<Page | Response> | Page | Response;
type FormHandler<X> = (input: { visit: Visit; form: Record<string, string> } & X) => Promise<Page | Response> | Page | Response;

/** Requests that are worked on at once, at most; a database that is slow must not make a queue without an end. */
const MOST_AT_ONCE = 1_000;
/** Those who watch the process are answered however busy it is. */
const WATCHED = new Set(["/healthz", "/readyz", "/metrics"]);
/** An answer may take so long, in ms, where no file has to come first: what the database lost in a crash would be waited for without an end. */
const LONGEST_MS = 25 * SECOND;
let running = 0;
type Door = { method: string; path: string };
/** How a door says what it refuses, and, at next to no cost, that there is too much to do. */
type Tell = { refused: (refusal: Refusal, visit: Visit) => Response | Promise<Response>; busy: (visit: Visit) => Response | Promise<Response> };

async function counted(answer: () => Promise<Response>): Promise<Response> {
  running++;
  try {
    return await answer();
  } finally {
    running--;
  }
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

const idempotencyKey = (request: Request) => {
  const key = request.headers.get("idempotency-key");
  if (key === null) return null;
  if (!/^[\x21-\x7e]{1,200}$/.test(key)) throw new Refusal("invalid", "Idempotency-Key must be 1 to 200 visible characters.");
  return key;
};

/** An administrator's deed: who, and from where. */
function acting(me: Me | null, { ip, userAgent }: Visit): { me: Me; act: Act } {
  const admin = me as Me;
  return { me: admin, act: { admin, ip, userAgent } };
}

/** What a call's handler gets: body, parameters and query, each held to its shape. */
async function inputOf<E extends Endpoint>(e: E, visit: Visit, named: unknown, file?: FileKind): Promise<Input<E>> {
  if (!SAFE_METHODS.has(e.method)) refuseMediaType(visit.request, file?.types ?? JSON_TYPE);
  const sent = e.body ? await readJson(visit.request) : undefined;
  const params = fittingParams(e.params, named) as ParamsOf<E>;
  const query = fitting(e.query, e.query && Object.fromEntries(visit.url.searchParams)) as QueryOf<E>;
  const body = fitting(e.body, sent?.value) as BodyOf<E>;
  const key = e.method === "POST" ? idempotencyKey(visit.request) : null;
  if (key) visit.once = { key, fingerprint: Bun.hash(`${visit.url.pathname}\n${sent?.text ?? ""}`).toString(36) };
  return { body, params, query, visit };
}

function answerOf({ status = 200 }: Endpoint, result: unknown, headers: Headers): Response {
  if (result instanceof Response) return withHeaders(result, headers);
  if (result instanceof Reply) return Response.json(result.data, { status: result.status, headers });
  if (result === undefined) return new Response(null, { status: 204, headers });
  return Response.json(result, { status, headers });
}

/** A door as the test that knocks on all of them sees it. */
export type Listed = { method: string; path: string; lock: Lock; kind: "call" | "page" | "form" | "file" };

/**
 * A domain's doors. The verb that opens a door is its lock: `open`, `user`, `admin` for calls of the API, `page`,
 * `userPage` for HTML, `form` for a form that works without scripts. Every door does the same in the same order:
 * cross-site check, lock, body, shape, deed.
 */
export class Doors {
  readonly app = new Elysia({ normalize: false });
  readonly list: Listed[] = [];
  /** The kept pages by path, which the server asks before it asks the app. */
  readonly kept = new Map<string, KeptPage>();
  constructor(private readonly house: House) {}

  open<E extends Endpoint>(e: E, handler: Handler<E, object>) {
    return this.call("open", e, (input) => handler(input));
  }
  user<E extends Endpoint>(e: E, handler: Handler<E, { me: Me }>) {
    return this.call("user", e, (input, me) => handler({ ...input, me: me as Me }));
  }
  /** A call of the signed-in whose deed looks the session up in its own statement: one round trip in place of two, for what must be quick. */
  deed<E extends Endpoint>(e: E, handler: Handler<E, { by: Caller }>) {
    return this.call("user", e, (input, _, by) => handler({ ...input, by: by as Caller }), { within: true });
  }
  admin<E extends Endpoint>(e: E, handler: Handler<E, { me: Me; act: Act }>) {
    return this.call("admin", e, (input, me) => handler({ ...input, ...acting(me, input.visit) }));
  }
  /** A call of the signed-in whose body is a file as it is, and not JSON. */
  upload<E extends Endpoint>(e: E, kind: FileKind, handler: Handler<E, { me: Me; file: Uint8Array }>) {
    return this.call("user", e, async (input, me) => handler({ ...input, me: me as Me, file: await readBytes(input.visit.request, kind.limit) }), {
      file: kind,
    });
  }
  /** The same of an administrator. */
  adminUpload<E extends Endpoint>(e: E, kind: FileKind, handler: Handler<E, { me: Me; act: Act; file: Uint8Array }>) {
    const deed = async (input: Input<E>, me: Me | null) =>
      handler({ ...input, ...acting(me, input.visit), file: await readBytes(input.visit.request, kind.limit) });
    return this.call("admin", e, deed, { file: kind });
  }

  /** A page that anyone may read; `me` is null for a visitor. One that says `keep` is drawn for the first of them and kept for the others. */
  page(path: string, handler: PageHandler<{ me: Me | null }>) {
    const kept = new KeptPage();
    this.kept.set(path, kept);
    return this.html("GET", path, "open", (visit, params) =>
      kept.orDrawn(visit.request, async () => this.rendered(await handler({ visit, params, me: await this.meet(visit) }), visit, kept)),
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
      if (!me) return this.rendered(redirect(`/login?returnTo=${encodeURIComponent(visit.url.pathname + visit.url.search)}`), visit);
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
    if (!(result instanceof Response)) return renderPage(this.house, result, visit, kept);
    result.headers.set("Cache-Control", "no-store");
    return withHeaders(result, visit.headers);
  }

  /** With `within` the handler's deed looks the session up. */
  private call<E extends Endpoint>(lock: Lock, e: E, handler: CallHandler<E>, { file, within }: { file?: FileKind; within?: true } = {}) {
    this.list.push({ method: e.method, path: e.path, lock, kind: "call" });
    const tell = {
      refused: (refusal: Refusal, visit: Visit) => errorResponse(refusal, visit.headers),
      busy: (visit: Visit) => errorResponse(busy(), visit.headers),
    };
    const answered = async (visit: Visit, params: unknown) => {
      visit.headers.set("Cache-Control", "no-store");
      visit.headers.set("X-Content-Type-Options", "nosniff");
      let by: Caller | null = null;
      try {
        if (!SAFE_METHODS.has(e.method)) refuseCrossSite(visit.request, visit.url, this.house.config.publicUrl);
        if (within) by = this.callerAt(visit);
        else if (lock !== "open") await this.unlock(visit, lock);
        return answerOf(e, await handler(await inputOf(e, visit, params, file), visit.me, by), visit.headers);
      } catch (error) {
        // What is wrong with a request is told to the signed-in alone.
        const told = by ? await by.meet().catch((refusal: unknown) => ({ refusal })) : null;
        const reason = told && "refusal" in told ? told.refusal : error;
        return tell.refused(this.explain(reason, visit, e.path), visit);
      }
    };
    const answer = ({ request, server, params }: Context & { params: unknown }) => {
      const visit = visitOf({ request, server }, this.house.config.trustedProxy);
      return this.measured(e, visit, () => answered(visit, params), tell, !file);
    };
    this.app.route(e.method, e.path, ({ request, server, params }) => answer({ request, server, params }), { parse: "none" });
    return this;
  }

  private callerAt(visit: Visit): Caller {
    const by = this.house.gate.callerOf(visit);
    if (!by) throw unauthorized();
    return by;
  }

  private async unlock(visit: Visit, lock: Lock) {
    const me = await this.meet(visit);
    if (!me) throw unauthorized();
    if (lock === "admin" && me.heldBack)
      throw new Refusal("two_factor_required", "Administrators need two-factor sign-in here. Set it up at /two-factor first.");
    if (lock === "admin" && me.role !== "admin") throw new Refusal("forbidden", "Administrators only.");
  }

  private html(method: "GET" | "POST", path: string, lock: Lock, answer: (visit: Visit, params: Record<string, string>) => Promise<Response>) {
    this.list.push({ method, path, lock, kind: method === "GET" ? "page" : "form" });
    const drawn = async (visit: Visit, params: unknown) => {
      try {
        if (method === "POST") refuseCrossSite(visit.request, visit.url, this.house.config.publicUrl);
        return await answer(visit, params as Record<string, string>);
      } catch (error) {
        return errorPage(this.house, this.explain(error, visit, path), visit);
      }
    };
    const tell = { refused: (refusal: Refusal, visit: Visit) => errorPage(this.house, refusal, visit), busy: (visit: Visit) => busyPage(this.house, visit) };
    const answered = ({ request, server, params }: Context & { params: unknown }) => {
      const visit = visitOf({ request, server }, this.house.config.trustedProxy);
      return this.measured({ method, path }, visit, () => drawn(visit, params), tell);
    };
    // Elysia prepares only what the parameters of doors and hooks name: a whole `context` would cost parsed cookies, headers and query each time.
    this.app.route(method, path, ({ request, params, server }) => answered({ request, server, params }), { parse: "none" });
    return this;
  }

  /** Answers, unless too many are being answered: then a quick 503 is better than a late answer. What sends a file may be slow (`inOneGo` is false). */
  private async measured({ method, path }: Door, visit: Visit, answer: () => Promise<Response>, tell: Tell, inOneGo = true): Promise<Response> {
    const started = performance.now();
    const working = running < MOST_AT_ONCE || WATCHED.has(path) ? counted(answer) : Promise.resolve(tell.busy(visit));
    const response = (inOneGo ? await inTime(working, LONGEST_MS) : await working) ?? (await tell.refused(this.late(method, path, visit), visit));
    this.house.metrics.answered(method, path, response.status, (performance.now() - started) / 1000);
    return response;
  }

  private late(method: string, path: string, { id }: Visit): Refusal {
    this.house.log.error("a request was given up: it had no answer in time", { requestId: id, method, path });
    const deed = "This took too long. It may have been done all the same: look before you try again.";
    return new Refusal("unavailable", SAFE_METHODS.has(method) ? "This took too long. Please try again in a moment." : deed, undefined, 2);
  }

  private explain(error: unknown, visit: Visit, path: string): Refusal {
    const refusal = explain(this.house, error, visit);
    this.house.metrics.refused(path, refusal.code);
    return refusal;
  }
}

/** A refusal as it is; a database that is away as 503; anything else is our fault: logged in full, told in a sentence. */
function explain(house: House, error: unknown, visit: Visit): Refusal {
  const refusal = refusalOf(error);
  if (refusal) return refusal;
  if (isUnavailable(error)) {
    if (isDiskFull(error)) house.diskFullAt = performance.now();
    house.log[isDiskFull(error) ? "error" : "warn"](isDiskFull(error) ? "the database's disk is full: nothing can be written" : "database unavailable", {
      requestId: visit.id,
      error,
    });
    return new Refusal("unavailable", "The service is briefly unavailable. Please try again.", undefined, 2);
  }
  house.log.error("request failed", { requestId: visit.id, method: visit.request.method, path: visit.url.pathname, error });
  return new Refusal("internal", `Something went wrong on our side. Reference ${visit.id}.`);
}

/** What was refused, as a page. Of a failure that is not the visitor's it names the reference under which the log tells more. */
function errorPage(house: House, refusal: Refusal, visit: Visit): Promise<Response> {
  const status = statusOf(refusal);
  if (refusal.retryAfter !== undefined) visit.headers.set("Retry-After", String(refusal.retryAfter));
  const message = status < 500 || refusal.message.includes(visit.id) ? refusal.message : `${refusal.message} Reference ${visit.id}.`;
  return renderPage(house, { kind: "error", status, message, again: status === 503 && SAFE_METHODS.has(visit.request.method) }, visit);
}

const ofPattern = (path: string) => new RegExp(`^${path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/:\w+/g, "[^/]+")}$`);

/** Answers what no door answered: a path that has other methods (405), or nothing at all (404), as JSON below /api and as a page elsewhere. */
export function noDoor(house: House, list: readonly Listed[]) {
  const doors = list.map(({ method, path }) => ({ method, pattern: ofPattern(path) }));
  // What this hook names is prepared for every door of the house, so it names no more than they do.
  return async ({ request, server, code, error }: Context & { code: unknown; error: unknown }): Promise<Response> => {
    const visit = visitOf({ request, server }, house.config.trustedProxy);
    const { pathname } = visit.url;
    const told = (refusal: Refusal) => {
      visit.headers.set("Cache-Control", "no-store");
      visit.headers.set("X-Content-Type-Options", "nosniff");
      return errorResponse(refusal, visit.headers);
    };
    if (code !== "NOT_FOUND") return told(explain(house, error, visit));
    const methods = doors.flatMap(({ method, pattern }) => (pattern.test(pathname) ? (method === "GET" ? [method, "HEAD"] : [method]) : []));
    if (methods.length) visit.headers.set("Allow", methods.join(", "));
    if (methods.length) return told(new Refusal("method_not_allowed", "This address does not take that method."));
    const refusal = notFound();
    if (pathname.startsWith("/api/") || !SAFE_METHODS.has(request.method)) return told(refusal);
    visit.me = await house.gate.whoIs(visit).catch(() => null);
    return renderPage(house, { kind: "error", status: 404, message: refusal.message }, visit);
  };
}
