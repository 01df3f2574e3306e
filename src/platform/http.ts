import { Elysia } from "elysia";
import type * as v from "valibot";
import type { AnswerOf, BodyOf, Endpoint, ParamsOf, QueryOf } from "../lib/endpoint";
import { fit } from "../lib/fit";
import { notFound, Refusal } from "../lib/refusal";
import { errorResponse, redirect, Reply, statusOf, withHeaders } from "./answer";
import { readBytes, readForm, readJson } from "./body";
import { isUnavailable, refusalOf } from "./db";
import { FORM_TYPE, JSON_TYPE, refuseCrossSite, refuseMediaType, SAFE_METHODS } from "./guard";
import type { Act, House, Me } from "./house";
import { KeptPage } from "./kept_page";
import { type Page, renderPage } from "./page";
import { type Context, type Visit, visitOf } from "./visit";

export { redirect, Reply, statusOf } from "./answer";
export type { Once, Visit } from "./visit";

/** Who may open a door: anyone, the signed-in, or staff. */
export type Lock = "open" | "user" | "admin";

/** What an upload takes: content types and bytes. */
export type FileKind = { types: RegExp; limit: number };
type Input<E extends Endpoint> = { body: BodyOf<E>; params: ParamsOf<E>; query: QueryOf<E>; visit: Visit };
type Result<E extends Endpoint> = (undefined extends AnswerOf<E> ? void : never) | AnswerOf<E> | Response | Reply<AnswerOf<E>>;
type Handler<E extends Endpoint, X> = (input: Input<E> & X) => Promise<Result<E>> | Result<E>;
type PageHandler<X> = (input: { visit: Visit; params: Record<string, string> } & X) => Promise<Page | Response> | Page | Response;
type FormHandler<X> = (input: { visit: Visit; form: Record<string, string> } & X) => Promise<Page | Response> | Page | Response;

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
  admin<E extends Endpoint>(e: E, handler: Handler<E, { me: Me; act: Act }>) {
    return this.call("admin", e, (input, me) => {
      const admin = me as Me;
      return handler({ ...input, me: admin, act: { admin, ip: input.visit.ip, userAgent: input.visit.userAgent } });
    });
  }
  /** A call of the signed-in whose body is a file as it is, and not JSON. */
  upload<E extends Endpoint>(e: E, kind: FileKind, handler: Handler<E, { me: Me; file: Uint8Array }>) {
    return this.call("user", e, async (input, me) => handler({ ...input, me: me as Me, file: await readBytes(input.visit.request, kind.limit) }), kind);
  }

  /** A page that anyone may read; `me` is null for a visitor. One that says `keep` is drawn for the first of them and kept for the others. */
  page(path: string, handler: PageHandler<{ me: Me | null }>) {
    const kept = new KeptPage();
    this.kept.set(path, kept);
    return this.html("GET", path, "open", async (visit, params) => this.rendered(await handler({ visit, params, me: await this.meet(visit) }), visit, kept));
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

  private call<E extends Endpoint>(lock: Lock, e: E, handler: (input: Input<E>, me: Me | null) => Promise<Result<E>> | Result<E>, file?: FileKind) {
    this.list.push({ method: e.method, path: e.path, lock, kind: "call" });
    this.app.route(
      e.method,
      e.path,
      async ({ request, server, params: named }) => {
        const visit = visitOf({ request, server }, this.house.config.trustedProxy);
        visit.headers.set("Cache-Control", "no-store");
        visit.headers.set("X-Content-Type-Options", "nosniff");
        try {
          if (!SAFE_METHODS.has(e.method)) refuseCrossSite(visit.request, visit.url, this.house.config.publicUrl);
          if (lock !== "open") {
            const me = await this.meet(visit);
            if (!me) throw new Refusal("unauthorized", "Unauthorized");
            if (lock === "admin" && me.role !== "admin") throw new Refusal("forbidden", "Administrators only.");
          }
          if (!SAFE_METHODS.has(e.method)) refuseMediaType(visit.request, file?.types ?? JSON_TYPE);
          const sent = e.body ? await readJson(visit.request) : undefined;
          const params = fittingParams(e.params, named) as ParamsOf<E>;
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

  private html(method: "GET" | "POST", path: string, lock: Lock, answer: (visit: Visit, params: Record<string, string>) => Promise<Response>) {
    this.list.push({ method, path, lock, kind: method === "GET" ? "page" : "form" });
    const drawn = async (context: Context & { params: unknown }) => {
      const visit = visitOf(context, this.house.config.trustedProxy);
      try {
        if (method === "POST") refuseCrossSite(visit.request, visit.url, this.house.config.publicUrl);
        return await answer(visit, context.params as Record<string, string>);
      } catch (error) {
        const refusal = this.explain(error, visit);
        return renderPage(this.house, { kind: "error", status: statusOf(refusal), message: refusal.message }, visit);
      }
    };
    // Elysia prepares only what the parameters of doors and hooks name: a whole `context` would cost parsed cookies, headers and query each time.
    this.app.route(method, path, ({ request, params, server }) => drawn({ request, params, server }), { parse: "none" });
    return this;
  }

  private explain(error: unknown, visit: Visit): Refusal {
    return explain(this.house, error, visit);
  }
}

/** A refusal as it is; a database that is away as 503; anything else is our fault: logged in full, told in a sentence. */
function explain(house: House, error: unknown, visit: Visit): Refusal {
  const refusal = refusalOf(error);
  if (refusal) return refusal;
  if (isUnavailable(error)) {
    house.log.warn("database unavailable", { requestId: visit.id, error });
    return new Refusal("unavailable", "The service is briefly unavailable. Please try again.", undefined, 2);
  }
  house.log.error("request failed", { requestId: visit.id, method: visit.request.method, path: visit.url.pathname, error });
  return new Refusal("internal", `Something went wrong on our side. Reference ${visit.id}.`);
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
