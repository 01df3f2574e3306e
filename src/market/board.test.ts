import { expect, test } from "bun:test";
import { priceUnits } from "../lib/money";
import { DAY, HOUR, SECOND } from "../lib/time";
import { Board, type BoardOptions, type Quote, STALE_AFTER, type Tick } from "./board";
import { marketHours } from "./hours";

const MONDAY = Date.parse("2026-01-19T12:00:00Z");

function setUp(options: Partial<BoardOptions> = {}) {
  const time = { now: MONDAY };
  const faults: unknown[] = [];
  const board = new Board({
    hours: marketHours("always"),
    clock: () => time.now,
    freshness: "symbol",
    time: "real",
    onFault: (error) => faults.push(error),
    ...options,
  });
  const tick = (symbol: string, bid: string, ask = bid, at = time.now): Tick => ({ symbol, bid: priceUnits(bid), ask: priceUnits(ask), at });
  const say = (symbol: string, bid: string, ask = bid) => board.accept(tick(symbol, bid, ask));
  return { board, time, faults, tick, say };
}

test("listeners hear each accepted tick at once, in order and numbered", () => {
  const { board, say, faults } = setUp();
  board.adoptSequence(1_000, 10);
  const heard: Quote[] = [];
  const off = board.onTick((quote) => {
    expect(board.get(quote.symbol)).toBe(quote);
    heard.push(quote);
  });
  board.onTick(() => {
    throw new Error("a listener's own fault");
  });
  say("EUR/USD", "1.10000", "1.10010");
  say("BTC/USD", "97000.00", "97010.00");
  off();
  say("EUR/USD", "1.10001", "1.10011");
  expect(heard.map(({ symbol, seq }) => [symbol, seq])).toEqual([
    ["EUR/USD", 1_000],
    ["BTC/USD", 1_001],
  ]);
  expect(faults).toHaveLength(3);
  expect(board.all().map(({ symbol, seq }) => [symbol, seq])).toEqual([
    ["EUR/USD", 1_002],
    ["BTC/USD", 1_001],
  ]);
  expect(board.sequenceLeft).toBe(7);
});

test("its arrays for queries are written anew where a quote is another, and only there", () => {
  const { board, say } = setUp();
  say("EUR/USD", "1.10000", "1.10010");
  const before = board.arrays();
  expect(before).toEqual({
    symbols: "{EUR/USD}",
    bids: "{1.10000000}",
    asks: "{1.10010000}",
    pips: "{0.00010000}",
    row: '("{EUR/USD}","{1.10000000}","{1.10010000}","{0.00010000}")',
  });
  expect(board.arrays()).toBe(before);
  say("EUR/USD", "0");
  expect(board.arrays()).toBe(before);
  say("BTC/USD", "97000.00");
  expect(board.arrays()).toMatchObject({ symbols: "{EUR/USD,BTC/USD}", pips: "{0.00010000,0.00000000}" });
  const [eur] = board.all();
  board.restore(eur ? [{ ...eur, bid: priceUnits("1.2"), ask: priceUnits("1.3") }] : [], new Map());
  expect(board.arrays()).toMatchObject({ bids: "{1.20000000,97000.00000000}", asks: "{1.30000000,97000.00000000}" });
});

test("what can't be a price is dropped", () => {
  const { board, say } = setUp();
  const bad: Tick[] = [
    { symbol: "EUR/USD", bid: 0, ask: 1, at: MONDAY },
    { symbol: "EUR/USD", bid: -5, ask: 5, at: MONDAY },
    { symbol: "EUR/USD", bid: 6, ask: 5, at: MONDAY },
    { symbol: "EUR/USD", bid: Number.NaN, ask: 5, at: MONDAY },
    { symbol: "EUR/USD", bid: 5, ask: Number.POSITIVE_INFINITY, at: MONDAY },
    { symbol: "EUR/USD", bid: 5.5, ask: 6, at: MONDAY },
    { symbol: "EUR/USD", bid: 5, ask: 6, at: Number.NaN },
    { symbol: "__proto__", bid: 5, ask: 6, at: MONDAY },
  ];
  for (const tick of bad) expect(board.accept(tick)).toBeNull();
  expect(board.counts.dropped).toBe(bad.length);
  expect(board.all()).toEqual([]);
  say("EUR/USD", "1.10000");
  expect(board.accept({ symbol: "EUR/USD", bid: 110_000_000, ask: 110_000_000, at: MONDAY - 1 })).toBeNull();
});

test("a jump waits for a second tick that confirms it", () => {
  const { board, say } = setUp();
  say("EUR/USD", "1.00000");
  expect(say("EUR/USD", "1.05000")).not.toBeNull();
  expect(say("EUR/USD", "1.20000")).toBeNull();
  expect(board.get("EUR/USD")?.bid).toBe(priceUnits("1.05000"));
  expect(say("EUR/USD", "1.20010")?.bid).toBe(priceUnits("1.20010"));
  expect(board.counts.held).toBe(1);
});

test("a jump that the next tick takes back never was", () => {
  const { board, say } = setUp();
  say("EUR/USD", "1.00000");
  expect(say("EUR/USD", "1.20000")).toBeNull();
  expect(say("EUR/USD", "1.00010")).not.toBeNull();
  // Nothing is left of the first jump that could confirm a second.
  expect(say("EUR/USD", "1.20000")).toBeNull();
  expect(say("EUR/USD", "0.80000")).toBeNull();
  expect(board.get("EUR/USD")?.bid).toBe(priceUnits("1.00010"));
});

test("while a jump is held back nobody vouches for the symbol; the next tick at the old level brings it back, and so does one that confirms the jump", () => {
  const { board, time, say } = setUp({ freshness: "feed" });
  say("ETH/USD", "3000.00");
  say("BTC/USD", "97000.00");
  for (const [next, price] of [
    ["3001.00", "3001.00"],
    ["2251.00", "2251.00"],
  ] as const) {
    expect(say("ETH/USD", "2250.00")).toBeNull();
    expect([board.isStale("ETH/USD", time.now), board.vouchesFor("ETH/USD", time.now)]).toEqual([true, false]);
    expect(board.isStale("BTC/USD", time.now)).toBe(false);
    // However long it takes, and whatever other sign of life there is.
    time.now += STALE_AFTER * 2;
    board.heard();
    expect(board.isStale("ETH/USD", time.now)).toBe(true);
    expect(say("ETH/USD", next)?.bid).toBe(priceUnits(price));
    expect(board.isStale("ETH/USD", time.now)).toBe(false);
  }
});

test("an older tick takes back no jump that is held", () => {
  const { board, time, tick, say } = setUp();
  say("ETH/USD", "3000.00");
  say("ETH/USD", "2250.00");
  expect(board.accept(tick("ETH/USD", "3000.00", "3000.00", time.now - 1))).toBeNull();
  expect(board.isStale("ETH/USD", time.now)).toBe(true);
});

test("a tick more than two seconds ahead of the clock is refused and counted, so that no true one is older than it; a replay has a time of its own", () => {
  const { board, time, tick, say } = setUp();
  say("EUR/USD", "1.10000");
  expect(board.accept(tick("EUR/USD", "1.10500", "1.10500", time.now + 2 * SECOND + 1))).toBeNull();
  expect(board.accept(tick("GBP/USD", "1.30000", "1.30000", time.now + HOUR))).toBeNull();
  expect(board.counts).toMatchObject({ accepted: 1, ahead: 2, dropped: 0 });
  time.now += 1;
  expect(say("EUR/USD", "1.10010")).not.toBeNull();
  expect(board.accept(tick("EUR/USD", "1.10020", "1.10020", time.now + 2 * SECOND))).not.toBeNull();
  const replay = setUp({ time: "feed" });
  expect(replay.board.accept(replay.tick("EUR/USD", "1.10000", "1.10000", MONDAY + DAY))).not.toBeNull();
});

test("a symbol whose ticks are only refused goes stale by its own age, however alive the feed; an accepted one makes it fresh", () => {
  const { board, time, tick, say } = setUp({ freshness: "feed" });
  say("EUR/USD", "1.10000");
  say("GBP/USD", "1.30000");
  const refused: (() => Tick)[] = [
    () => tick("EUR/USD", "1.10000", "1.10000", MONDAY - 1),
    () => tick("EUR/USD", "1.10000", "1.10000", time.now + HOUR),
    () => tick("EUR/USD", "1.10010", "1.10000"),
  ];
  for (const next of refused) {
    const since = time.now;
    while (time.now < since + STALE_AFTER) {
      expect(board.isStale("EUR/USD", time.now)).toBe(false);
      time.now += SECOND;
      expect(board.accept(next())).toBeNull();
    }
    expect([board.isStale("EUR/USD", time.now), board.vouchesFor("EUR/USD", time.now)]).toEqual([true, false]);
    expect(board.isStale("GBP/USD", time.now)).toBe(false);
    say("EUR/USD", "1.10000");
  }
});

test("crypto may move by a fifth at once, and no more", () => {
  const { say } = setUp();
  say("BTC/USD", "100.00");
  expect(say("BTC/USD", "120.00")).not.toBeNull();
  expect(say("BTC/USD", "95.00")).toBeNull();
});

test("without ticks of its own for ten seconds a simulated quote is stale", () => {
  const { board, time, say } = setUp();
  expect(board.isStale("EUR/USD", time.now)).toBe(true);
  say("EUR/USD", "1.10000");
  time.now += STALE_AFTER - 1;
  say("BTC/USD", "97000.00");
  expect(board.isStale("EUR/USD", time.now)).toBe(false);
  time.now += 1;
  expect(board.isStale("EUR/USD", time.now)).toBe(true);
  expect(board.isStale("BTC/USD", time.now)).toBe(false);
});

test("where the feed as a whole vouches, its silence makes quotes stale, and a quiet symbol does not", () => {
  const { board, time, say } = setUp({ freshness: "feed" });
  say("EUR/USD", "1.10000");
  for (let n = 0; n < 10; n++) {
    time.now += 5 * SECOND;
    board.heard();
  }
  expect(board.isStale("EUR/USD", time.now)).toBe(false);
  expect(board.isStale("GBP/USD", time.now)).toBe(true);
  expect(board.isStale("EUR/USD", time.now + STALE_AFTER)).toBe(true);
});

test("a price taken back is stale until the symbol's next tick, and one from before the weekend is no price of Monday", () => {
  const { board, time, say } = setUp({ freshness: "feed" });
  say("EUR/USD", "1.10000");
  say("BTC/USD", "97000.00");
  board.withdraw();
  expect(board.isStale("EUR/USD", time.now)).toBe(true);
  say("EUR/USD", "1.10000");
  expect(board.isStale("EUR/USD", time.now)).toBe(false);
  expect(board.isStale("BTC/USD", time.now)).toBe(true);
  time.now += 2 * DAY;
  board.heard();
  expect(board.isStale("EUR/USD", time.now)).toBe(true);
});

test("an earlier run's quotes are shown, stale, and their day goes on", () => {
  const { board, time, say } = setUp();
  const bid = priceUnits("1.10000");
  const start = Date.parse("2026-01-18T22:00:00Z");
  board.restore(
    [{ symbol: "EUR/USD", bid, ask: bid, at: time.now, seq: 5, receivedAt: time.now }],
    new Map([["EUR/USD", { start, open: 1, high: 9, low: 1 }]]),
  );
  expect(board.get("EUR/USD")?.bid).toBe(bid);
  expect(board.isStale("EUR/USD", time.now)).toBe(true);
  say("EUR/USD", "1.10000");
  expect(board.day("EUR/USD")).toEqual({ start, open: 1, high: bid, low: 1 });
});

test("the day's range begins anew at 17:00 in New York", () => {
  const { board, time, say } = setUp();
  for (const price of ["1.10000", "1.12000", "1.09000", "1.10500"]) say("EUR/USD", price);
  expect(board.day("EUR/USD")).toMatchObject({ open: priceUnits("1.1"), high: priceUnits("1.12"), low: priceUnits("1.09") });
  time.now = Date.parse("2026-01-19T22:00:00Z");
  say("EUR/USD", "1.11000");
  expect(board.day("EUR/USD")).toEqual({ start: time.now, open: priceUnits("1.11"), high: priceUnits("1.11"), low: priceUnits("1.11") });
});

test("a replay's hours are those of its file", () => {
  const { board, time, tick } = setUp({ hours: marketHours("real"), time: "feed", freshness: "feed" });
  const saturday = Date.parse("2020-01-04T12:00:00Z");
  board.accept(tick("EUR/USD", "1.10000", "1.10010", saturday));
  expect(board.isOpen("EUR/USD", time.now)).toBe(false);
  expect(board.isOpen("BTC/USD", time.now)).toBe(true);
  board.accept(tick("EUR/USD", "1.10000", "1.10010", saturday + 36 * HOUR));
  expect(board.isOpen("EUR/USD", time.now)).toBe(true);
  expect(board.isOpen("__proto__", time.now)).toBe(false);
});
