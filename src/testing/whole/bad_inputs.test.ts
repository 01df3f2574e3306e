import { type Socket, connect } from "node:net";
import { afterAll, describe, expect, test } from "bun:test";
import { createAdmin } from "../../identity/commands";
import { type Ask, always, askOf, type Group, groupOf, groups, type Input, type Where } from "../bad_inputs";
import { testApp } from "../app";
import { rawExchange } from "../raw_http";
import { workedMs } from "../work";

/** Every input of the catalogue on every endpoint of it that has a route, over a real connection. */

const app = await testApp();
app.router.listen({ port: 0, hostname: "127.0.0.1", reusePort: false, idleTimeout: 30 });
const port = app.router.server?.port ?? 0;
const base = `http://127.0.0.1:${port}`;
afterAll(async () => {
  void app.router.server?.stop(true);
  await app.end();
});

const { sql } = app;
await createAdmin(sql, { email: "admin@t.test", password: "Corr3ct-horse-battery" });
const [user, funded, admin] = await Promise.all([app.trader(), app.trader(), app.admin()]);
const cookies = { anon: "", user: user.cookie, funded_user: funded.cookie, admin: admin.cookie };
await app.quote("EUR/USD", "1.10000", "1.10002");
await admin.post(`/api/admin/approve-registration/${funded.id}`);
await admin.post(`/api/admin/deposits/${await pendingDeposit("4000.00")}/approve`);

/** A deposit of the funded trader's that waits. */
async function pendingDeposit(amount: string): Promise<string> {
  const { body } = await funded.post<{ id: string }>("/api/deposits", { amount, currency: "USD", method: "bank" });
  return body.id;
}

// Places ---------------------------------------------------------------------------------------------------------------

const routes = new Set(app.list.map(({ method, path }) => `${method} ${path.replace(/:\w+/g, ":")}`));
const isPlace = (where: Group["where"][number]): where is Where => where.method !== undefined && where.path !== undefined;
const nameOf = ({ method, path }: Where) => `${method} ${path.replace(/\?.*/, "")}`;
const isBuilt = (where: Where) => routes.has(nameOf(where).replace(/\{\w+\}|\$RAW/g, ":"));

/** The catalogue's groups hold for these routes too. */
const more: Record<string, Where[]> = {
  sse: [
    { method: "GET", path: "/api/stream", as: "user" },
    { method: "GET", path: "/api/market/stream", as: "anon" },
  ],
};
const placesOf = (group: Group): Where[] => [...group.where.filter(isPlace).filter(isBuilt), ...(more[group.kind] ?? [])];

test("every place of the catalogue has a route", () => {
  const missing = new Set(
    groups
      .filter(({ kind }) => kind !== "upload")
      .flatMap(({ where }) => where.filter(isPlace))
      .flatMap((where) => (isBuilt(where) ? [] : [nameOf(where)])),
  );
  expect([...missing]).toEqual([]);
});

/** Inputs that say something of one route only, or that another test sends. */
function concerns(where: Where, input: Input): boolean {
  if (input.slow || input.raw_lines) return false;
  // A reader that never reads, for a minute: platform/http/stream.test.ts, in less time.
  if (input.read === "never") return false;
  // Where a route lists by GET what it makes by POST, reading is no command.
  if (input.method === "GET" && routes.has(`GET ${where.path}`)) return false;
  if (input.as === "user") return where.path.startsWith("/api/admin/");
  return input.as !== "anon" || where.as !== "anon";
}

// Asking ---------------------------------------------------------------------------------------------------------------

let addresses = 0;
/** People and objects for the placeholders; new ones for each place, since an input may use one up. */
async function filling({ path }: Where): Promise<(text: string) => string> {
  const [target, pending] = await Promise.all([app.trader(), app.trader()]);
  const needed = path.includes("{pending_deposit_id}") ? 20 : 0;
  const deposits = await Promise.all(Array.from({ length: needed }, () => pendingDeposit("12.34")));
  const { body: position } = await funded.post("/api/trading/positions", { symbol: "EUR/USD", type: "buy", amount: 10 });
  const values: Record<string, () => string> = {
    user_id: () => target.id,
    victim_user_id: () => target.id,
    victim_uuid_uppercase: () => target.id.toUpperCase(),
    pending_user_id: () => pending.id,
    open_position_id: () => String(position.id),
    // A new one each time, since approving one uses it up.
    pending_deposit_id: () => deposits.pop() ?? "none is left",
    account_type_id: () => "starter",
    fresh_email: () => `fresh${++addresses}@t.test`,
  };
  return (text) => text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name]?.() ?? whole);
}

type Got = { status: number; type: string; text: string; location: string | null; headers: string };

async function send(ask: Ask): Promise<Got> {
  const headers = { ...(cookies[ask.as] ? { Cookie: cookies[ask.as] } : {}), ...ask.headers };
  if (Object.values(ask.headers).some((value) => value.includes("\u0000"))) return sendRaw(ask, headers);
  const response = await fetch(base + ask.path, { method: ask.method, headers, body: ask.body as BodyInit, redirect: "manual" });
  const type = response.headers.get("content-type") ?? "";
  const text = type.startsWith("text/event-stream") ? await firstPart(response) : await response.text();
  return { status: response.status, type, text, location: response.headers.get("location"), headers: JSON.stringify([...response.headers]) };
}

async function sendRaw(ask: Ask, headers: Record<string, string>): Promise<Got> {
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const { text, status } = await rawExchange(port, [`${ask.method} ${ask.path} HTTP/1.1`, "Host: halyard.test", ...head, "", ""].join("\r\n"));
  return { status: status ?? 0, type: "", text, location: null, headers: "" };
}

async function firstPart(response: Response): Promise<string> {
  for await (const chunk of response.body ?? []) return new TextDecoder().decode(chunk);
  return "";
}

// What must be true of every answer ------------------------------------------------------------------------------------

/** Tables that note visits, refusals, prices, looks and nights, and tell news rather than hold money or people; the public log's grow with the ticks. */
const NOTES = [
  "idempotency",
  "sessions",
  "throttles",
  ...["ticks", "candles", "quotes", "price_minutes", "integrity_figures"],
  "schema_migrations",
  ...["ledger_looks", "swap_nights"],
  "notification_outbox",
  "order_news",
  "letters",
  "admin_notifications",
  "visits",
  "visitors",
  "visitor_salts",
  "refused_attempts",
];
const tables = (
  await sql<{ name: string }[]>`
  select table_name as name from information_schema.tables
  where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> all (${NOTES}) and table_name not like 'proof%' order by 1
`
).map(({ name }) => name);
const digests = tables.map((name) => `(select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) from ${name} t)`).join(" || ");
const digest = async () => String((await sql.unsafe(`select ${digests} as digest`))[0]?.digest);

const codeOf = (got: Got) => (got.type.startsWith("application/json") ? (JSON.parse(got.text) as { code?: string }).code : undefined);

function* faultsOf(input: Input, ask: Ask, got: Got, worked: number): Generator<string> {
  const { status, text } = got;
  const isUnreachable = status === 0 && got.text === "";
  // Ten dollars are too few for a bank: a rule's refusal is an answer to the POST that was sent.
  const isRuled = input.headers?.["X-HTTP-Method-Override"] !== undefined && codeOf(got) === "minimum_withdrawal";
  // A visit is answered by 204, whatever its text says.
  const isVisit = status === 204 && ask.path.endsWith("/visitors/track");
  if (input.expect_status && !input.expect_status.includes(status) && !isUnreachable && !isRuled && !isVisit) yield `status ${status}`;
  if (always.never_status.includes(status)) yield `status ${status}`;
  if (worked > (input.max_seconds ?? always.max_seconds) * 1000) yield `took ${worked} ms of the processor`;
  for (const words of [...always.never_in_body, ...(input.must_not_contain ?? [])]) if (text.includes(words)) yield `the answer holds '${words}'`;
  if (status >= 400 && text.length > always.max_response_bytes && !got.type.startsWith("text/html")) yield `${text.length} bytes`;
  if (status >= 400) for (const words of ask.submitted) if (text.includes(words)) yield "the answer repeats what was sent";
  if (status >= 400 && got.type.startsWith("application/json") && typeof codeOf(got) !== "string") yield "an error without a code";
  for (const [name, value] of Object.entries(input.headers ?? {}))
    if (name !== "Content-Type" && value.length > 5 && got.headers.includes(value)) yield "a header of the request is in the answer";
}

/** Catalogue rules that say more of a success than its status. */
const rules: Record<string, (input: Input, ask: Ask, got: Got) => Promise<string | null> | string | null> = {
  price_fields: (_, __, { status, text }) =>
    status < 300 && !["1.10017500", "1.09984500"].includes((JSON.parse(text) as { openPrice: string }).openPrice) ? "a price that is not the server's" : null,
  text_field: async (input, ask, { status, text }) => {
    if (status >= 300 || status === 204) return null;
    const typed = (JSON.parse(input.raw ?? "null") as string).replaceAll("\r\n", "\n").trim();
    if (["/api/contact", "/api/support/tickets"].includes(ask.path))
      return (JSON.parse(text) as { message: string }).message === typed ? null : "stored otherwise than typed";
    if (ask.path === "/api/deposits") return (JSON.parse(text) as { notes: string }).notes === typed ? null : "stored otherwise than typed";
    if (ask.path === "/api/withdrawals") return (JSON.parse(text) as { walletAddress: string }).walletAddress === typed ? null : "stored otherwise than typed";
    const { user: shown } = JSON.parse(text) as { user: { id: string; firstName: string } };
    if (ask.path === "/api/auth/register") return shown.firstName === typed ? null : "stored otherwise than typed";
    const [row] = await sql`select suspension_reason as reason from users where id = ${shown.id}`;
    return row?.reason === typed ? null : "stored otherwise than typed";
  },
  extra_keys: async (_, ask, { status, text }) => {
    if (status < 300 && ask.path.includes("/deposits")) return depositFault(JSON.parse(text) as Record<string, unknown>, ask);
    if (status >= 300 || !text.includes('"user"')) return null;
    const { user: made } = JSON.parse(text) as { user: { id: string } };
    const [row] = await sql`
      select role, registration_status, kyc_status, is_vip, created_at > now() - interval '1 hour' as recent from users where id = ${made.id}
    `;
    const plain = { role: "user", registration_status: "pending", kyc_status: "pending", is_vip: false, recent: true };
    return Bun.deepEquals({ ...row }, plain) ? null : `made ${JSON.stringify(row)}`;
  },
  return_to: (input, ask, got) => {
    const target = got.location ?? /name="returnTo" value="([^"]*)"/.exec(got.text)?.[1]?.replaceAll("&amp;", "&");
    if (target === undefined) return got.status < 400 ? "no way on" : null;
    const next = got.location ? new URL(target, base).searchParams.get("returnTo") : target;
    if (next === null || !/^\/(?![/\\])/.test(next) || new URL(next, base).origin !== base || next.startsWith("/api")) return `leads to ${next}`;
    if (input.raw === "/dashboard" && next !== "/dashboard") return "a good way on was lost";
    if (/(href|src|action)="(?!\/(?!\/)|#|mailto:|https:\/\/www\.tradingview\.com)/.test(got.text)) return `a link leaves the site from ${ask.path}`;
    return got.headers.toLowerCase().includes("set-cookie") ? "sets a cookie" : null;
  },
  headers_cookies: (_, __, { status, text }) =>
    status === 401 && (JSON.parse(text) as { message: string }).message !== "Unauthorized" ? "not the plain word Unauthorized" : null,
};

/** Whose a deposit is, what it is worth and how it stands is not for its body to say, except the amount of a new one. */
function depositFault(made: Record<string, unknown>, ask: Ask): string | null {
  const asked = JSON.parse(String(ask.body)) as { amount?: number };
  const isNew = ask.path === "/api/deposits";
  const owner = isNew ? user.id : funded.id;
  const amount = isNew ? Number(asked.amount).toFixed(2) : "12.34";
  const expected = { userId: owner, amount, status: isNew ? "pending" : "approved", credited: isNew ? null : amount };
  const recent = Date.now() - Date.parse(String(made.createdAt)) < 3_600_000;
  return recent && Object.entries(expected).every(([key, value]) => made[key] === value) ? null : `made ${JSON.stringify(made)}`;
}

async function tryOne(group: Group, where: Where, input: Input, fill: (text: string) => string): Promise<string[]> {
  await sql`delete from throttles`;
  await sql`delete from contact_messages`;
  const ask = askOf(where, input, fill);
  if (input.side_effect) await app.stranger().post(input.side_effect.path, input.side_effect.body);
  const before = await digest();
  const worked = workedMs();
  const meanwhile = group.kind === "json_body" ? fetch(`${base}/healthz`) : null;
  const got = await send(ask);
  const faults = [...faultsOf(input, ask, got, workedMs() - worked)];
  if (meanwhile && (await meanwhile).status !== 200) faults.push("others were not answered meanwhile");
  if (got.status >= 400 && (await digest()) !== before) faults.push("refused, and yet something changed");
  const fault = await rules[group.kind]?.(input, ask, got);
  if (fault) faults.push(fault);
  return faults.map((each) => `${input.id} (${input.why}): ${each}`);
}

// After each place -----------------------------------------------------------------------------------------------------

const numerics = await sql<{ table: string; column: string }[]>`
  select c.table_name as table, c.column_name as column
  from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
  where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.data_type = 'numeric'
`;

async function expectAllWell() {
  expect((await fetch(`${base}/healthz`)).status).toBe(200);
  expect((await fetch(`${base}/api/admin/users`)).status).toBe(401);
  expect(await sql`select subject from ledger_check`).toHaveLength(0);
  expect(numerics.length).toBeGreaterThan(10);
  for (const { table, column } of numerics) expect(await sql.unsafe(`select from ${table} where ${column} = 'NaN'`)).toHaveLength(0);
}
/** What traders own outside the demo book beyond their approved deposits; none of the inputs may make any. */
const liveMoney = async () =>
  (
    await sql`
      select coalesce((select sum(balance) from ledger_accounts where book = 'live' and owner_id is not null), 0)
        - coalesce((select sum(credited + bonus_applied) from deposits where status = 'approved'), 0) as sum
    `
  )[0]?.sum as string;

for (const group of groups) {
  describe(group.kind, () => {
    const places = placesOf(group);
    if (places.length === 0) return;
    test.each(places.map((where) => [nameOf(where), where.field ?? "", where] as const))("%s %s", async (_, __, where) => {
      const fill = await filling(where);
      const money = await liveMoney();
      const faults: string[] = [];
      for (const input of group.inputs.filter((each) => concerns(where, each))) faults.push(...(await tryOne(group, where, input, fill)));
      expect(faults).toEqual([]);
      expect(await liveMoney()).toBe(money);
      await expectAllWell();
    });
  });
}

describe("upload", () => {
  /** The catalogue describes this one in words only. */
  const hugePicture = () => {
    const chunk = (type: string, data: Buffer) => {
      const named = Buffer.concat([Buffer.from(type), data]);
      const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
      length.writeUInt32BE(data.length);
      sum.writeUInt32BE(Bun.hash.crc32(named));
      return Buffer.concat([length, named, sum]);
    };
    const header = Buffer.from("0000c3500000c3500806000000", "hex");
    return Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), chunk("IHDR", header), chunk("IDAT", Buffer.alloc(8)), chunk("IEND", Buffer.alloc(0))]);
  };
  const contentOf = ({ text, b64, gen_bytes: size }: NonNullable<Input["file"]>) =>
    text === undefined ? (b64 === undefined ? (size === undefined ? hugePicture() : Buffer.alloc(size)) : Buffer.from(b64, "base64")) : Buffer.from(text);
  const files = groupOf("upload").inputs.flatMap(({ why, file, expect_status: statuses }) =>
    file ? [[why, file.type, contentOf(file), statuses ?? []] as const] : [],
  );

  // The body is the file itself: names, where headers could be smuggled in, are not sent at all.
  test.each([
    ...files,
    ...["image/png", "image/jpeg", "image/webp", "application/pdf"].map((type) => [`an empty ${type}`, type, Buffer.alloc(0), [400]] as const),
  ])("%s", async (_, type, content, statuses) => {
    const id = await pendingDeposit("12.34");
    const response = await fetch(`${base}/api/deposits/${id}/proof`, {
      method: "POST",
      headers: { Cookie: funded.cookie, "Content-Type": type },
      body: content,
    });
    expect(statuses).toContain(response.status);
    expect(await sql`select from deposit_proofs where deposit_id = ${id}`).toHaveLength(0);
    expect((await fetch(`${base}/api/deposits/${id}/proof`, { headers: { Cookie: funded.cookie } })).status).toBe(404);
    await expectAllWell();
  });
});

describe("raw_http", () => {
  const { inputs } = groupOf("raw_http");
  const lines = inputs.flatMap(({ why, raw_lines: raw }) => (raw ? [[why, raw] as const] : []));
  // A second slash in a path is no harm: it names a page that is not there.
  test.each(lines)("%s", async (_, raw) => {
    const { status, closed, text } = await rawExchange(port, raw.join("\r\n"));
    expect(closed || (status !== null && status >= 400 && status < 500)).toBe(true);
    for (const words of always.never_in_body) expect(text).not.toContain(words);
    expect(text.toLowerCase()).not.toContain("location:");
    await expectAllWell();
  });
});

describe("raw_http, slowly", () => {
  test("bodies that come a byte at a time hold nobody up", async () => {
    const head = ["POST /api/auth/login HTTP/1.1", "Host: halyard.test", "Content-Type: application/json", "Content-Length: 1000", "", "{"].join("\r\n");
    const sockets = await Promise.all(Array.from({ length: 20 }, () => slowly(head)));
    for (let n = 0; n < 5; n++) {
      for (const socket of sockets) socket.write(" ");
      expect((await fetch(`${base}/api/account-types`)).status).toBe(200);
    }
    // Others were answered while each of these still waits.
    expect(sockets.filter((socket) => socket.destroyed || socket.bytesRead > 0)).toHaveLength(0);
    for (const socket of sockets) socket.destroy();
    await expectAllWell();
  });
});

function slowly(head: string): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  socket.resume();
  return new Promise((resolve) => socket.once("connect", () => socket.write(head, () => resolve(socket))));
}

test("no password went into the log", () => {
  expect(app.lines.filter((line) => line.includes("Corr3ct"))).toEqual([]);
});

test("nothing that came from outside was logged as a fault of ours", () => {
  expect(app.lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
});
