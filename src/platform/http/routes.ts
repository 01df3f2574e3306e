import { Elysia } from "elysia";
import type { BodyOf, Endpoint, ParamsOf, QueryOf } from "../../lib/endpoint";
import { mayDo, mayNot, type Permission } from "../../lib/permissions";
import { Refusal, unauthorized } from "../../lib/refusal";
import { SECOND } from "../../lib/time";
import { answerOf, EarlyAnswer, errorResponse, redirect, Reply, withHeaders } from "./answer";
import { type Parts, readBytes, readForm, readJson, readParts, type Waiting } from "./body";
import { busy, busyPage } from "../page/busy_page";
import { dressed } from "./headers";
import { errorPage, explain } from "./faults";
import { FORM_TYPE, JSON_TYPE, PARTS_TYPE, refuseCrossSite, refuseMediaType, SAFE_METHODS } from "./guard";
import type { Act, Caller, AppContext, Me } from "../app_context";
import type { Foretell } from "./idempotency";
import { fitting, fittingParams, idempotencyKey } from "./input";
import { Patience } from "./patience";
import { noteRefusal } from "./refused";
import { KeptPage } from "../page/kept_page";
import { type PageReading, readAndDrawn } from "../page/page_reading";
import { type Page, renderPage } from "../page/page";
import type { Sent } from "../page/sent_again";
import { type Incoming, type RequestContext, contextOf } from "./request_context";
import { type FormPlace, heldIn, heldText, putBack, takesBack } from "./held_forms";
import type { CallHandler, CallOptions, FileKind, FormHandler, Handler, Input, Lock, PageHandler, Route } from "./route_types";

export { paged, redirect, Reply, statusOf } from "./answer";
export type { Idempotency, RequestContext } from "./request_context";
export type { Lock, Route } from "./route_types";

/** The most requests worked on at once: a slow database must not make an endless queue. */
const MOST_AT_ONCE = 1_000;
/** Those who watch the process are answered however busy it is. */
const WATCHED = new Set(["/healthz", "/readyz", "/metrics"]);
/** The longest that an answer may take, unless a file is read first: what a crash of the database lost would be waited for without end. */
const LONGEST = new Patience(25 * SECOND);
let running = 0;
type Address = { method: string; path: string };
/** How a route answers refusals, and, at next to no cost, that there is too much to do. */
type Tell = {
  refused: (refusal: Refusal, context: RequestContext) => Response | Promise<Response>;
  busy: (context: RequestContext) => Response | Promise<Response>;
};

async function counted(answer: () => Promise<Response>): Promise<Response> {
  running++;
  try {
    return await answer();
  } finally {
    running--;
  }
}

/** Waits for a request's body. Meanwhile it counts for its network alone and not as work; with the body there, the request is work again. */
function arriving({ inflow }: AppContext, { network, headers }: RequestContext): { waiting: Waiting } {
  const waiting: Waiting = async (body) => {
    running--;
    const came = await inflow
      .wait(network, body)
      .finally(() => running++)
      .catch((error: unknown) => {
        // Else the rest of it could go on coming.
        headers.set("Connection", "close");
        throw error;
      });
    if (running > MOST_AT_ONCE) throw busy();
    return came;
  };
  return { waiting };
}

/** An administrator's command: who, and from where. */
function acting(me: Me | null, { ip, userAgent }: RequestContext): { me: Me; act: Act } {
  const admin = me as Me;
  return { me: admin, act: { admin, ip, userAgent } };
}

/** What a call's handler gets: body, parameters and query, each held to its shape. */
async function inputOf<E extends Endpoint>(app: AppContext, e: E, context: RequestContext, named: unknown, file?: FileKind): Promise<Input<E>> {
  if (!SAFE_METHODS.has(e.method)) refuseMediaType(context.request, file?.types ?? JSON_TYPE);
  const sent = e.body ? await readJson(context.request, arriving(app, context)) : undefined;
  const params = fittingParams(e.params, named) as ParamsOf<E>;
  const query = fitting(e.query, e.query && Object.fromEntries(context.url.searchParams)) as QueryOf<E>;
  const body = fitting(e.body, sent?.value) as BodyOf<E>;
  const key = e.once ? idempotencyKey(context.request) : null;
  if (key) context.idempotency = { key, fingerprint: Bun.hash(`${context.url.pathname}\n${sent?.text ?? ""}`).toString(36) };
  return { body, params, query, context };
}

/** Each page has one address, so that search engines and what is kept know it by one: with a slash behind it, it is elsewhere. */
const hasSlash = ({ pathname }: URL) => pathname.length > 1 && pathname.endsWith("/");
const withoutSlash = ({ pathname, search }: URL) => pathname.slice(0, -1) + search;

/**
 * A domain's routes. The verb that adds a route is its lock: `open`, `user`, `admin` and `decision` (each with the one permission that it takes)
 * for calls of the API, `page`, `userPage` for HTML, `form` for a form that works without scripts. Every route does the same in the same order:
 * cross-site check, lock, body, shape, command.
 */
export class Routes {
  readonly router = new Elysia({ normalize: false });
  readonly list: Route[] = [];
  /** The kept pages by path, which the server asks before it asks the app. */
  readonly kept = new Map<string, KeptPage>();
  constructor(
    private readonly app: AppContext,
    /** The source file that adds these routes (`import.meta.path`), for the list of all. */
    private readonly source: string,
  ) {}

  open<E extends Endpoint>(e: E, handler: Handler<E, object>) {
    return this.call("open", e, (input) => handler(input));
  }
  user<E extends Endpoint>(e: E, handler: Handler<E, { me: Me }>) {
    return this.call("user", e, (input, me) => handler({ ...input, me: me as Me }));
  }
  /** A call of the signed-in whose command looks the session up in its own statement: one round trip in place of two. */
  command<E extends Endpoint>(e: E, handler: Handler<E, { by: Caller; foretell: Foretell<object> }>) {
    return this.call("user", e, (input, _, by, foretell) => handler({ ...input, by: by as Caller, foretell }), { within: true });
  }
  /** A call of whoever of the staff has this permission. */
  admin<E extends Endpoint>(permission: Permission, e: E, handler: Handler<E, { me: Me; act: Act }>) {
    return this.call("admin", e, (input, me) => handler({ ...input, ...acting(me, input.context) }), { permission });
  }
  /** A decision about money or rights, of somebody of the staff who proved who it is less than fifteen minutes ago: others are asked first (reauth_required). */
  decision<E extends Endpoint>(permission: Permission, e: E, handler: Handler<E, { me: Me; act: Act }>) {
    return this.call("admin", e, (input, me) => handler({ ...input, ...acting(me, input.context) }), { proven: true, permission });
  }
  /** A call of the signed-in whose body is a file as it is, and not JSON. */
  upload<E extends Endpoint>(e: E, kind: FileKind, handler: Handler<E, { me: Me; file: Uint8Array }>) {
    const command = async (input: Input<E>, me: Me | null) => handler({ ...input, me: me as Me, file: await this.fileOf(input.context, kind) });
    return this.call("user", e, command, { file: kind });
  }
  /** A call of the signed-in whose body is a form with files, of so many bytes in all. */
  uploadForm<E extends Endpoint>(e: E, limit: number, handler: Handler<E, { me: Me; parts: Parts }>) {
    const command = async (input: Input<E>, me: Me | null) =>
      handler({ ...input, me: me as Me, parts: await readParts(input.context.request, limit, arriving(this.app, input.context)) });
    return this.call("user", e, command, { file: { types: PARTS_TYPE, limit } });
  }
  /** The same of whoever of the staff has this permission. */
  adminUpload<E extends Endpoint>(permission: Permission, e: E, kind: FileKind, handler: Handler<E, { me: Me; act: Act; file: Uint8Array }>) {
    const command = async (input: Input<E>, me: Me | null) => handler({ ...input, ...acting(me, input.context), file: await this.fileOf(input.context, kind) });
    return this.call("admin", e, command, { file: kind, permission });
  }

  /** A page that anyone may read; `me` is null for a visitor. One that says `keep` is drawn for the first of them and kept for the others. */
  page(path: string, handler: PageHandler<{ me: Me | null }>) {
    const kept = new KeptPage();
    this.kept.set(path, kept);
    return this.html("GET", path, "open", (context, params) =>
      kept.orDrawn(context.request, async () => this.rendered(await handler({ context, params, me: await this.meet(context) }), context, kept)),
    );
  }
  /** A file that is the same for everyone: neither session nor page stands behind it. */
  file(path: string, answer: (request: Request, params: Record<string, string>) => Response | Promise<Response>) {
    return this.add({ method: "GET", path, lock: "open", kind: "file" }, ({ request }, params) => answer(request, params));
  }
  /** A page for the signed-in; others are sent to sign in and come back. */
  userPage(path: string, handler: PageHandler<{ me: Me }>) {
    return this.html("GET", path, "user", async (context, params) => {
      const me = await this.meet(context);
      if (!me) return this.toLogin(context);
      return this.rendered(await handler({ context, params, me }), context);
    });
  }
  /** A page for the signed-in that reads all that it shows, and the session, in one statement. */
  readPage<D>(path: string, reading: PageReading<D>) {
    const { authenticator, sql } = this.app;
    return this.html("GET", path, "user", async (context) => {
      const page = await readAndDrawn(context, reading, { authenticator, sql, meet: () => this.meet(context) });
      return page ? this.rendered(page, context) : this.toLogin(context);
    });
  }
  /** The POST of a form that works without scripts: answers a redirect, or the page again with its messages, and with what was sent in its fields. */
  form(path: string, handler: FormHandler<{ me: Me | null }>) {
    return this.html("POST", path, "open", async (context) => {
      const { me, form } = await this.formOf(context);
      return this.rendered(await handler({ context, form, me }), context, undefined, { path, fields: form });
    });
  }
  /** The same for the signed-in. Others are asked to sign in, do nothing, and come back to the form and what they wrote in it (`held_forms.ts`). */
  userForm(path: string, place: FormPlace, handler: FormHandler<{ me: Me }>) {
    takesBack(path);
    return this.html("POST", path, "user", async (context) => {
      const { me, form } = await this.formOf(context);
      const held = heldIn(form);
      if (!me) return this.signInFirst(context, place.at(held?.fields ?? form), await heldText(this.app.authenticator, context, { path, fields: form }));
      if (held) return this.rendered(...(await putBack(held, place, { context, me })));
      return this.rendered(await handler({ context, form, me }), context, undefined, { path, fields: form });
    });
  }

  /** The same of a form with files, of so many bytes in all; it may be slow to come, and nothing of it is kept for others. */
  fileForm(path: string, limit: number, handler: (input: { context: RequestContext; parts: Parts; me: Me }) => Promise<Page | Response>) {
    const answer = async (context: RequestContext) => {
      refuseMediaType(context.request, PARTS_TYPE);
      const me = await this.meet(context);
      // Whoever is signed out sends nothing that is read.
      if (!me) return this.signInFirst(context, path, null);
      const parts = await readParts(context.request, limit, arriving(this.app, context));
      return this.rendered(await handler({ context, parts, me }), context, undefined, { path, fields: parts.fields });
    };
    return this.html("POST", path, "user", answer, false);
  }

  /** Every route is added here: what all answers say is said in one place. */
  private add(route: Omit<Route, "file">, answer: (context: RequestContext, params: Record<string, string>) => Response | Promise<Response>) {
    this.list.push({ ...route, file: this.source });
    const answered = async (incoming: Incoming, params: unknown) => {
      const context = contextOf(incoming, this.app.config);
      // A route whose path names none has no parameters at all.
      return dressed(await answer(context, (params ?? {}) as Record<string, string>), context.secure);
    };
    // Elysia prepares only what the parameters of routes and hooks name: a whole `context` would cost parsed cookies, headers and query each time.
    this.router.route(route.method, route.path, ({ request, server, params }) => answered({ request, server }, params), { parse: "none" });
    return this;
  }

  private fileOf(context: RequestContext, { limit }: FileKind): Promise<Uint8Array> {
    return readBytes(context.request, limit, arriving(this.app, context));
  }

  private toLogin(context: RequestContext) {
    return this.rendered(redirect(`/login?returnTo=${encodeURIComponent(context.url.pathname + context.url.search)}`), context);
  }

  /** The sign-in page in answer to a form; `held` is what it carries back. */
  private signInFirst(context: RequestContext, returnTo: string, held: string | null) {
    if (!this.app.signInPage) throw unauthorized();
    return this.rendered(this.app.signInPage(context, { returnTo, held }), context, undefined, { path: context.url.pathname, fields: {} });
  }

  private async formOf(context: RequestContext) {
    refuseMediaType(context.request, FORM_TYPE);
    const me = await this.meet(context);
    return { me, form: await readForm(context.request, arriving(this.app, context)) };
  }

  private async meet(context: RequestContext): Promise<Me | null> {
    context.me = await this.app.authenticator.whoIs(context);
    return context.me;
  }

  private rendered(result: Page | Response, context: RequestContext, kept?: KeptPage, sent?: Sent) {
    if (!(result instanceof Response)) return renderPage(this.app, result, context, kept, sent);
    result.headers.set("Cache-Control", "no-store");
    return withHeaders(result, context.headers);
  }

  /** With `within` the handler's command looks the session up; `proven` asks for a fresh proof. */
  private call<E extends Endpoint>(lock: Lock, e: E, handler: CallHandler<E>, { file, within, proven, permission }: CallOptions = {}) {
    const tell = {
      refused: (refusal: Refusal, context: RequestContext) => errorResponse(refusal, context.headers),
      busy: (context: RequestContext) => errorResponse(busy(), context.headers),
    };
    const route = { method: e.method, path: e.path, lock, kind: "call", shape: e, permission } as const;
    const answered = async (context: RequestContext, params: unknown) => {
      context.headers.set("Cache-Control", "no-store");
      let by: Caller | null = null;
      try {
        if (!SAFE_METHODS.has(e.method)) refuseCrossSite(context, this.app.config.publicUrl);
        if (within) by = this.callerAt(context);
        else if (lock !== "open") await this.unlock(context, lock, permission);
        if (proven) await this.refuseUnproven(context);
        const input = await inputOf(this.app, e, context, params, file);
        const early = new EarlyAnswer();
        const foretell: Foretell<object> = ({ status, answer }) => early.write(answer, () => answerOf(e, new Reply(status, answer), context.headers));
        const done = () => handler(input, context.me, by, foretell);
        const person = e.once && lock === "user" ? (context.me?.id ?? (await by?.person())) : undefined;
        const result = await (person ? this.app.pace.keep(person, done) : done());
        return early.of(result) ?? answerOf(e, result, context.headers);
      } catch (error) {
        // What is wrong with a request is told to the signed-in alone.
        const told = by ? await by.meet().catch((refusal: unknown) => ({ refusal })) : null;
        const reason = told && "refusal" in told ? told.refusal : error;
        return tell.refused(this.explain(reason, context, route), context);
      }
    };
    return this.add(route, (context, params) => this.measured(e, context, () => answered(context, params), tell, !file));
  }

  private callerAt(context: RequestContext): Caller {
    const by = this.app.authenticator.callerOf(context);
    if (!by) throw unauthorized();
    return by;
  }

  private async unlock(context: RequestContext, lock: Lock, permission?: Permission) {
    const me = await this.meet(context);
    if (!me) throw unauthorized();
    if (lock === "admin" && me.heldBack)
      throw new Refusal("two_factor_required", "Administrators need two-factor sign-in here. Set it up at /two-factor first.");
    if (lock === "admin" && me.role !== "admin") throw new Refusal("forbidden", "Administrators only.");
    if (permission && !mayDo(me, permission)) throw new Refusal("forbidden", mayNot(permission));
  }

  private async refuseUnproven({ me }: RequestContext) {
    if (!me || !(await this.app.authenticator.isProven(me)))
      throw new Refusal("reauth_required", "Your last proof is more than 15 minutes old. Please confirm your password and send this again.");
  }

  private html(
    method: "GET" | "POST",
    path: string,
    lock: Lock,
    answer: (context: RequestContext, params: Record<string, string>) => Promise<Response>,
    inOneGo = true,
  ) {
    const route = { method, path, lock, kind: method === "GET" ? "page" : "form" } as const;
    const drawn = async (context: RequestContext, params: Record<string, string>) => {
      try {
        if (method === "GET" && hasSlash(context.url)) return this.rendered(redirect(withoutSlash(context.url), 308), context);
        if (method === "POST") refuseCrossSite(context, this.app.config.publicUrl);
        return await answer(context, params);
      } catch (error) {
        return errorPage(this.app, this.explain(error, context, route), context);
      }
    };
    const tell = {
      refused: (refusal: Refusal, context: RequestContext) => errorPage(this.app, refusal, context),
      busy: (context: RequestContext) => busyPage(this.app, context),
    };
    return this.add(route, (context, params) => this.measured({ method, path }, context, () => drawn(context, params), tell, inOneGo));
  }

  /** Answers, unless too many are being answered: then a quick 503 is better than a late answer. What sends a file may be slow (`inOneGo` is false). */
  private async measured({ method, path }: Address, context: RequestContext, answer: () => Promise<Response>, tell: Tell, inOneGo = true): Promise<Response> {
    const started = performance.now();
    const working = running < MOST_AT_ONCE || WATCHED.has(path) ? counted(answer) : Promise.resolve(tell.busy(context));
    const response =
      (inOneGo ? await (this.app.longest ?? LONGEST).wait(working) : await working) ?? (await tell.refused(this.late(method, path, context), context));
    this.app.metrics.answered(method, path, response.status, (performance.now() - started) / 1000);
    return response;
  }

  private late(method: string, path: string, { id }: RequestContext): Refusal {
    this.app.log.error("a request was given up: it had no answer in time", { requestId: id, method, path });
    const command = "This took too long. It may have been done all the same: look before you try again.";
    return new Refusal("unavailable", SAFE_METHODS.has(method) ? "This took too long. Please try again in a moment." : command, undefined, 2);
  }

  private explain(error: unknown, context: RequestContext, route: Omit<Route, "file">): Refusal {
    const refusal = explain(this.app, error, context);
    noteRefusal(this.app, context, route, refusal);
    return refusal;
  }
}
