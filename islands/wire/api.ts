import type { AnswerOf, BodyFor, Endpoint, ParamsFor, QueryFor } from "../../src/lib/endpoint";
import { toast } from "./toasts";

/** A call that the server refused, or that never reached it (`status` 0). `message` is fit to show; `fields` names the input at fault. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly code: string,
    readonly fields: Record<string, string> = {},
    /** Seconds to wait before trying again, where the server says so. */
    readonly retryAfter: number | null = null,
    /** What a toast of it is titled, whatever was tried; null: whoever tried says so. */
    readonly title: string | null = null,
  ) {
    super(message);
    this.name = "ApiError";
  }
}

/** True where nobody knows whether it was done: the answer was lost, or a proxy or the server itself gave up waiting for it. */
export const isUnanswered = ({ status, code }: ApiError): boolean => status === 0 || (status >= 500 && code !== "stale_price");

/** True where this try did nothing and may be sent again later: too many requests, no current price, or a session or a proof is needed first. */
export const isPutOff = ({ status, code }: ApiError): boolean =>
  status === 401 || status === 408 || status === 429 || code === "stale_price" || code === "password_required" || code === UNPROVEN;

const UNPROVEN = "reauth_required";
let prove: (() => Promise<boolean>) | null = null;
/** Names who asks for a fresh proof where a call needs one; answers whether it was given. */
export const proveBy = (ask: () => Promise<boolean>) => void (prove = ask);

type Options<E extends Endpoint> = {
  params?: ParamsFor<E>;
  query?: QueryFor<E>;
  signal?: AbortSignal;
  /** `throw`: a 401 is the caller's own business, as on the sign-in page. */
  on401?: "sign-in" | "throw";
  /** It is sent to its end, also where the page is left meanwhile. */
  outlives?: boolean;
};

/** A browser lets no more than 64 kB outlive a page; two such calls may be under way. */
const MOST_OUTLIVING = 30_000;

export const newKey = (): string => crypto.randomUUID();

/**
 * Calls an endpoint by its declaration; one that may not be done twice is for `sendOnce`. Throws ApiError on anything but a success;
 * a lost session also sends the person to sign in.
 */
export const call = <E extends Endpoint>(endpoint: E extends { once: true } ? never : E, body?: BodyFor<E>, options?: Options<E>): Promise<AnswerOf<E>> =>
  callUnder<E>(null, endpoint, body, options);

/**
 * The same under an Idempotency-Key: with the same body it is carried out once, however often it is sent. Where a fresh proof is missing, it is asked
 * for, and the call is sent again.
 */
export async function callUnder<E extends Endpoint>(key: string | null, endpoint: E, body?: BodyFor<E>, options: Options<E> = {}): Promise<AnswerOf<E>> {
  const once = async () => (await answerOf(await send(key, endpoint, body, options), options.on401)) as AnswerOf<E>;
  try {
    return await once();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== UNPROVEN || !(await prove?.())) throw error;
    return once();
  }
}

/** Posts a file as it is, with its own type. */
export async function sendFile(address: string, file: File): Promise<unknown> {
  return answerOf(await reached(fetch(address, { method: "POST", headers: { Accept: "application/json" }, credentials: "same-origin", body: file })));
}

async function answerOf(response: Response, on401?: "sign-in" | "throw"): Promise<unknown> {
  if (!response.ok) {
    const error = await errorOf(response);
    if (error.status === 401 && on401 !== "throw") signInAgain();
    throw error;
  }
  return response.status === 204 ? undefined : await reached(response.json());
}

/** An answer that breaks off, or is none of ours, is as good as lost. */
const reached = <T>(sent: Promise<T>, signal?: AbortSignal): Promise<T> =>
  sent.catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new ApiError(0, "The server could not be reached. Check your connection and try again.", "offline");
  });

async function send<E extends Endpoint>(key: string | null, endpoint: E, body: BodyFor<E> | undefined, options: Options<E>): Promise<Response> {
  const headers: Record<string, string> = { Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (key) headers["Idempotency-Key"] = key;
  const written = body === undefined ? null : JSON.stringify(body);
  const sent = fetch(addressOf(endpoint.path, options.params, options.query), {
    method: endpoint.method,
    headers,
    credentials: "same-origin",
    body: written,
    signal: options.signal ?? null,
    ...(options.outlives && (written?.length ?? 0) < MOST_OUTLIVING ? { keepalive: true } : {}),
  });
  return reached(sent, options.signal);
}

/** "/api/x/:id" with its parameters and query filled in, each encoded. */
export function addressOf(path: string, params: unknown, query: unknown): string {
  const values = (params ?? {}) as Record<string, unknown>;
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values[name])));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries((query ?? {}) as Record<string, unknown>))
    if (value !== undefined && value !== null) search.set(name, String(value));
  return search.size ? `${filled}?${search}` : filled;
}

async function errorOf(response: Response): Promise<ApiError> {
  // The call's names of an order's exits are no words for people.
  const text = (await reached(response.text())).replaceAll('"stopLoss ', '"Stop loss ').replaceAll('"takeProfit ', '"Take profit ');
  const retry = Number(response.headers.get("Retry-After"));
  const { message, code, fields } = parsed(text);
  return new ApiError(response.status, message ?? `The server answered ${response.status}.`, code ?? "unknown", fields, retry > 0 ? retry : null);
}

function parsed(text: string): { message?: string; code?: string; fields?: Record<string, string> } {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {}; // Something between here and the server answered in its own words: they are shown as they are.
  }
}

let leaving = false;
/** The session is gone: says so, and after half a second goes to sign in and come back. */
export function signInAgain() {
  if (leaving) return;
  leaving = true;
  toast({ title: "Unauthorized", description: "You are logged out. Logging in again...", variant: "destructive" });
  setTimeout(() => location.assign(`/api/login?returnTo=${encodeURIComponent(location.pathname + location.search)}`), 500);
}
