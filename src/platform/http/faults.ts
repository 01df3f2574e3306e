import { Refusal } from "../../lib/refusal";
import type { AppContext } from "../app_context";
import { isDiskFull, isUnavailable, refusalOf } from "../database/db";
import { renderPage } from "../page/page";
import { statusOf } from "./answer";
import { SAFE_METHODS } from "./guard";
import type { RequestContext } from "./request_context";

/** What is said where a request failed. */

/** A refusal as it is; a database that is away as 503; anything else is our fault: logged in full, told in a sentence. */
export function explain(app: AppContext, error: unknown, context: RequestContext): Refusal {
  const refusal = refusalOf(error);
  if (refusal) return refusal;
  if (isUnavailable(error)) {
    if (isDiskFull(error)) app.diskFullAt = performance.now();
    app.log[isDiskFull(error) ? "error" : "warn"](isDiskFull(error) ? "the database's disk is full: nothing can be written" : "database unavailable", {
      requestId: context.id,
      error,
    });
    return new Refusal("unavailable", "The service is briefly unavailable. Please try again.", undefined, 2);
  }
  app.log.error("request failed", { requestId: context.id, method: context.request.method, path: context.url.pathname, error });
  return new Refusal("internal", `Something went wrong on our side. Reference ${context.id}.`);
}

/** What was refused, as a page. Of a failure that is not the visitor's it names the reference under which the log tells more. */
export function errorPage(app: AppContext, refusal: Refusal, context: RequestContext): Promise<Response> {
  const status = statusOf(refusal);
  if (refusal.retryAfter !== undefined) context.headers.set("Retry-After", String(refusal.retryAfter));
  const message = status < 500 || refusal.message.includes(context.id) ? refusal.message : `${refusal.message} Reference ${context.id}.`;
  return renderPage(app, { kind: "error", status, message, again: status === 503 && SAFE_METHODS.has(context.request.method) }, context);
}
