import { afterAll, beforeAll, expect, test } from "bun:test";
import { HOUR } from "../lib/time";
import { type TestApp, testApp } from "../testing/app";
import { rowsCounted } from "../testing/scenarios";
import { historyOf } from "./queries";
import type { Position } from "./schema";

let app: TestApp;
beforeAll(async () => void (app = await testApp()));
// Its books are not asked: what is listed here was written by hand, without fills.
afterAll(() => app.end());

test("closed positions of a symbol and a time: those that were opened or closed in it, page by page, however long they were held", async () => {
  const tess = await app.trader();
  const ids: Record<string, string> = {};
  /** Hour by hour of that day; asked for is what was dealt from the first until before the third. */
  const start = Date.UTC(2026, 2, 3);
  for (const [name, symbol, opened, closed] of [
    ["before", "EUR/USD", 0, 0.2],
    ["into", "EUR/USD", 0, 1.2],
    ["across", "EUR/USD", 0, 3.2],
    ["within", "EUR/USD", 1, 1.2],
    ["out", "EUR/USD", 2.9, 3.2],
    ["after", "EUR/USD", 3, 3.2],
    ["pound", "GBP/USD", 1, 1.2],
  ] as const) {
    const at = (hours: number) => new Date(start + hours * HOUR).toISOString();
    const [made] = await app.sql`
      insert into positions (
        account_id, user_id, symbol, side, amount, volume, leverage, margin, open_price, close_price, profit, status, close_reason, created_at, opened_at, closed_at, since_seq
      )
      select a.id, a.user_id, ${symbol}, 'buy', 100, 90, 100, margin_of(100, 100), 1.1, 1.1, 0, 'closed', 'trader', ${at(opened)}, ${at(opened)}, ${at(closed)}, 1
      from trading_accounts a
      where a.user_id = ${tess.id}
      returning id
    `;
    ids[name] = String(made?.id);
  }

  const since = Math.floor(start / 1000) + 3600;
  const had = async (more: Record<string, string>) => {
    const { status, body } = await tess.get<Position[]>(`/api/trading/positions/history?${new URLSearchParams(more)}`);
    expect(status).toBe(200);
    return body;
  };
  const names = (list: Position[]) => list.map(({ id }) => Object.keys(ids).find((name) => ids[name] === id) ?? "").sort();
  const span = { since: String(since), until: String(since + 7200) };
  expect(names(await had({ symbol: "EUR/USD", ...span }))).toEqual(["into", "out", "within"]);
  expect(names(await had(span))).toEqual(["into", "out", "pound", "within"]);
  expect(names(await had({ symbol: "EUR/USD", since: span.since }))).toEqual(["across", "after", "into", "out", "within"]);
  expect(names(await had({ until: span.since }))).toEqual(["across", "before", "into"]);
  const pages: Position[] = [];
  for (let n = 0; n < 3; n++) {
    const last = pages.at(-1);
    pages.push(...(await had({ symbol: "EUR/USD", ...span, limit: "1", ...(last ? { cursor: `${last.closedAt}_${last.id}` } : {}) })));
  }
  expect(names(pages)).toEqual(["into", "out", "within"]);
  // However much was closed since.
  await app.sql`
    insert into positions (
      account_id, user_id, symbol, side, amount, volume, leverage, margin, open_price, close_price, profit, status, close_reason, created_at, opened_at, closed_at, since_seq
    )
    select account_id, user_id, symbol, side, amount, volume, leverage, margin, open_price, close_price, profit, status, close_reason, at, at, at, since_seq
    from positions, generate_series(${new Date(start + 4 * HOUR).toISOString()}::timestamptz, ${new Date(start + 54 * HOUR).toISOString()}, '1 minute') at
    where id = ${ids.pound ?? ""}
  `;
  await app.sql`analyze positions`;
  const read = await app.sql.begin(async (tx) => {
    const before = await rowsCounted(tx, "positions");
    expect((await historyOf(tx, tess.id, { limit: 50, since, until: since + 7200 })).map(({ id }) => id).sort()).toEqual(
      ["into", "out", "pound", "within"].map((name) => ids[name] ?? "").sort(),
    );
    return (await rowsCounted(tx, "positions")) - before;
  });
  expect(read).toBeLessThan(50);
  // Nobody else's.
  const ann = await app.trader();
  expect((await ann.get<Position[]>(`/api/trading/positions/history?${new URLSearchParams(span)}`)).body).toEqual([]);
  for (const query of ["symbol=EUR%2FXXX", "since=yesterday", "until=-1"]) expect((await tess.get(`/api/trading/positions/history?${query}`)).status).toBe(400);
});
