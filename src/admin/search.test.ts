import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Fragment } from "../platform/database/db";
import { type TestApp, testApp } from "../testing/app";
import { openPosition } from "../testing/corrections";
import { deposit, fundedTrader, withdrawal } from "../testing/money";
import { accountsQuery, chatsQuery, peopleQuery, positionsQuery, requestsQuery, ticketsQuery } from "./queries_search";
import type { Found, FoundKind } from "./schema_search";

/** Staff's one search: whatever a client or a bank names a thing by finds it, by an index, and nothing is echoed. */

const HASH = `0x${"c0ffee".repeat(10)}abcd`;
const HOSTILE = "<img src=x onerror=alert(1)>";
let app: TestApp;
let ann: Awaited<ReturnType<TestApp["admin"]>>;
let ada: Awaited<ReturnType<TestApp["trader"]>>;
let ids: Record<"deposit" | "withdrawal" | "ticket" | "chat" | "position" | "account", string>;
let number: string;

beforeAll(async () => {
  app = await testApp();
  await app.quote("EUR/USD", "1.08420", "1.08500");
  ann = await app.admin();
  ada = await fundedTrader(app, ann, 900);
  await app.sql`update users set first_name = 'Ada', last_name = 'Lovelace-Byron' where id = ${ada.id}`;
  for (let n = 0; n < 8; n++) await app.trader({ firstName: "Adam", lastName: `Many${n}` });
  await app.trader({ firstName: HOSTILE, lastName: "100%_sure\\" });
  const { body: asked } = await deposit(ada, { amount: 1234.5, currency: "BTC", method: "crypto", transactionHash: HASH });
  const { body: paid } = await withdrawal(ada, { amount: 61.25, walletAddress: "DE02 1203 0000 0000 2020 51" });
  const { body: ticket } = await ada.post<{ id: string }>("/api/support/tickets", { subject: "Where is my Wire?", message: "Late", category: "general" });
  const { body: said } = await ada.post<{ sessionId: string }>("/api/chat/messages", { message: "Where do I find the Withdrawal form?" });
  await ada.post("/api/chat/messages", { message: "Hello?" });
  const { id: position, accountId: account } = await openPosition(ada, { amount: 777 });
  ids = { deposit: asked.id, withdrawal: paid.id, ticket: ticket.id, chat: said.sessionId, position, account };
  const [row] = await app.sql<{ number: string }[]>`select account_number as number from trading_accounts where id = ${account}`;
  number = row?.number ?? "";
  await ann.post("/api/admin/wallets", { currency: "BTC", network: "Mainnet", walletAddress: "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq" });
});
afterAll(() => app.end());

const search = async (q: string) => (await ann.get<Found[]>(`/api/admin/search?q=${encodeURIComponent(q)}`)).body;
const found = async (q: string, kind: FoundKind) => (await search(q)).filter((each) => each.kind === kind).map(({ id }) => id);

describe("finds", () => {
  test.each(["Ada Lovelace-Byron", "lovelace-byron ada", "  LOVELACE  ada ", "ada love", "byron"])("a person by '%s'", async (q) => {
    expect(await found(q, "person")).toEqual([ada.id]);
  });
  test("a person by address and by id, or its beginning", async () => {
    for (const q of [ada.email, ada.email.toUpperCase(), ada.id, ada.id.slice(0, 13)]) expect(await found(q, "person")).toEqual([ada.id]);
  });
  test("who is called exactly so first, and at most five", async () => {
    const exact = await app.trader({ firstName: "Adam", lastName: "Adamson" });
    for (let n = 0; n < 3; n++) await app.trader({ firstName: "Adam", lastName: `Adamson${n}` });
    expect((await found("adamson adam", "person"))[0]).toBe(exact.id);
    expect(await found("adam", "person")).toHaveLength(5);
  });
  test("requests by amount, as it is written anywhere, by id, reference, hash, and address", async () => {
    for (const q of ["1234.5", "$1,234.50", "1234.50", ids.deposit, HASH, HASH.toUpperCase().replace("0X", "0x"), HASH.slice(7, 20)])
      expect([q, await found(q, "deposit")]).toEqual([q, [ids.deposit]]);
    expect(await found(`DEP-${ids.deposit.replaceAll("-", "").slice(0, 10)}`, "deposit")).toEqual([ids.deposit]);
    for (const q of ["61.25", ids.withdrawal, "DE02"]) expect([q, await found(q, "withdrawal")]).toEqual([q, [ids.withdrawal]]);
    expect(await found("gtzzwf5mdq", "wallet")).toHaveLength(1);
  });
  test("accounts by a part of the number, tickets by words, positions by id and amount", async () => {
    for (const q of [number, number.toLowerCase(), number.slice(-7)]) expect([q, await found(q, "account")]).toEqual([q, [ids.account]]);
    expect(await found("my wire", "ticket")).toEqual([ids.ticket]);
    for (const q of [ids.position, "777"]) expect(await found(q, "position")).toEqual([ids.position]);
  });
  test("chats by person, by what was said in them, and by id; each once, with the words", async () => {
    for (const q of ["lovelace", "withdrawal form", "HELLO?", ids.chat]) expect([q, await found(q, "chat")]).toEqual([q, [ids.chat]]);
    const [chat] = (await search("withdrawal form")).filter(({ kind }) => kind === "chat");
    expect(chat).toEqual({
      kind: "chat",
      id: ids.chat,
      title: "Chat with Ada Lovelace-Byron",
      detail: "Where do I find the Withdrawal form? · open",
      href: `/admin?tab=support&view=inbox&session=${ids.chat}`,
    });
    expect(await found("withdrawal forms", "chat")).toEqual([]);
  });
  test("what belongs to a person who was found, and who waits for approval", async () => {
    const kinds = new Set((await search("lovelace")).map(({ kind }) => kind));
    expect([...kinds].sort()).toEqual(["account", "chat", "deposit", "person", "position", "ticket", "withdrawal"]);
    expect(await found("Many3", "registration")).toEqual(await found("Many3", "person"));
  });
});

test("a command finds people alone, and leads to the deed", async () => {
  const all = await search("suspend ada lovelace");
  expect(all.map(({ kind, title, href }) => ({ kind, title, href }))).toEqual([
    { kind: "person", title: "Suspend Ada Lovelace-Byron", href: `/admin/users/${ada.id}?do=suspend` },
  ]);
});

test("takes any letters: wildcards are letters, what is too long is cut, and nothing is echoed as HTML", async () => {
  for (const q of [
    "%",
    "_",
    "%_sure",
    "sure\\",
    "'",
    "\"';--",
    "(",
    "[a-z",
    "\\",
    "ä",
    "李",
    "😀",
    "a",
    "aa",
    "a".repeat(500),
    " ".repeat(50),
    "\t",
    HOSTILE,
  ]) {
    const { status, body } = await ann.get<Found[]>(`/api/admin/search?q=${encodeURIComponent(q)}`);
    expect([q, status, Array.isArray(body)]).toEqual([q, 200, true]);
  }
  expect(await found("100%_sure\\", "person")).toHaveLength(1);
  expect(await found("100x_sure", "person")).toEqual([]);
  expect(await search("a".repeat(500))).toEqual([]);
  expect((await ann.get("/api/admin/search?q=%00")).status).toBe(400);
  const { text, status } = await ann.get(`/admin/search?q=${encodeURIComponent(HOSTILE)}`);
  expect(status).toBe(200);
  expect(text).not.toContain("<img src=x");
  expect(text).toContain("&lt;img src=x");
});

test("without scripts it is a page of links", async () => {
  const { text } = await ann.get("/admin/search?q=lovelace");
  for (const href of [`/admin/users/${ada.id}`, `/admin?tab=deposits&amp;q=${ids.deposit}`, `/admin?tab=support&amp;ticket=${ids.ticket}`])
    expect(text).toContain(`href="${href}"`);
  expect((await ann.get("/admin")).text).toContain('href="/admin/search"');
});

test("is for administrators alone, and no faster than people work", async () => {
  expect((await ada.get("/api/admin/search?q=ada")).status).toBe(403);
  expect((await app.stranger().get("/api/admin/search?q=ada")).status).toBe(401);
  expect((await ada.get("/admin/search?q=lovelace")).text).not.toContain("Lovelace");
  const slow = await testApp({ COMMANDS_PER_SECOND: "1" });
  try {
    const bea = await slow.admin();
    const statuses = new Set<number>();
    // A slow machine is let through once more for each second that it takes.
    while (!statuses.has(429)) {
      const answers = await Promise.all(Array.from({ length: 40 }, () => bea.get("/api/admin/search?q=ada")));
      for (const { status } of answers) statuses.add(status);
    }
    expect([...statuses].sort()).toEqual([200, 429]);
  } finally {
    await slow.end();
  }
});

/** What the planner does where it can choose anything but reading whole tables. */
async function planOf(query: Fragment | null): Promise<string> {
  if (!query) throw new Error("nothing would be asked");
  return app.sql.begin(async (sql) => {
    await sql`set local enable_seqscan = off`;
    const rows = await sql<Record<string, string>[]>`explain (costs off) ${query} limit 5`;
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  });
}

test("an index answers each way of every kind", async () => {
  const { sql } = app;
  const asked = (q: string, owners: string[] = []) => ({ q, owners, limit: 5 });
  const plans: [string, string[], Fragment | null][] = [
    ["people", ["users_search", "users_name", "users_email"], peopleQuery(sql, "lovelace ada", 5)],
    ["people by two letters", ["users_search_short"], peopleQuery(sql, "ad", 5)],
    ["deposits by hash", ["deposits_search"], requestsQuery(sql, "deposits", asked("c0ffee"))],
    ["deposits by amount", ["deposits_amount"], requestsQuery(sql, "deposits", asked("$5"))],
    ["deposits by id", ["deposits_pkey"], requestsQuery(sql, "deposits", asked(ids.deposit))],
    ["deposits of people", ["deposits_"], requestsQuery(sql, "deposits", asked("a b", [ada.id]))],
    ["withdrawals by address", ["withdrawals_search"], requestsQuery(sql, "withdrawals", asked("bc1qar"))],
    ["withdrawals by amount", ["withdrawals_amount"], requestsQuery(sql, "withdrawals", asked("$5"))],
    ["accounts by number", ["trading_accounts_search"], accountsQuery(sql, asked("ACC179"))],
    ["accounts of people", ["trading_accounts_user"], accountsQuery(sql, asked("a b", [ada.id]))],
    ["tickets by subject", ["support_tickets_search"], ticketsQuery(sql, asked("my wire"))],
    ["tickets of people", ["support_tickets_owner"], ticketsQuery(sql, asked("ab", [ada.id]))],
    ["chats by words", ["chat_messages_search"], chatsQuery(sql, asked("my wire"))],
    ["chats of people", ["chat_sessions_"], chatsQuery(sql, asked("ab", [ada.id]))],
    ["positions by id", ["positions_pkey"], positionsQuery(sql, asked(ids.position))],
    ["positions by amount, of the open ones", ["positions_newest"], positionsQuery(sql, asked("777"))],
    ["positions of people", ["positions_live_user"], positionsQuery(sql, asked("ab", [ada.id]))],
  ];
  for (const [name, indexes, query] of plans) {
    const plan = await planOf(query);
    expect([name, indexes.filter((index) => !plan.includes(index)), plan.includes("Seq Scan")]).toEqual([name, [], false]);
  }
});
