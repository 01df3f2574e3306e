import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type TestApp, testApp } from "../testing/app";
import { lose, openPosition } from "../testing/corrections";
import { deposit, fundedTrader, type Signed, withdrawal } from "../testing/money";
import type { StaffPosition } from "../trading/schema_corrections";

/** The staff's lists as files that Excel reads, and what their searches find. */

let app: TestApp;
let ann: Awaited<ReturnType<TestApp["admin"]>>;
let zoe: Signed;
let number: string;
let decidedId: string;
beforeAll(async () => {
  app = await testApp();
  await app.quote("EUR/USD", "1.08420", "1.08500");
  ann = await app.admin();
  zoe = await fundedTrader(app, ann, 900);
  await app.sql`update users set first_name = 'Zoë', last_name = 'Müller-Ångström' where id = ${zoe.id}`;
  await app.trader({ firstName: "Somebody", lastName: "Else" });
  const { body } = await deposit(zoe, { amount: 1234.5 });
  decidedId = body.id;
  await ann.post(`/api/admin/deposits/${body.id}/reject`, { reason: "Never came" });
  await withdrawal(zoe, { amount: 61.25 });
  const position = await openPosition(zoe, { amount: 777 });
  const forced = await openPosition(zoe);
  await lose(ann, forced.id, 5);
  await zoe.post(`/api/trading/positions/${forced.id}/dispute`, { message: "No" });
  await zoe.post("/api/support/tickets", { subject: "Späte Zahlung", message: "Late", category: "general" });
  await zoe.post("/api/chat/messages", { message: "Grüße" });
  await app.stranger().post("/api/contact", { name: "Zoë Müller", email: "zoe@example.test", message: "Grüße" });
  const [row] = await app.sql<{ number: string }[]>`select account_number as number from trading_accounts where id = ${position.accountId}`;
  number = row?.number ?? "";
});
afterAll(() => app.end());

const FILES = [
  ...["users", "deposits", "withdrawals", "trading-positions", "corrections", "trades/manipulations", "disputes", "exceptions", "audit-trail", "overview"],
  ...["visitors", "chat/sessions", "contact-messages", "support-tickets"],
];
const file = async (path: string) => new Uint8Array(await (await ann.fetch("GET", `/api/admin/${path}`)).arrayBuffer());

describe("as a file", () => {
  test.each(FILES)("%s says that it is UTF-8, and holds names as they are written", async (path) => {
    const bytes = await file(`${path}?format=csv`);
    expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const [heads = ""] = new TextDecoder().decode(bytes).split("\r\n");
    expect(heads.split(",").length).toBeGreaterThan(2);
  });

  test("names keep their letters, and each decision its moment", async () => {
    const lines = new TextDecoder().decode(await file("deposits?format=csv")).split("\r\n");
    const heads = (lines[0] ?? "").split(",");
    const row = (lines.find((line) => line.includes(decidedId)) ?? "").split(/,(?=")/);
    const [stored] = await app.sql<{ at: string }[]>`select iso(decided_at) as at from deposits where id = ${decidedId}`;
    expect(row[heads.findIndex((head) => head.includes("Decided (UTC)"))]).toBe(`"${stored?.at}"`);
    expect(row.join()).toContain("Zoë Müller-Ångström");
    const waiting = new TextDecoder().decode(await file("withdrawals?format=csv&status=pending"));
    expect(waiting).toContain("Decided (UTC)");
    expect(waiting).toContain("Zoë Müller-Ångström");
  });
});

describe("of a day before anything happened", () => {
  const rows = async (path: string) =>
    new TextDecoder()
      .decode(await file(path))
      .split("\r\n")
      .filter(Boolean).length - 1;
  test.each(FILES.filter((path) => !["overview", "corrections", "visitors"].includes(path)))("%s holds nothing", async (path) => {
    expect(await rows(`${path}?format=csv`)).toBeGreaterThan(0);
    expect(await rows(`${path}?format=csv&from=2020-01-01&to=2020-01-02`)).toBe(0);
  });
});

test("the file of all tickets is of those that the page shows, in its order", async () => {
  const { text } = await ann.get("/admin?tab=support&view=tickets&q=Zahlung&status=open&sort=-updated");
  const [, address = ""] = /href="\/api\/admin\/(support-tickets\?format=csv[^"]*)"/.exec(text) ?? [];
  const asked = new URLSearchParams(address.replaceAll("&amp;", "&").split("?")[1]);
  expect([asked.get("q"), asked.get("status"), asked.get("sort")]).toEqual(["Zahlung", "open", "-updated"]);
});

describe("a search", () => {
  const LISTS = {
    users: "users",
    deposits: "deposits",
    withdrawals: "withdrawals",
    "trading-positions": "positions",
    "support-tickets": "tickets",
    "chat/sessions": "chats",
  };
  const found = async (path: string, q: string) => (await ann.get<unknown[]>(`/api/admin/${path}?q=${encodeURIComponent(q)}`)).body.length;

  test.each(Object.entries(LISTS))("of %s finds 'surname name' as 'name surname', and nobody by another's", async (path) => {
    const own = await found(path, "zoë müller");
    expect(own).toBeGreaterThan(0);
    expect([await found(path, "müller-ångström zoë"), await found(path, "  MÜLLER   zoë ")]).toEqual([own, own]);
    expect(await found(path, "müller somebody")).toBe(0);
  });
  test.each(["users", "deposits", "withdrawals", "trading-positions", "support-tickets"])("of %s finds whose account has that number", async (path) => {
    expect(await found(path, number)).toBeGreaterThan(0);
    expect(await found(path, `${number}9`)).toBe(0);
  });
  test.each([
    ["deposits", "1,234.50", "1234.51"],
    ["withdrawals", "$61.25", "61.26"],
    // Three digits alone may be in the number of an account, which is made of the clock.
    ["trading-positions", "777", "778.00"],
  ])("of %s finds the amount, as it is written anywhere", async (path, amount, other) => {
    expect([await found(path, amount), await found(path, other)]).toEqual([1, 0]);
  });
  test.each([
    ["users", "No users found"],
    ["deposits", "No deposits match this search"],
    ["withdrawals", "No withdrawals match this search"],
    ["trades&status=corrections", "Nothing found"],
    ["trades&status=disputes", "Nothing found"],
    ["support", "No tickets match this"],
    ["support&view=chat", "No chats match this"],
    ["support&view=contact", "No messages match this"],
    ["audit", "No entries match this"],
    ["audit", "Clear search and filters"],
  ])("of 500 letters shows nobody on %s, and not everybody", async (tab, words) => {
    const { status, text } = await ann.get(`/admin?tab=${tab}&q=${"a".repeat(500)}`);
    expect(status).toBe(200);
    expect(text).toContain(words);
    expect(text).not.toContain("Ångström");
  });
});

test("a position of the staff's list has its volume and its entry price", async () => {
  const [position] = (await ann.get<StaffPosition[]>("/api/admin/trading-positions?q=777")).body;
  expect(position?.entryPrice).toBe(position?.openPrice as string);
  const [stored] = await app.sql<{ volume: string }[]>`select volume::text as volume from positions where id = ${position?.id as string}`;
  expect(position?.volume).toBe(stored?.volume as string);
  expect(Number(position?.volume)).toBeGreaterThan(0);
});
