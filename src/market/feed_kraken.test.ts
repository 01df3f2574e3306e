import { afterEach, expect, test } from "bun:test";
import type { ServerWebSocket } from "bun";
import { HOUR } from "../lib/time";
import { createLog } from "../platform/log";
import { Board, type Tick } from "./board";
import type { Feed } from "./feed";
import { firstListed, holdFirst } from "../testing/instruments";
import { krakenCarries, krakenFeed } from "./feed_kraken";
import { holdListings } from "./listings";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

type Kraken = { url: string; sockets: ServerWebSocket<undefined>[]; asked: { params: { symbol: string[] } }[] };

/** An exchange on this machine that remembers who came and what was asked. */
function exchange(): Kraken {
  const kraken: Kraken = { url: "", sockets: [], asked: [] };
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request, own) => (own.upgrade(request) ? undefined : new Response(null, { status: 400 })),
    websocket: {
      open: (socket: ServerWebSocket<undefined>) => void kraken.sockets.push(socket),
      message: (_, text) => void kraken.asked.push(JSON.parse(String(text))),
    },
  });
  closers.push(() => server.stop(true));
  kraken.url = `ws://127.0.0.1:${server.port}`;
  return kraken;
}

/** Starts a feed and notes what it tells. */
function listen(url: string, silence = HOUR) {
  const told = { ticks: [] as Tick[], heard: 0, withdrawn: [] as (readonly string[] | undefined)[] };
  const feed: Feed = krakenFeed({ url, log: createLog("error", () => {}), clock: () => 1_000, silence, firstWait: 4, longestWait: 20 });
  feed.start({
    tick(tick) {
      told.ticks.push(tick);
      return undefined;
    },
    heard: () => void told.heard++,
    withdraw: (symbols) => void told.withdrawn.push(symbols),
  });
  closers.push(() => feed.stop());
  return { feed, told };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await Bun.sleep(2);
}

const say = (kraken: Kraken, message: object | string) => kraken.sockets.at(-1)?.send(typeof message === "string" ? message : JSON.stringify(message));
const quote = (symbol: string, bid: number, ask: number, more: object = {}) => ({ channel: "ticker", type: "update", data: [{ symbol, bid, ask, ...more }] });

test("it asks for the best bid and ask of every instrument by Kraken's names, and tells ticks by ours", async () => {
  const kraken = exchange();
  const { told } = listen(kraken.url);
  await until(() => kraken.asked.length === 1);
  expect(kraken.asked[0]).toMatchObject({ method: "subscribe", params: { channel: "ticker", event_trigger: "bbo", snapshot: true } });
  const asked = kraken.asked[0]?.params.symbol ?? [];
  expect(asked).toHaveLength(35);
  expect([asked.includes("POL/USD"), asked.includes("MATIC/USD")]).toEqual([true, false]);
  say(kraken, quote("POL/USD", 0.48512, 0.4852));
  say(kraken, quote("SHIB/USD", 0.00001834, 0.00001836, { timestamp: "2026-01-19T12:00:00.250000Z" }));
  await until(() => told.ticks.length === 2);
  expect(told.ticks).toEqual([
    { symbol: "MATIC/USD", bid: 48_512_000, ask: 48_520_000, at: 1_000 },
    { symbol: "SHIB/USD", bid: 1_834, ask: 1_836, at: Date.parse("2026-01-19T12:00:00.250Z") },
  ]);
});

test("heartbeats are signs of life; what can't be read is passed over", async () => {
  const kraken = exchange();
  const { told } = listen(kraken.url);
  await until(() => kraken.asked.length === 1);
  for (const message of [{ channel: "heartbeat" }, "no json", { channel: "ticker", data: [{ symbol: "EUR/USD", bid: "1" }] }, [], 5])
    say(kraken, message as object);
  say(kraken, quote("EUR/USD", 1.1, 1.2));
  await until(() => told.ticks.length === 1);
  expect(told.heard).toBe(6);
});

test("a lost connection is made anew, old prices taken back, all symbols asked for again but the refused", async () => {
  const kraken = exchange();
  const { told } = listen(kraken.url);
  await until(() => kraken.asked.length === 1);
  say(kraken, { method: "subscribe", success: false, symbol: "CAD/JPY", error: "Currency pair not supported CAD/JPY" });
  await until(() => told.withdrawn.length === 2);
  expect(told.withdrawn).toEqual([undefined, ["CAD/JPY"]]);
  kraken.sockets[0]?.close();
  await until(() => kraken.asked.length === 2);
  expect(kraken.asked[1]?.params.symbol).toHaveLength(34);
  await until(() => told.withdrawn.length === 3);
  expect(told.withdrawn[2]).toBeUndefined();
});

test("a silent connection is given up for a new one", async () => {
  const kraken = exchange();
  listen(kraken.url, 50);
  await until(() => kraken.sockets.length === 3);
});

test("while the exchange is in maintenance nothing is vouched for; then a new connection brings new prices", async () => {
  const kraken = exchange();
  const { told } = listen(kraken.url);
  await until(() => kraken.asked.length === 1);
  const status = (system: string) => say(kraken, { channel: "status", type: "update", data: [{ system }] });
  status("online");
  status("maintenance");
  say(kraken, quote("EUR/USD", 1.1, 1.2));
  await until(() => told.withdrawn.length === 2);
  status("online");
  await until(() => kraken.asked.length === 2);
  expect(told.ticks).toEqual([]);
  say(kraken, quote("EUR/USD", 1.1, 1.2));
  await until(() => told.ticks.length === 1);
});

test("a flood is told tick by tick, in order, and the newest is the last", async () => {
  const kraken = exchange();
  const { told } = listen(kraken.url);
  await until(() => kraken.asked.length === 1);
  const many = 20_000;
  for (let n = 1; n <= many; n++) say(kraken, quote(n % 2 ? "EUR/USD" : "BTC/USD", n, n + 1));
  await until(() => told.ticks.length === many);
  expect(told.ticks.map(({ bid }) => bid / 1e8)).toEqual(Array.from({ length: many }, (_, n) => n + 1));
});

test("garbage of every kind is passed over, and prices that can't be true get no further than the board", async () => {
  const kraken = exchange();
  const { told } = listen(kraken.url);
  await until(() => kraken.asked.length === 1);
  const garbage = [
    "",
    "{",
    "null",
    "[[]]",
    `{"channel":"ticker"}`,
    `{"channel":"ticker","data":null}`,
    `{"channel":"ticker","data":[null]}`,
    `{"channel":"ticker","data":[{"symbol":"EUR/USD","bid":1e999,"ask":1}]}`,
    `{"channel":"ticker","data":[{"symbol":"EUR/USD","bid":1,"ask":1,"timestamp":"yesterday"}]}`,
    `{"channel":"ticker","data":[{"symbol":["EUR/USD"],"bid":1,"ask":1}]}`,
    `{"channel":"book","data":[{"symbol":"EUR/USD","bid":1,"ask":1}]}`,
    "x".repeat(100_000),
  ];
  for (const message of garbage) say(kraken, message);
  kraken.sockets.at(-1)?.send(new Uint8Array([0xff, 0xfe, 0]));
  for (const [bid, ask] of [
    [-1, 1],
    [0, 1],
    [2, 1],
  ] as const)
    say(kraken, quote("EUR/USD", bid, ask));
  say(kraken, quote("NO/SUCH", 1, 2));
  say(kraken, quote("EUR/USD", 1.1, 1.2));
  await until(() => told.ticks.some(({ bid }) => bid === 110_000_000));
  const board = new Board({ hours: () => true, clock: () => 1_000, freshness: "feed", time: "real", onFault: () => {} });
  expect(told.ticks.flatMap((tick) => board.accept(tick) ?? []).map(({ symbol, bid }) => [symbol, bid])).toEqual([["EUR/USD", 110_000_000]]);
});

test("symbols that the exchange lacks are marked as having no price, on every connection, and the others are quoted", async () => {
  const kraken = exchange();
  const { told } = listen(kraken.url);
  await until(() => kraken.asked.length === 1);
  const lacking = ["CAD/JPY", "VET/USD", "POL/USD"];
  for (const symbol of lacking) say(kraken, { method: "subscribe", success: false, symbol, error: `Currency pair not supported ${symbol}` });
  // A refusal for another reason is not for ever.
  say(kraken, { method: "subscribe", success: false, symbol: "EUR/USD", error: "Exceeded msg rate" });
  await until(() => told.withdrawn.length === 1 + lacking.length);
  expect(told.withdrawn.slice(1)).toEqual([["CAD/JPY"], ["VET/USD"], ["MATIC/USD"]]);
  say(kraken, quote("EUR/USD", 1.1, 1.2));
  await until(() => told.ticks.length === 1);
  kraken.sockets.at(-1)?.close();
  await until(() => kraken.asked.length === 2);
  const again = kraken.asked[1]?.params.symbol ?? [];
  expect([again.length, again.includes("EUR/USD"), ...lacking.map((symbol) => again.includes(symbol))]).toEqual([32, true, false, false, false]);
});

test("an exchange that drops every connection is asked again at growing distances, never in a storm", async () => {
  let visits = 0;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request, own) => (own.upgrade(request) ? undefined : new Response(null, { status: 400 })),
    websocket: {
      open: (socket) => {
        visits++;
        socket.close();
      },
      message() {},
    },
  });
  closers.push(() => server.stop(true));
  const waits: number[] = [];
  const log = createLog("warn", (line) => void waits.push((JSON.parse(line) as { nextTryInMs: number }).nextTryInMs));
  const feed = krakenFeed({ url: `ws://127.0.0.1:${server.port}`, log, clock: () => 1_000, firstWait: 4, longestWait: 64 });
  feed.start({ tick: () => undefined, heard() {}, withdraw() {} });
  closers.push(() => feed.stop());
  await until(() => visits >= 8);
  const longest = (n: number) => Math.min(64, 4 * 2 ** n);
  for (const [n, wait] of waits.slice(0, 7).entries()) {
    expect(wait).toBeGreaterThanOrEqual(Math.floor(longest(n) / 2));
    expect(wait).toBeLessThanOrEqual(longest(n));
  }
});

test("a stopped feed makes no new connection", async () => {
  const kraken = exchange();
  const { feed } = listen(kraken.url);
  await until(() => kraken.asked.length === 1);
  await feed.stop();
  await Bun.sleep(50);
  expect(kraken.sockets).toHaveLength(1);
});

test("what is listed while it runs is asked for at once, and it says whether it carries a name", async () => {
  const kraken = exchange();
  const { told } = listen(kraken.url);
  await until(() => kraken.asked.length === 1);
  const [known] = firstListed;
  if (!known) throw new Error("nothing is listed");
  holdListings([...firstListed, { ...known, symbol: "EUR/SEK", listing: { ...known.listing, kraken: "EUR/SEKX" } }]);
  await until(() => kraken.asked.length === 2);
  expect(kraken.asked[1]?.params.symbol).toEqual(["EUR/SEKX"]);
  say(kraken, quote("EUR/SEKX", 11.3, 11.4));
  await until(() => told.ticks.length === 1);
  expect(told.ticks[0]?.symbol).toBe("EUR/SEK");
  holdFirst();

  const answers: [object, boolean | null][] = [
    [{ method: "subscribe", success: true, result: { symbol: "EUR/SEKX" } }, true],
    [{ method: "subscribe", success: false, symbol: "EUR/SEKX", error: "Currency pair not supported EUR/SEKX" }, false],
    [{ method: "subscribe", success: false, symbol: "EUR/SEKX", error: "Exceeded msg rate" }, null],
  ];
  for (const [answer, carries] of answers) {
    const before = kraken.asked.length;
    const asked = krakenCarries(kraken.url, "EUR/SEKX");
    await until(() => kraken.asked.length > before);
    say(kraken, answer);
    expect(await asked).toBe(carries);
  }
  expect(await krakenCarries("ws://127.0.0.1:1", "EUR/SEKX")).toBeNull();
});
