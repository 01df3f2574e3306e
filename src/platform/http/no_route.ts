import { notFound, Refusal } from "../../lib/refusal";
import type { AppContext } from "../app_context";
import { renderPage } from "../page/page";
import { errorResponse } from "./answer";
import { explain } from "./faults";
import { SAFE_METHODS } from "./guard";
import { dressed } from "./headers";
import { contextOf, type Incoming, type RequestContext } from "./request_context";
import type { Route } from "./routes";

const ofPattern = (path: string) =>
  new RegExp(
    `^${path
      .replace(/[.+?^${}()|[\]\\]/g, "\\$&")
      .replace(/:\w+/g, "[^/]+")
      .replace("*", ".+")}$`,
  );

/** Answers what no route answered: a path that has other methods (405), or nothing at all (404), as JSON below /api and as a page elsewhere. */
export function noRoute(app: AppContext, list: readonly Route[]) {
  const routes = list.map(({ method, path }) => ({ method, pattern: ofPattern(path) }));
  const answer = async (context: RequestContext, code: unknown, error: unknown): Promise<Response> => {
    const { request, url } = context;
    const { pathname } = url;
    const told = (refusal: Refusal) => {
      context.headers.set("Cache-Control", "no-store");
      return errorResponse(refusal, context.headers);
    };
    if (code !== "NOT_FOUND") return told(explain(app, error, context));
    const methods = routes.flatMap(({ method, pattern }) => (pattern.test(pathname) ? (method === "GET" ? [method, "HEAD"] : [method]) : []));
    if (methods.length) context.headers.set("Allow", methods.join(", "));
    if (methods.length) return told(new Refusal("method_not_allowed", "This address does not take that method."));
    const refusal = notFound();
    if (pathname.startsWith("/api/") || !SAFE_METHODS.has(request.method)) return told(refusal);
    context.me = await app.authenticator.whoIs(context).catch(() => null);
    return renderPage(app, { kind: "error", status: 404, message: refusal.message }, context);
  };
  // What this hook names is prepared for every route, so it names no more than they do.
  return async ({ request, server, code, error }: Incoming & { code: unknown; error: unknown }): Promise<Response> => {
    const context = contextOf({ request, server }, app.config);
    return dressed(await answer(context, code, error), context.secure);
  };
}
