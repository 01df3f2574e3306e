import { afterAll, beforeAll, expect, test } from "bun:test";
import { type TestApp, testApp } from "../testing/app";
import { accountsOf, tamper } from "../testing/scenarios";
import { rowsRead, sentBy } from "../testing/statements";
import { MOST_COUNTED, type Timeline } from "./schema_timeline";

/** What a client's timeline reads, of a client and in a house with very many rows. */

let app: TestApp;
let ann: Awaited<ReturnType<TestApp["admin"]>>;
beforeAll(async () => {
  app = await testApp();
  await app.quote("EUR/USD", "1.10000", "1.10010");
  ann = await app.admin();
});
afterAll(() => app.end());

const timeline = async (query: string, id: string) => (await ann.get<Timeline>(`/api/admin/users/${id}/timeline?${query}`)).body;

test("counts no further than it tells, and looks at nobody else's rows, however many the client and the house have", async () => {
  const olga = await app.trader();
  const [account] = await accountsOf(olga);
  const [other] = await accountsOf(await app.trader());
  const read = async (query: string) => {
    const sent = await sentBy(app.sql, () => timeline(query, olga.id));
    const settings = sent.filter(({ text }) => text.startsWith("set local"));
    const lists = sent.filter(({ text }) => /l\.place as href|as kind, least/.test(text));
    expect([lists.length, settings.length]).toEqual([3, 3]);
    let rows = 0;
    for (const list of lists) rows += await rowsRead(app.sql, list, settings.slice(0, 1));
    return rows;
  };
  /** So many times as many closed positions as are counted; those of others were all settled by staff, objected to, and so many that to walk past them is never the cheaper plan. */
  const closeMany = (id: string, times: number, settled: boolean) =>
    tamper(app.sql, async (tx) => {
      await tx`
        with closed as (
          insert into positions (account_id, user_id, symbol, side, amount, volume, leverage, margin, open_price, status, opened_at, close_price, profit, closed_at, close_reason)
          select a.id, a.user_id, 'EUR/USD', 'buy', 100, 50, 100, 1, 2, 'closed', now() - n * interval '1 hour', 2, 1, now() - n * interval '1 hour' + interval '1 minute', ${settled ? "admin" : "trader"}
          from trading_accounts a, generate_series(1, ${times * MOST_COUNTED}::integer) n where a.id = ${id}
          returning id, user_id
        ), settled as (
          insert into corrections (position_id, admin_id, administrator, reason, market_price, market_profit, settled_profit)
          select id, ${ann.id}, 'Ann', 'A test', 2, 1, 2 from closed where ${settled}
          returning position_id
        )
        insert into disputes (position_id, user_id, message) select c.id, c.user_id, 'Why?' from closed c join settled s on s.position_id = c.id`;
      await tx`analyze positions, corrections, disputes`;
    });
  const newcomers = await read("");
  await closeMany(other?.id ?? "", 15, true);
  expect(await read("")).toBeLessThanOrEqual(newcomers + 20);
  await closeMany(account?.id ?? "", 1.2, false);
  // Counted are its beginnings and its ends, each so far; a page is read of each, too.
  expect(await read("limit=5")).toBeLessThan(newcomers + 2 * MOST_COUNTED + 100);
  const { counts, events } = await timeline("limit=5", olga.id);
  expect(counts.find(({ kind }) => kind === "deals")?.count).toBe(MOST_COUNTED);
  expect(events).toHaveLength(5);
});
