import { expect, test } from "bun:test";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createLog } from "../platform/log";
import type { Tick } from "./board";
import type { FeedSink } from "./feed";
import { checkTickFile, listedTicks, parseTickLine, readTicks, replayFeed } from "./feed_replay";
import { holdListings } from "./listings";
import { firstListed, holdFirst } from "../testing/instruments";

const night = resolve(import.meta.dir, "../testing/ticks/eurusd-2020-01-01.csv");
const folder = mkdtempSync(join(tmpdir(), "halyard-replay-"));
const quiet = createLog("error", () => {});
const HEADER = "timestamp,symbol,bid,ask\n";
const LINE = "2020-01-01T22:00:00.065Z,EUR/USD,1.121200,1.121720\n";

async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await Bun.write(path, text);
  return path;
}

/** Plays a file to its end, or until `take` says it has enough; returns what was told. */
async function play(path: string, speed: number, options: { take?: number; wait?: () => Promise<void> } = {}): Promise<Tick[]> {
  const told: Tick[] = [];
  const done = Promise.withResolvers<void>();
  const feed = replayFeed({ path, speed, log: quiet, onEnd: done.resolve });
  const sink: FeedSink = {
    tick(tick) {
      told.push(tick);
      if (told.length === options.take) void feed.stop().then(done.resolve);
      return options.wait?.();
    },
    heard() {},
    withdraw() {},
  };
  feed.start(sink);
  await done.promise;
  return told;
}

test("a line is a tick with the file's own time", () => {
  expect(parseTickLine("2020-01-01T22:00:00.065Z,EUR/USD,1.121200,1.121720")).toEqual({
    symbol: "EUR/USD",
    bid: 112_120_000,
    ask: 112_172_000,
    at: Date.parse("2020-01-01T22:00:00.065Z"),
  });
});

test("a line that is none says why", () => {
  const bad = {
    "1,2,3": "expected 4 fields",
    "2020-01-01T22:00:00Z,EUR/USD,1,2,3": "expected 4 fields",
    "2020-01-01 22:00:00,EUR/USD,1,2": "timestamp",
    "2020-01-01T22:00:00+01:00,EUR/USD,1,2": "timestamp",
    "2020-02-30T22:00:00Z,EUR/USD,1,2": "timestamp",
    "2020-01-01T25:00:00Z,EUR/USD,1,2": "timestamp",
    "2020-01-01T22:00:00Z,__proto__,1,2": "symbol is not written",
    "2020-01-01T22:00:00Z,EUR/USD,1e3,2": "bid",
    "2020-01-01T22:00:00Z,EUR/USD,,2": "bid",
    "2020-01-01T22:00:00Z,EUR/USD,1,NaN": "ask",
    "2020-01-01T22:00:00Z,EUR/USD,1, 2": "ask",
  };
  for (const [line, reason] of Object.entries(bad)) expect(() => parseTickLine(line)).toThrow(reason);
});

test("a file that can't be played stops the start with the line at fault", async () => {
  const refused = (path: string) =>
    checkTickFile(path).then(
      () => "played",
      (error) => `${error.constructor.name}: ${error.message}`,
    );
  expect(await refused(join(folder, "missing.csv"))).toBe("ConfigError: FEED_FILE names a file that does not exist");
  expect(await refused(folder)).toStartWith("ConfigError: FEED_FILE ");
  expect(await refused(await file("empty.csv", ""))).toBe("ConfigError: FEED_FILE line 1: the header must be timestamp,symbol,bid,ask");
  expect(await refused(await file("header.csv", `symbol,timestamp,bid,ask\n${LINE}`))).toContain("line 1:");
  expect(await refused(await file("none.csv", HEADER))).toBe("ConfigError: FEED_FILE holds no ticks");
  expect(await refused(await file("third.csv", `${HEADER}${LINE}nonsense\n`))).toBe("ConfigError: FEED_FILE line 3: expected 4 fields, found 1");
  expect(await refused(await file("blank.csv", `${HEADER}${LINE}\n${LINE}`))).toContain("line 3:");
  expect(await refused(await file("back.csv", `${HEADER}${LINE}2020-01-01T21:00:00Z,EUR/USD,1,2\n`))).toContain("line 3: earlier than");
});

test("line ends of either kind, and none at the end, are read alike", async () => {
  const path = await file("crlf.csv", `${HEADER}${LINE}${LINE.trimEnd()}`.replaceAll("\n", "\r\n"));
  expect((await checkTickFile(path)).symbols).toEqual(["EUR/USD"]);
  expect(await Array.fromAsync(readTicks(Bun.file(path)))).toHaveLength(2);
});

test("what is not listed is passed over, each tick keeps its number, and a file's own names lead to ours", async () => {
  const [known] = firstListed;
  if (!known) throw new Error("nothing is listed");
  holdListings([...firstListed, { ...known, symbol: "EUR/SEK", listing: { ...known.listing, replay: "SEKEUR/X1" } }]);
  const lines = ["ABC/DEF,1,2", "EUR/USD,1.1,1.2", "SEKEUR/X1,11.3,11.4"].map((line, n) => `2020-01-01T22:00:0${n}Z,${line}`);
  const ticks = await Array.fromAsync(listedTicks(Bun.file(await file("more.csv", `${HEADER}${lines.join("\n")}\n`))));
  holdFirst();
  expect(ticks.map(({ symbol, number }) => [symbol, number])).toEqual([
    ["EUR/USD", 2],
    ["EUR/SEK", 3],
  ]);
});

test("at full speed every tick of the night is told in order", async () => {
  expect((await checkTickFile(night)).symbols).toEqual(["EUR/USD"]);
  const told = await play(night, Number.POSITIVE_INFINITY);
  expect(told).toHaveLength(9_500);
  expect(told.every((tick, n) => n === 0 || tick.at >= (told[n - 1]?.at ?? 0))).toBe(true);
});

test("at full speed it waits for whoever takes the ticks, and lets others have their turn", async () => {
  let taking = 0;
  let turns = 0;
  const timer = setInterval(() => turns++, 0);
  const told = await play(night, Number.POSITIVE_INFINITY, {
    take: 3_000,
    wait: async () => {
      expect(++taking).toBe(1);
      await Promise.resolve();
      taking--;
    },
  });
  clearInterval(timer);
  expect(told).toHaveLength(3_000);
  expect(turns).toBeGreaterThan(0);
});

test("it keeps the distances of the file, times its speed, and stops in the middle of one", async () => {
  const later = LINE.replace("22:00:00", "22:00:10");
  const path = await file("paced.csv", `${HEADER}${LINE}${later}${later.replace("22:00", "23:00")}`);
  const begun = performance.now();
  expect(await play(path, 100, { take: 2 })).toHaveLength(2);
  expect(performance.now() - begun).toBeGreaterThanOrEqual(99);
  const feed = replayFeed({ path, speed: 1, log: quiet });
  const first = Promise.withResolvers<void>();
  feed.start({ tick: () => first.resolve(), heard() {}, withdraw() {} } as FeedSink);
  await first.promise;
  await feed.stop();
});

test("it goes on in the middle, and counts the ticks from the file's first line", async () => {
  const told: number[] = [];
  const done = Promise.withResolvers<void>();
  const feed = replayFeed({ path: night, speed: Number.POSITIVE_INFINITY, log: quiet, from: 9_498, onEnd: done.resolve });
  feed.start({ tick: (tick) => void told.push(tick.number ?? 0), heard() {}, withdraw() {} });
  await done.promise;
  expect(told).toEqual([9_498, 9_499, 9_500]);
});

test("files of the same ticks are the same file, however their lines end; one digit makes another", async () => {
  const [one, same, other] = [
    await file("one.csv", `${HEADER}${LINE}`),
    await file("same.csv", `${HEADER}${LINE}`.replaceAll("\n", "\r\n")),
    await file("other.csv", `${HEADER}${LINE.replace("1.121200", "1.121201")}`),
  ];
  const prints = await Promise.all([one, same, other].map(async (path) => (await checkTickFile(path)).fingerprint));
  expect(prints[0]).toBe(prints[1] ?? "");
  expect(prints[0]).not.toBe(prints[2] ?? "");
});

test("it stops though a consumer can't go on", async () => {
  const feed = replayFeed({ path: night, speed: Number.POSITIVE_INFINITY, log: quiet });
  const first = Promise.withResolvers<void>();
  feed.start({
    tick() {
      first.resolve();
      return new Promise<void>(() => {});
    },
    heard() {},
    withdraw() {},
  });
  await first.promise;
  await feed.stop();
});
