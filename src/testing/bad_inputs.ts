import catalogue from "./bad_inputs.json";

/** The catalogue of bad inputs (bad_inputs.json, which says itself how it is read), and how an input becomes a request. */

export type As = "anon" | "user" | "funded_user" | "admin";
export type Where = { method: string; path: string; as: As; field?: string; body?: unknown; merge_into?: Record<string, unknown> };
export type Input = {
  id: string;
  why: string;
  expect_status?: number[];
  must_not_contain?: string[];
  max_seconds?: number;
  as?: As;
  method?: string;
  query?: string;
  headers?: Record<string, string>;
  headers_gen?: { name: string; repeat: string; times: number };
  raw?: string;
  body?: unknown;
  body_raw?: string;
  body_b64?: string;
  body_gen?: { prefix: string; repeat?: string; repeat_indexed?: string; times: number; suffix: string };
  raw_lines?: string[];
  file?: { name: string; type: string; text?: string; b64?: string; gen_bytes?: number };
  slow?: object;
  read?: string;
  side_effect?: { method: string; path: string; body: unknown };
};
export type Group = { kind: string; where: (Partial<Where> & { raw_tcp?: boolean })[]; inputs: Input[] };
export const { always, groups } = catalogue as unknown as {
  always: { never_status: number[]; max_response_bytes: number; max_seconds: number; never_in_body: string[] };
  groups: Group[];
};

export const groupOf = (kind: string): Group => {
  const found = groups.find((group) => group.kind === kind);
  if (!found) throw new Error(`the catalogue has no group ${kind}`);
  return found;
};

export type Ask = { method: string; path: string; as: As; headers: Record<string, string>; body: string | Uint8Array | undefined; submitted: string[] };

/** What a registration needs besides the credentials that the catalogue gives. */
const NAMED = { firstName: "Ann", lastName: "Bell", referralCode: "" };

/** Good bodies for places of the catalogue that name a field and no body. */
const GOOD: Record<string, Record<string, unknown>> = {
  "POST /api/auth/register": { ...NAMED, email: "{fresh_email}", password: "Corr3ct-horse" },
  "POST /api/trading/positions": { symbol: "EUR/USD", type: "buy", amount: 1000, openPrice: 1.1, currentPrice: 1.1, stopLoss: null, takeProfit: null },
  "POST /api/trading-accounts": { accountTypeId: "starter", accountNumber: "ACC1234567890123", balance: "0.00", isDemo: true },
  "POST /api/deposits": { amount: 50, currency: "USD", method: "bank", notes: "" },
  "POST /api/withdrawals": { amount: 50, currency: "USD", walletAddress: "bc1qexampleexampleexampleexampleexample00" },
  "POST /api/support/tickets": { subject: "Help", message: "Please help.", category: "general", priority: "low" },
  "POST /api/contact": { name: "Ann Bell", email: "{fresh_email}", subject: "Help", message: "Please help." },
  "POST /api/admin/users/{user_id}/suspend": { reason: "A reason", suspendUntil: null },
  "POST /api/admin/visitors/track": {
    userAgent: "x",
    page: "/",
    timestamp: "2024-01-01T00:00:00Z",
    device: "desktop",
    screenResolution: "1x1",
    timezone: "UTC",
  },
};

const repeated = (text: string) => text.replace(/\{\{repeat:(.):(\d+)\}\}/gu, (_, char: string, times: string) => char.repeat(Number(times)));

function bodyOf(where: Where, input: Input): string | Uint8Array | undefined {
  if (input.body_raw !== undefined) return input.body_raw;
  if (input.body_b64 !== undefined) return Uint8Array.fromBase64(input.body_b64);
  if (input.body_gen) {
    const { prefix, repeat, repeat_indexed: indexed, times, suffix } = input.body_gen;
    const middle = indexed ? Array.from({ length: times }, (_, n) => indexed.replace("%d", String(n))).join("") : (repeat ?? "").repeat(times);
    return prefix + middle + suffix;
  }
  const given = input.body ?? where.body;
  if (typeof given === "string") return given;
  if (typeof given === "object" && where.path === "/api/auth/register") return JSON.stringify({ ...NAMED, ...given });
  if (where.merge_into) return JSON.stringify({ ...where.merge_into, ...(JSON.parse(input.raw ?? "{}") as object) });
  const good = given ?? (where.field ? GOOD[`${where.method} ${where.path}`] : undefined);
  if (good === undefined) return undefined;
  const withField = where.field ? { ...(good as object), [where.field]: "$RAW" } : good;
  return JSON.stringify(withField).replace('"$RAW"', () => input.raw ?? "");
}

const textsIn = (value: unknown): string[] =>
  typeof value === "string" ? [value] : typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];

/** The texts of an input that an answer must not repeat: all but words that a message may hold by itself. */
function submittedIn({ raw, body }: Input): string[] {
  const texts = [raw ?? "", ...textsIn(body), ...textsIn(parsed(raw))];
  return texts.filter((text) => text.length >= 6 && /[^a-z"]/.test(text));
}

function parsed(raw: string | undefined): unknown {
  try {
    return JSON.parse(raw ?? "null");
  } catch {
    return null; // Many are not JSON on purpose.
  }
}

/** An input at a place as a request; `fill` replaces the catalogue's {placeholders} by what the runner made. */
export function askOf(where: Where, input: Input, fill: (text: string) => string): Ask {
  const whole = (text: string) => fill(repeated(text));
  const method = input.method ?? where.method;
  const raw = input.raw ?? "";
  const path = whole(where.path.replace("$RAW", () => raw)) + (input.query === undefined ? "" : `?${whole(input.query)}`);
  const found = method === "GET" || method === "HEAD" ? undefined : bodyOf(where, input);
  const body = typeof found === "string" ? whole(found) : found;
  const headers = { ...(body === undefined ? {} : { "Content-Type": "application/json" }), ...input.headers };
  const long = input.headers_gen ? { [input.headers_gen.name]: input.headers_gen.repeat.repeat(input.headers_gen.times) } : {};
  return { method, path, as: input.as ?? where.as ?? "user", headers: { ...headers, ...long }, body, submitted: submittedIn(input) };
}
