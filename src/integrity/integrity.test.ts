import { afterAll, beforeAll, expect, test } from "bun:test";
import { Reference } from "../market/reference";
import { readConfig } from "../config";
import { createLog } from "../platform/log";
import { openPosition, quoteTwice, win } from "../testing/corrections";
import { fundedTrader, withdrawal } from "../testing/money";
import { type Person, type TestApp, testApp } from "../testing/app";
import { notePrices } from "./commands";
import { writtenFigures } from "./queries";

/** The public page says what the program wrote down, and nothing that it did not. */

let app: TestApp;
let ann: Person & { id: string };
beforeAll(async () => {
  app = await testApp();
  ann = await app.admin();
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

/** What a fresh reader sees: nothing is kept from before. */
const page = async () => (await app.stranger().get(`/integrity?now=${crypto.randomUUID()}`)).text.replaceAll("<!-- -->", "");
const figures = async () => {
  await app.integrity.measure();
  return (await writtenFigures(app.sql))?.figures;
};

test("says 'not enough yet' where there is nothing, and 'not declared', and 'not set'", async () => {
  await app.integrity.measure();
  const html = await page();
  for (const words of ["Not enough yet", "Not declared", "Not set", "What none of this proves", "That prices equal the world’s", "Demonstration"])
    expect(html).toContain(words);
});

test("counts entries, slippage, corrections and payouts from what was booked", async () => {
  await quoteTwice(app, "1.10000", "1.10002");
  const tess = await fundedTrader(app, ann, 500);
  // The account's ask is 1.100175.
  await openPosition(tess, { currentPrice: "1.100175" });
  const { id } = await openPosition(tess, { currentPrice: "1.10016" });
  await win(ann, id, 5);
  const { body } = await withdrawal(tess, { amount: 50 });
  const paid = await ann.post(`/api/admin/withdrawals/${body.id}/approve`, { notes: "paid" });
  expect(paid.status).toBe(200);
  const found = await figures();
  const [entries] = await app.sql<{ n: number }[]>`select count(*)::integer as n from ledger_entries`;
  expect(found?.books).toMatchObject({ off: 0, entries: entries?.n ?? -1 });
  expect(found?.quality).toMatchObject([{ isDemo: true, asRequested: 1, worse: 1, corrections: 1, correctionsAgainst: 0 }]);
  expect(found?.payouts).toMatchObject({ count: 1 });
  expect(found?.losing).toBeNull();
  // Entries of the last hour are counted again, older ones never.
  await app.sql`update integrity_figures set entries = 0, entries_up_to = 0`;
  expect((await figures())?.books.entries).toBe(entries?.n ?? -1);
});

test("orders refused for an old price are counted, once each", async () => {
  const tess = await app.trader();
  app.pass(11_000);
  for (let n = 0; n < 3; n++) expect((await tess.post("/api/trading/positions", { symbol: "EUR/USD", type: "buy", amount: 100 })).status).toBe(503);
  await Promise.all(Array.from({ length: 5 }, () => app.integrity.noteRefusals()));
  const [row] = await app.sql<{ n: number }[]>`select sum(n)::integer as n from refusal_days`;
  expect(row?.n).toBe(3);
  expect((await figures())?.stale).toBe(3);
});

test("a minute of prices is noted once, however many programs do, and one that nobody noted was without", async () => {
  const { market } = app;
  await app.quote("EUR/USD", "1.10000", "1.10002");
  await app.sql`delete from price_minutes`;
  const start = Date.UTC(2026, 10, 20, 12);
  await Promise.all(Array.from({ length: 8 }, () => notePrices(app.context.sql, market, null, start)));
  await notePrices(app.context.sql, market, null, start + 3 * 60_000 + 5_000);
  const rows = await app.sql<{ due: number; fresh: number }[]>`select due, fresh from price_minutes order by at`;
  expect(rows.map(({ due, fresh }) => [due, fresh])).toEqual([
    [35, 1],
    [35, 0],
    [35, 0],
    [35, 1],
  ]);
});

test("prices are held against another feed, minute by minute", async () => {
  const sockets: { send(text: string): unknown }[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request, own) => (own.upgrade(request) ? undefined : new Response(null, { status: 400 })),
    websocket: {
      open: (socket) => void sockets.push(socket),
      message: (socket) => void socket.send(JSON.stringify({ channel: "ticker", type: "snapshot", data: [{ symbol: "BTC/USD", bid: 60_000, ask: 60_002 }] })),
    },
  });
  const config = readConfig({ REFERENCE_FEED: "kraken", REFERENCE_URL: `ws://127.0.0.1:${server.port}` });
  const reference = Reference.of(
    config,
    createLog("error", () => {}),
  );
  try {
    reference?.start();
    while (!reference || reference.distances(app.market).length === 0) {
      await app.quote("BTC/USD", "60060", "60062");
      await Bun.sleep(5);
    }
    await app.sql`delete from price_minutes`;
    const at = Date.now();
    await Promise.all(Array.from({ length: 4 }, () => notePrices(app.context.sql, app.market, reference, at)));
    // 60 of 60,001 are a thousandth: ten hundredths of a percent.
    expect((await figures())?.references).toEqual([{ reference: "kraken", feed: "simulator", compared: 1, median: "10.000", late: "10.000", worst: "10.000" }]);
  } finally {
    await reference?.stop();
    await server.stop(true);
  }
});

test("what the operator holds is declared by staff with a reason, stands in the audit book, and can be taken back", async () => {
  const tess = await app.trader();
  const said = { amount: "1000000", evidence: "Bank letter of 1 November", link: "https://example.com/letter.pdf", reason: "Monthly statement" };
  expect((await tess.post("/api/admin/holdings", said)).status).toBe(403);
  for (const [field, bad] of [
    ["reason", ""],
    ["amount", "lots"],
    ["link", "javascript:alert(1)"],
  ] as const) {
    const { status, body } = await ann.post<{ fields: Record<string, string> }>("/api/admin/holdings", { ...said, [field]: bad });
    expect([status, Object.keys(body.fields ?? {})]).toEqual([400, [field]]);
  }
  expect((await ann.post("/api/admin/holdings", said)).body).toMatchObject({ holding: { amount: "1000000.00", evidence: said.evidence } });
  const [book] = await app.sql<{ action: string; reason: string }[]>`select action, reason from admin_actions order by id desc limit 1`;
  expect(book).toEqual({ action: "holdings.declare", reason: "Monthly statement" });
  await expect(app.sql`update holdings set amount = 1`.then(() => {})).rejects.toThrow();
  expect((await ann.post("/api/admin/holdings", { ...said, amount: "" })).status).toBe(200);
});
