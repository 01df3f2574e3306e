import { afterEach, expect, test } from "bun:test";
import { type Socket, connect } from "node:net";
import { createLog } from "../log";
import { Fan, type Stream, Streams, frame } from "./stream";

type Item = { symbol: string; price: string };
const quiet = createLog("error", () => {});
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A server with one path, whose streams start with `begin`. */
function serve(streams: Streams, begin: (stream: Stream) => () => void, stillWelcome?: () => Promise<boolean>) {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request, own) => streams.open({ request, keepOpen: () => own.timeout(request, 0), network: "here", me: null }, begin, { stillWelcome }),
  });
  closers.push(() => server.stop(true));
  return server;
}

const nothing = () => () => {};
const anyone = { keepOpen: () => {}, network: "here", me: null };

/** Reads until `enough` says so, or to the end of the stream. */
async function readUntil(response: Response, enough: (text: string) => boolean): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (enough(text)) break;
  }
  return text;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await Bun.sleep(5);
}

/** A bare connection that has asked for the stream and reads nothing unless told to. */
async function ask(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  await new Promise<void>((resolve) => socket.once("connect", resolve));
  socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  return socket;
}

test("a stream speaks at once and goes on speaking while there is nothing to say", async () => {
  const streams = new Streams({ log: quiet, heartbeat: 20 });
  const response = await fetch(serve(streams, nothing).url);
  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  expect(response.headers.get("cache-control")).toContain("no-transform");
  expect(response.headers.get("x-accel-buffering")).toBe("no");
  const text = await readUntil(response, (soFar) => soFar.split(": still here").length > 3);
  expect(text.startsWith(": open\n")).toBe(true);
  await until(() => streams.count === 0);
});

test("an event is one event, whatever a person wrote into it", () => {
  const text = new TextDecoder().decode(frame("notice", { message: "hi\n\nevent: account\rdata: {}\r\n\r\n" }, 7));
  expect(text.split("\n")).toHaveLength(5);
  expect(text).not.toContain("\r");
  expect(text.startsWith("id: 7\nevent: notice\ndata: {")).toBe(true);
  expect(() => frame("notice\ndata: {}", {})).toThrow(TypeError);
  expect(() => frame("notice", {}, "1\nevent: x")).toThrow(TypeError);
});

test("readers that vanish leave nothing behind", async () => {
  const streams = new Streams({ log: quiet, heartbeat: 50, most: { perNetwork: 500 } });
  const fan = new Fan<Item>("quotes", ({ symbol }) => symbol);
  const server = serve(streams, (stream) => fan.join(stream));
  const sockets = await Promise.all(Array.from({ length: 500 }, () => ask(server.port ?? 0)));
  await until(() => fan.size === 500);
  for (const socket of sockets) socket.resetAndDestroy();
  await until(() => streams.count === 0);
  expect(fan.size).toBe(0);
});

test("a reader that is behind gets the newest of each symbol when it catches up, and no more", async () => {
  const fan = new Fan<Item>("quotes", ({ symbol }) => symbol);
  const streams = new Streams({ log: quiet, patience: 60_000 });
  const request = new Request("http://localhost/");
  const response = streams.open({ request, ...anyone }, (stream) => fan.join(stream));
  closers.push(() => streams.close());
  const filler = "x".repeat(1000);
  for (let n = 1; n <= 5_000; n++) fan.publish([{ symbol: n % 2 ? "EUR/USD" : "BTC/USD", price: `${n} ${filler}` }]);
  const text = await readUntil(response, (soFar) => soFar.includes("5000 x") && soFar.endsWith("\n\n"));
  expect(text.length).toBeLessThan(200_000);
  expect(text).toContain("4999 x");
  expect(text).not.toContain("4998 x");
});

test("a reader that takes nothing is dropped", async () => {
  const streams = new Streams({ log: quiet, heartbeat: 50, patience: 100 });
  const fan = new Fan<Item>("quotes", ({ symbol }) => symbol);
  const socket = await ask(serve(streams, (stream) => fan.join(stream)).port ?? 0);
  closers.push(() => socket.destroy());
  await until(() => fan.size === 1);
  while (streams.count > 0) {
    fan.publish(Array.from({ length: 50 }, (_, n) => ({ symbol: String(n), price: "x".repeat(1000) })));
    await Bun.sleep(1);
  }
  expect(fan.size).toBe(0);
});

test("each reader gets the symbols it asked for", async () => {
  const fan = new Fan<Item>(
    "quotes",
    ({ symbol }) => symbol,
    (items) => items.length,
  );
  const streams = new Streams({ log: quiet });
  const open = (wants?: string[]) =>
    streams.open({ request: new Request("http://localhost/"), ...anyone }, (stream) => fan.join(stream, wants && new Set(wants)));
  const one = open(["EUR/USD"]);
  const all = open();
  const none = open(["BTC/USD"]);
  fan.publish([
    { symbol: "EUR/USD", price: "1" },
    { symbol: "GBP/USD", price: "2" },
  ]);
  streams.close();
  const texts = await Promise.all([one, all, none].map((response) => response.text()));
  expect(texts.map((text) => text.includes("EUR/USD"))).toEqual([true, true, false]);
  expect(texts.map((text) => text.includes("GBP/USD"))).toEqual([false, true, false]);
  expect(texts[1]).toContain("id: 2\nevent: quotes\n");
  for (const text of texts) expect(text).toContain("event: reconnect\n");
});

test("a stream whose session ended closes at the next heartbeat; a check that fails closes nothing", async () => {
  let welcome: boolean | null = null;
  let asked = 0;
  const stillWelcome = async () => {
    asked++;
    if (welcome === null) throw new Error("no database");
    return welcome;
  };
  const streams = new Streams({ log: quiet, heartbeat: 10 });
  const response = await fetch(serve(streams, nothing, stillWelcome).url);
  await until(() => asked > 2);
  expect(streams.count).toBe(1);
  welcome = false;
  await readUntil(response, () => false);
  expect(streams.count).toBe(0);
});

test("a program that shuts down tells every reader to come back, and opens no more", async () => {
  const streams = new Streams({ log: quiet });
  const response = await fetch(serve(streams, nothing).url);
  streams.close();
  expect(await readUntil(response, () => false)).toMatch(/retry: \d+\nevent: reconnect\ndata: \{\}\n\n$/);
  expect(streams.count).toBe(0);
  expect(() => streams.open({ request: new Request("http://localhost/"), ...anyone }, nothing)).toThrow("Too many live connections");
});

test("a request for the head alone opens no stream", () => {
  const streams = new Streams({ log: quiet });
  streams.open({ request: new Request("http://localhost/", { method: "HEAD" }), ...anyone }, nothing);
  expect(streams.count).toBe(0);
});
