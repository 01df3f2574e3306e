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
  ) {
    super(message);
    this.name = "ApiError";
  }
}

type Options<E extends Endpoint> = {
  params?: ParamsFor<E>;
  query?: QueryFor<E>;
  /** The same key with the same body is carried out once, however often it is sent: make it with `newKey()` per deed, not per try. */
  idempotencyKey?: string;
  signal?: AbortSignal;
  /** `throw`: a 401 is the caller's own business, as on the sign-in page. */
  on401?: "sign-in" | "throw";
};

export const newKey = (): string => crypto.randomUUID();

/** Calls an endpoint by its declaration. Throws ApiError on anything but a success; a lost session also sends the person to sign in. */
export async function call<E extends Endpoint>(endpoint: E, body?: BodyFor<E>, options: Options<E> = {}): Promise<AnswerOf<E>> {
  return (await answerOf(await send(endpoint, body, options), options.on401)) as AnswerOf<E>;
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
  return response.status === 204 ? undefined : await response.json();
}

const reached = (sent: Promise<Response>, signal?: AbortSignal): Promise<Response> =>
  sent.catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new ApiError(0, "The server could not be reached. Check your connection and try again.", "offline");
  });

async function send<E extends Endpoint>(endpoint: E, body: BodyFor<E> | undefined, options: Options<E>): Promise<Response> {
  const headers: Record<string, string> = { Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (options.idempotencyKey) headers["Idempotency-Key"] = options.idempotencyKey;
  const sent = fetch(addressOf(endpoint.path, options.params, options.query), {
    method: endpoint.method,
    headers,
    credentials: "same-origin",
    body: body === undefined ? null : JSON.stringify(body),
    signal: options.signal ?? null,
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
  const text = await response.text();
  const retry = Number(response.headers.get("Retry-After"));
  const { message, code, fields } = parsed(text);
  return new ApiError(
    response.status,
    message ?? `${response.status}: ${text.slice(0, 200) || response.statusText}`,
    code ?? "unknown",
    fields,
    retry > 0 ? retry : null,
  );
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
