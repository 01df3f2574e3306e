import type { Endpoint } from "../../lib/endpoint";
import type { Refusal } from "../../lib/refusal";

/** An answer with a status of its own, say 202. */
export class Reply<T> {
  constructor(
    readonly status: number,
    readonly data: T,
  ) {}
}

/** An answer that is written while its command is still being made sure of: it is had only where the command then answers with the very same object. */
export class EarlyAnswer {
  private data: unknown;
  private response: Response | null = null;

  write(data: object, response: () => Response): void {
    this.data = data;
    this.response = response();
  }
  of(result: unknown): Response | null {
    return result instanceof Reply && result.data === this.data ? this.response : null;
  }
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
  ["reauth_required", 403],
  ["code_required", 403],
  ["against_client", 403],
  ["balance_mismatch", 403],
  ["account_frozen", 403],
  ["unavailable_here", 404],
  ["not_found", 404],
  ["link_over", 404],
  ["method_not_allowed", 405],
  ["too_slow", 408],
  ["conflict", 409],
  ["price_moved", 409],
  ["too_many_alerts", 409],
  ["too_many_orders", 409],
  ["too_large", 413],
  ["unsupported_media_type", 415],
  ["too_many_requests", 429],
  ["internal", 500],
  ["stale_price", 503],
  ["unavailable", 503],
]);
/** The HTTP status of a refusal. A rule of the domain that has no row above is a 422. */
export const statusOf = (refusal: Refusal) => STATUS.get(refusal.code) ?? (refusal.code === "two_factor_required" ? secondFactor(refusal) : 422);
/** With a field named, a sign-in is not finished; without, a signed-in person lacks the right. */
const secondFactor = ({ fields }: Refusal) => (fields?.code ? 401 : 403);

export function errorResponse(refusal: Refusal, headers = new Headers()): Response {
  if (refusal.retryAfter !== undefined) headers.set("Retry-After", String(Math.max(1, Math.ceil(refusal.retryAfter))));
  const { message, code, fields } = refusal;
  return Response.json(fields ? { message, code, fields } : { message, code }, { status: statusOf(refusal), headers });
}

/** A page of a list: where it is full, a header says where the next one begins. */
export function paged<Row>(headers: Headers, rows: Row[], limit: number, cursorOf: (last: Row) => string): Row[] {
  const last = rows.at(-1);
  if (last && rows.length === limit) headers.set("X-Next-Cursor", cursorOf(last));
  return rows;
}

export const redirect = (to: string, status: 302 | 303 | 307 | 308 = 302) => new Response(null, { status, headers: { Location: to } });

/** Adds headers to a response made elsewhere. */
export function withHeaders(response: Response, headers: Headers): Response {
  for (const [name, value] of headers) response.headers.append(name, value);
  return response;
}

/** What a call's handler answered, as a response: its status is the endpoint's unless it says otherwise. */
export function answerOf({ status = 200 }: Endpoint, result: unknown, headers: Headers): Response {
  if (result instanceof Response) return withHeaders(result, headers);
  if (result instanceof Reply) return Response.json(result.data, { status: result.status, headers });
  if (result === undefined) return new Response(null, { status: 204, headers });
  return Response.json(result, { status, headers });
}
