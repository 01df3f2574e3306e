import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type TestApp, testApp } from "../testing/app";
import { deposit } from "../testing/money";
import { fundLive, order } from "../testing/scenarios";
import { rowsRead, type Sent, sentBy } from "../testing/statements";

/** What the pages of the signed-in ask of the database: one statement each, session included, which reads no more the longer somebody has traded. */

const PAGES = ["/dashboard", "/traders-portal", "/accounts", "/profile", "/trading"];

let app: TestApp;
let trader: Awaited<ReturnType<TestApp["trader"]>>;

beforeAll(async () => {
  app = await testApp();
  await app.quote("EUR/USD", "1.10000", "1.10002");
  trader = await app.trader();
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

const asked = (path: string, person = trader) =>
  sentBy(app.sql, async () => {
    const { status, text } = await person.get(path);
    expect(status).toBe(200);
    expect(text).toContain("</html>");
  });

describe.each(PAGES)("%s", (path) => {
  test("is read by one statement, with whose session it is", async () => {
    await trader.get(path);
    const sent = await asked(path);
    expect(sent.map(({ text }) => text.trim().slice(0, 40))).toHaveLength(1);
    expect(sent[0]?.text).toContain("session_person(");
  });

  test("is shown to nobody whose session has ended meanwhile", async () => {
    const person = await app.trader();
    expect((await person.get(path)).status).toBe(200);
    await app.sql`delete from sessions where user_id = ${person.id}`;
    const { status, headers } = await person.get(path);
    expect(status).toBe(302);
    expect(headers.get("location")).toBe(`/login?returnTo=${encodeURIComponent(path)}`);
  });
});

/** Somebody with a bonus, on a live account, who trades so many times. */
async function busyTrader() {
  const person = await app.trader();
  const account = await fundLive(app, person, "5000.00");
  const { body } = await deposit(person, { amount: 5000 });
  expect((await (await app.admin()).post(`/api/admin/deposits/${body.id}/approve`)).status).toBe(200);
  const trade = async (times: number) => {
    for (let n = 0; n < times; n++) {
      const opened = await person.post<{ id: string }>("/api/trading/positions", { ...order, accountId: account, amount: 10 });
      expect(opened.status).toBe(201);
      expect((await person.post(`/api/trading/positions/${opened.body.id}/close`)).status).toBe(200);
    }
  };
  return { person, account, trade };
}

test("no page reads more rows for a long history than for a short one", async () => {
  const { person, trade } = await busyTrader();
  const readNow = async () => {
    const read: Record<string, number> = {};
    for (const path of PAGES) {
      await person.get(path);
      const [sent] = await asked(path, person);
      read[path] = await rowsRead(app.sql, sent as Sent);
    }
    return read;
  };
  await trade(12);
  const short = await readNow();
  await trade(60);
  const long = await readNow();
  expect(long).toEqual(short);
  // The bonus is still held back, so that it was read.
  expect((await person.get<{ locked: string }>("/api/user/bonus")).body.locked).toBe("500.00");
});

test("nor does a call for figures or the first of a list, once there are more than it shows", async () => {
  const { person, account, trade } = await busyTrader();
  const calls = ["/", "/positions/new", "/api/dashboard", "/api/overview", "/api/trading-accounts", `/api/trading-accounts/${account}/result`];
  calls.push("/api/user/financials", "/api/user/bonus", "/api/transactions", "/api/trading/positions/open");
  const readNow = async () => {
    const read: Record<string, number> = {};
    for (const path of calls) {
      await person.get(path);
      const sent = await sentBy(app.sql, async () => expect((await person.get(path)).status).toBe(200));
      read[path] = 0;
      for (const each of sent) read[path] += await rowsRead(app.sql, each);
    }
    return read;
  };
  await trade(60);
  const short = await readNow();
  await trade(60);
  const long = await readNow();
  // A plan that statistics have changed meanwhile may read fewer.
  expect(Object.entries(long).filter(([path, rows]) => rows > (short[path] ?? 0))).toEqual([]);
});
