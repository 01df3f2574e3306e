import { afterAll, afterEach, expect, test } from "bun:test";
import { readConfig } from "../config";
import { localBus } from "../platform/cluster/bus";
import { leadAlone } from "../platform/cluster/leader";
import { createLog } from "../platform/log";
import { testDatabase } from "../testing/database";
import { Board } from "./board";
import { type Feed, FEEDS } from "./feed";
import { marketHours } from "./hours";
import { openMarket } from "./market";
import { Publisher } from "./publisher";

/** Boards of programs that follow, and what becomes of a price where the lead changes. */

const { sql, drop } = await testDatabase();
afterAll(drop);
afterEach(async () => {
  await sql`truncate quotes, ticks, candles`;
});

const log = createLog("error", () => {});
const now = Date.parse("2026-01-19T12:00:00Z");
/** A program that follows, with a feed that never says a word should it lead. */
const follower = async () => {
  const heard = localBus((error) => {
    throw error;
  });
  const feed: Feed = { ...FEEDS.simulator, start: () => {}, stop: async () => {} };
  const market = await openMarket({ sql, config: readConfig({}), log, bus: heard, clock: () => now, feed, follows: true });
  return {
    market,
    heard,
    /** A letter of the program that leads in `epoch`. */
    told: (epoch: number, seq: number, vouched = true) => {
      const quote = { symbol: "BTC/USD", bid: "97000.00", ask: "97001.00", time: new Date(now).toISOString(), seq, stale: !vouched, open: true, vouched };
      heard.publish("feed", { epoch, at: now, heardAt: now, quotes: [quote] });
    },
    bitcoin: () => market.snapshot(["BTC/USD"])[0],
  };
};

test("a jump that is held back on the leader's board withdraws the symbol on the others', until the leader has a price again", async () => {
  const heard = localBus((error) => {
    throw error;
  });
  const feed: Feed = { ...FEEDS.kraken, start: () => {}, stop: async () => {} };
  const clock = () => now;
  const leader = new Board({ hours: marketHours("always"), clock, freshness: "feed", time: "real", onFault: () => {} });
  const publisher = new Publisher(leader, heard, clock);
  publisher.epoch = await leadAlone(sql);
  const market = await openMarket({ sql, config: readConfig({}), log, bus: heard, clock, feed, follows: true });
  const streamed: boolean[] = [];
  heard.subscribe("quotes", (quotes) => streamed.push(...quotes.map(({ stale }) => stale)));
  const say = (bid: number) => {
    leader.accept({ symbol: "ETH/USD", bid, ask: bid, at: now });
    publisher.publish();
    return market.snapshot(["ETH/USD"])[0];
  };
  expect(say(300_000_000_000)).toMatchObject({ bid: "3000.00000000", stale: false });
  expect(say(225_000_000_000)).toMatchObject({ bid: "3000.00000000", stale: true });
  expect(streamed).toContain(true);
  expect(say(300_100_000_000)).toMatchObject({ bid: "3001.00000000", stale: false });
  await market.stop();
});

test("who led before shows nothing of its own lead as fresh, were its numbers newer than what the next leader knew; it asks for the board", async () => {
  const { market, heard, told, bitcoin } = await follower();
  await market.start(await leadAlone(sql));
  const own = market.board.accept({ symbol: "BTC/USD", bid: 9_700_000_000_000, ask: 9_700_100_000_000, at: now });
  expect(bitcoin()).toMatchObject({ stale: false });
  let asked = 0;
  heard.subscribe("board", () => asked++);
  await market.pause();
  expect([bitcoin()?.stale, asked]).toEqual([true, 1]);
  const next = await leadAlone(sql);
  told(next, (own?.seq ?? 0) - 1, false);
  expect(bitcoin()).toMatchObject({ seq: own?.seq, stale: true });
  told(next, (own?.seq ?? 0) + 1);
  expect(bitcoin()).toMatchObject({ seq: (own?.seq ?? 0) + 1, stale: false });
  await market.stop();
});

test("a new lead's first word withdraws what the one before said, newer or not", async () => {
  const { market, told, bitcoin } = await follower();
  told(await leadAlone(sql), 8);
  expect(bitcoin()).toMatchObject({ seq: 8, stale: false });
  told(await leadAlone(sql), 7, false);
  expect(bitcoin()).toMatchObject({ seq: 8, stale: true });
  await market.stop();
});

test("where the line was cut, a program that follows asks for the board, of which it may have missed a withdrawal", async () => {
  const { market, heard } = await follower();
  let asked = 0;
  heard.subscribe("board", () => asked++);
  heard.publish("renewed", {});
  expect(asked).toBe(1);
  await market.stop();
});

test("a program that comes late hears nothing of a lead that is over", async () => {
  const [over, newest] = [await leadAlone(sql), await leadAlone(sql)];
  const { market, told, bitcoin } = await follower();
  told(over, 7);
  expect(bitcoin()).toBeUndefined();
  told(newest, 8);
  expect(bitcoin()).toMatchObject({ seq: 8, stale: false });
  told(over, 9);
  expect(bitcoin()).toMatchObject({ seq: 8, stale: false });
  await market.stop();
});

test("Friday's price is no price of Sunday's opening, for the programs that follow neither", async () => {
  const time = { now: Date.parse("2026-01-16T21:59:00Z") };
  const clock = () => time.now;
  const heard = localBus((error) => {
    throw error;
  });
  const config = readConfig({ MARKET_HOURS: "real" });
  const feed: Feed = { ...FEEDS.kraken, start: () => {}, stop: async () => {} };
  const leader = new Board({ hours: marketHours("real"), clock, freshness: "feed", time: "real", onFault: () => {} });
  const publisher = new Publisher(leader, heard, clock);
  leader.accept({ symbol: "EUR/USD", bid: 110_000_000, ask: 110_010_000, at: time.now });
  publisher.epoch = await leadAlone(sql);
  time.now = Date.parse("2026-01-18T12:00:00Z");
  const market = await openMarket({ sql, config, log, bus: heard, clock, feed, follows: true });
  leader.heard();
  publisher.publishAll();
  expect(market.snapshot(["EUR/USD"])[0]).toMatchObject({ open: false, stale: false });
  time.now = Date.parse("2026-01-18T22:00:00Z");
  leader.heard();
  heard.publish("feed", { epoch: publisher.epoch, at: time.now, heardAt: time.now, quotes: [] });
  expect(leader.isStale("EUR/USD", time.now)).toBe(true);
  expect(market.snapshot(["EUR/USD"])[0]).toMatchObject({ open: true, stale: true });
  await market.stop();
});

test("the next leader vouches for no price of the lead before, until its own feed says one", async () => {
  const { market, told, bitcoin } = await follower();
  told(await leadAlone(sql), 8);
  expect(bitcoin()).toMatchObject({ seq: 8, stale: false });
  await market.start(await leadAlone(sql));
  expect(bitcoin()).toMatchObject({ seq: 8, stale: true });
  market.board.accept({ symbol: "BTC/USD", bid: 9_700_000_000_000, ask: 9_700_100_000_000, at: now });
  expect(bitcoin()?.seq).toBeGreaterThan(8);
  expect(bitcoin()?.stale).toBe(false);
  await market.stop();
});
