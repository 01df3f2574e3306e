import { Refusal } from "../../lib/refusal";
import { withHeaders } from "../http/answer";
import { SAFE_METHODS } from "../http/guard";
import type { AppContext } from "../app_context";
import { renderPage } from "./page";
import type { RequestContext } from "../http/request_context";

/** What is told where there is too much to do. */
export const busy = () => new Refusal("unavailable", "The service is very busy. Please try again in a moment.", undefined, 1);

const drawn = new WeakMap<AppContext, Response>();

/** The same as a page: drawn once and then copied, since it is answered where nothing may cost. */
export async function busyPage(app: AppContext, context: RequestContext): Promise<Response> {
  if (!SAFE_METHODS.has(context.request.method)) return draw(app, context, false);
  const page = drawn.get(app) ?? (await draw(app, context, true));
  drawn.set(app, page);
  return withHeaders(page.clone(), context.headers);
}

/** For anyone, at any address: of the visitor nothing is in it. */
function draw(app: AppContext, { url }: RequestContext, again: boolean): Promise<Response> {
  const { message, retryAfter } = busy();
  const nowhere = new URL("/busy", url);
  const headers = new Headers({ "Retry-After": String(retryAfter) });
  const anyone = {
    request: new Request(nowhere),
    url: nowhere,
    ip: "",
    network: "",
    secure: false,
    userAgent: "",
    id: "",
    me: null,
    headers,
    idempotency: null,
  };
  return renderPage(app, { kind: "error", status: 503, message, again }, { ...anyone, country: () => null, keepOpen: () => {} });
}
