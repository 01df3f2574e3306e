import type { Refusal } from "../../lib/refusal";
import { refusalOf } from "../database/db";
import type { AppContext } from "../app_context";
import { statusOf } from "./answer";
import { SAFE_METHODS } from "./guard";
import type { RequestContext } from "./request_context";

type Refusing = { method: string; path: string; lock: "open" | "user" | "admin" };

/** Statuses of who lacks a right, has to prove it, or has to wait. */
const RIGHTS = new Set([401, 403, 429]);
/** Where a step is missing that the next request brings: nothing to look into. */
const ASKED = new Set(["unauthorized", "two_factor_required", "code_required", "reauth_required", "password_required"]);
/** Statuses of a command that the rules do not allow. */
const RULES = new Set([409, 422]);

/** The request's origin for a line of the log: its id (error pages show it too), the person where known, and the network. */
export const whoAsks = ({ id, me, subject, network }: RequestContext) => ({ requestId: id, person: me?.id ?? subject?.id ?? null, network });

/** Counts a refusal, and logs a missing right; those of staff are kept. What was sent is never logged. */
export function noteRefusal(app: AppContext, context: RequestContext, { method, path, lock }: Refusing, refusal: Refusal): void {
  const { code, message: reason } = refusal;
  const status = statusOf(refusal);
  app.metrics.refused(path, code);
  const isAsked = ASKED.has(code);
  if (RIGHTS.has(status)) app.log[isAsked ? "info" : "warn"]("refused", { ...whoAsks(context), method, path, status, code, reason });
  const person = context.me ?? context.subject;
  const isChange = RULES.has(status) && !SAFE_METHODS.has(method);
  if (person && !isAsked && ((lock === "admin" && (status === 403 || isChange)) || (person.role === "admin" && RIGHTS.has(status))))
    app.keepAttempt?.({ userId: person.id, method, path, code, reason, ipAddress: context.ip, requestId: context.id });
}

/** A refusal that a form without scripts shows again, noted as at any other route. A fault of ours is thrown on, to the error page. */
export function refusedForm(app: AppContext, context: RequestContext, error: unknown): Refusal {
  const refusal = refusalOf(error);
  if (!refusal) throw error;
  noteRefusal(app, context, { method: context.request.method, path: context.url.pathname, lock: "open" }, refusal);
  if (refusal.retryAfter !== undefined) context.headers.set("Retry-After", String(Math.ceil(refusal.retryAfter)));
  return refusal;
}
