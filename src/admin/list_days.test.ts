import { afterAll, beforeAll, expect, test } from "bun:test";
import { lose, openPosition, win } from "../testing/corrections";
import { type TestApp, testApp } from "../testing/app";
import { waitingDocument } from "../testing/files";
import { deposit, fundedTrader, withdrawal } from "../testing/money";
import { fundLive, tamper } from "../testing/scenarios";

/** Each list that staff decide on is held to days, of UTC and both included, in its call, in its page and in its file. */

let app: TestApp;
let ann: Awaited<ReturnType<TestApp["admin"]>>;
type Trader = Awaited<ReturnType<TestApp["trader"]>>;
beforeAll(async () => {
  app = await testApp({ ADVERSE_CORRECTIONS: "four-eyes" });
  await app.quote("EUR/USD", "1.10000", "1.10002");
  ann = await app.admin();
});
afterAll(async () => {
  await app.end();
});

/** The last moment of a day, the first and the last of the next one, and the first of the one after that. */
const MOMENTS = ["2026-03-01T23:59:59.999Z", "2026-03-02T00:00:00.000Z", "2026-03-02T23:59:59.999Z", "2026-03-03T00:00:00.000Z"] as const;
const DAY = "from=2026-03-02&to=2026-03-02";

type Row = { id: string };
type List = {
  call: string;
  page?: string;
  /** Makes a row of this trader's; answers what the list knows it by. */
  make: (by: Trader) => Promise<string>;
  /** Where its moment stands: the table, and its column of ids. */
  table: string;
  key?: string;
};
const id = async (answer: Promise<{ body: unknown }>) => String(((await answer).body as Row).id);
const position = async (by: Trader) => (await openPosition(by, { accountId: await fundLive(app, by, "1000.00"), amount: 100 })).id;

const LISTS: Record<string, List> = {
  deposits: { call: "/api/admin/deposits?", page: "/admin?tab=deposits", make: (by) => id(deposit(by)), table: "deposits" },
  withdrawals: {
    call: "/api/admin/withdrawals?",
    page: "/admin?tab=withdrawals",
    make: async () => {
      const rich = await fundedTrader(app, ann, 200);
      await rich.post("/api/auth/confirm", { password: "Corr3ct-horse" });
      return id(withdrawal(rich));
    },
    table: "withdrawals",
  },
  users: { call: "/api/admin/users?", page: "/admin?tab=users", make: async (by) => by.id, table: "users" },
  "users by balance": { call: "/api/admin/users?sort=-balance&", make: async (by) => by.id, table: "users" },
  registrations: { call: "/api/admin/pending-registrations?", page: "/admin-registrations?", make: async (by) => by.id, table: "users" },
  tickets: {
    call: "/api/admin/support-tickets?",
    page: "/admin?tab=support",
    make: (by) => id(by.post("/api/support/tickets", { subject: "Help", message: "Please", category: "general" })),
    table: "support_tickets",
  },
  documents: {
    call: "/api/admin/kyc?status=all&",
    page: "/admin?tab=kyc&status=all",
    make: (by) => waitingDocument(app.sql, by.id),
    table: "documents",
  },
  contact: {
    call: "/api/admin/contact-messages?",
    page: "/admin?tab=support&view=contact",
    make: (by) => id(app.stranger().post("/api/contact", { name: "Vera", email: "vera@t.test", subject: "Question", message: by.id })),
    table: "contact_messages",
  },
  positions: { call: "/api/admin/trading-positions?", page: "/admin?tab=trades", make: position, table: "positions" },
  corrections: {
    call: "/api/admin/trades/manipulations?",
    page: "/admin?tab=trades&status=corrections",
    make: async (by) => {
      const at = await position(by);
      await win(ann, at, "5.00");
      return at;
    },
    table: "corrections",
    key: "position_id",
  },
  disputes: {
    call: "/api/admin/disputes?",
    page: "/admin?tab=trades&status=disputes",
    make: async (by) => {
      const at = await position(by);
      await win(ann, at, "5.00");
      return id(by.post(`/api/trading/positions/${at}/dispute`, { message: "No" }));
    },
    table: "disputes",
  },
  "waiting corrections": {
    call: "/api/admin/corrections?",
    page: "/admin?tab=trades&status=waiting",
    make: async (by) => id(lose(ann, await position(by), "10.00")),
    table: "correction_requests",
  },
};

test.each(Object.keys(LISTS))("%s are held to days", async (name) => {
  const { call, page, make, table, key = "id" } = LISTS[name] as List;
  const made: string[] = [];
  for (const at of MOMENTS) {
    const row = await make(await app.trader());
    made.push(row);
    await tamper(app.sql, (tx) => tx`update ${tx(table)} set created_at = ${at}::timestamptz where ${tx(key)} = ${row}`);
  }
  const among = async (search: string) => {
    const { body, status } = await ann.get<Row[]>(`${call}${search}`);
    expect(status).toBe(200);
    return made.map((row) => body.some((each) => each.id === row));
  };
  expect(await among("")).toEqual([true, true, true, true]);
  expect(await among(DAY)).toEqual([false, true, true, false]);
  expect(await among("from=2026-03-02")).toEqual([false, true, true, true]);
  expect(await among("to=2026-03-02")).toEqual([true, true, true, false]);
  expect((await ann.get(`${call}from=yesterday`)).status).toBe(400);
  if (!page) return;
  const { text, status } = await ann.get(`${page}&${DAY}`);
  expect(status).toBe(200);
  expect(text).toContain('value="2026-03-02"');
  expect(made.map((row) => text.includes(row))).toEqual([false, true, true, false]);
});

test("users are found by the state of their identity check", async () => {
  const [one, two] = [await app.trader(), await app.trader()];
  await ann.post(`/api/admin/users/${one.id}/kyc`, { status: "verified", reason: "Passport seen" });
  const found = async (kyc: string) => {
    const { body } = await ann.get<Row[]>(`/api/admin/users?kyc=${kyc}`);
    return [one, two].map((person) => body.some((each) => each.id === person.id));
  };
  expect([await found("verified"), await found("pending"), await found("all")]).toEqual([
    [true, false],
    [false, true],
    [true, true],
  ]);
  expect((await ann.get("/api/admin/users?kyc=maybe")).status).toBe(400);
});
