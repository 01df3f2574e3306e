import { expect, spyOn, test } from "bun:test";
import type { AppContext } from "../platform/app_context";
import { localBus } from "../platform/cluster/bus";
import type { Stream } from "../platform/http/stream";
import { Broadcaster } from "./broadcaster";

/** A database with one notification, of a demo account's deal; `held` resolves when it is to be read. So many reads of the outbox leave something in it. */
function withOneDemoDeal(held: Promise<void>, behind = 0) {
  const demo = {
    number: 1,
    id: "n",
    type: "trade",
    title: "New demo trade",
    message: "Ada: BUY EUR/USD for $100.00 on a demo account.",
    userId: null,
    relatedId: null,
    priority: "low",
    metadata: { demo: true },
    createdAt: "2026-01-05T10:00:00.000Z",
    isRead: false,
    readAt: null,
    permission: "trading.view",
  };
  const asked: string[] = [];
  const answer = (text: string): unknown => {
    if (text.includes("notifications_take")) asked.push("outbox");
    if (text.includes("notifications_take"))
      return Promise.resolve([{ last: 1, ownFirst: 1, ownLast: 1, more: asked.filter((each) => each === "outbox").length <= behind }]);
    if (text.includes("coalesce(max(number)")) return Promise.resolve([{ last: 0 }]);
    if (text.includes("order by n.number limit")) {
      asked.push(text.includes("'demo'") ? "without demo" : "all");
      return held.then(() => (text.includes("'demo'") ? [] : [demo]));
    }
    return text.includes("select") && text.includes("unread") ? Promise.resolve([{ unread: 0, last: 1 }]) : text;
  };
  // What answers has the text that it was written with, as the driver's do.
  const sql = (strings: TemplateStringsArray, ...of: unknown[]): unknown => {
    const text = strings.map((part, at) => part + (typeof of[at] === "string" ? of[at] : "")).join("");
    const answered = answer(text);
    return answered instanceof Promise ? Object.assign(answered, { strings }) : answered;
  };
  return { sql, asked };
}

const broadcasterOn = (sql: unknown) => new Broadcaster({ sql, bus: localBus(() => {}), log: { warn: () => {}, error: () => {} } } as unknown as AppContext);

test("deals of demo accounts are not even read while nobody looks, and are where somebody comes meanwhile", async () => {
  const held = Promise.withResolvers<void>();
  const { sql, asked } = withOneDemoDeal(held.promise);
  const broadcaster = broadcasterOn(sql);
  const written: string[] = [];
  const stream = {
    ready: true,
    send: () => {},
    write: (bytes: Uint8Array) => void written.push(new TextDecoder().decode(bytes)),
    end: () => {},
  } as unknown as Stream;
  const woken = broadcaster.wake();
  await Bun.sleep(0);
  expect(asked).toEqual(["outbox", "without demo"]);
  broadcaster.join(stream, { id: "admin", permissions: ["trading.view"] as never }, null);
  held.resolve();
  await woken;
  expect(asked).toEqual(["outbox", "without demo", "all"]);
  expect(written.join("")).toContain("New demo trade");
  await broadcaster.stop();
});

test("while nobody looks the outbox is read four times a second, however many actions come", async () => {
  const { sql, asked } = withOneDemoDeal(Promise.resolve());
  const broadcaster = broadcasterOn(sql);
  const began = performance.now();
  for (let action = 0; action < 25; action++) {
    void broadcaster.wake();
    await Bun.sleep(20);
  }
  const reads = asked.filter((each) => each === "outbox").length;
  expect(reads).toBeGreaterThan(1);
  expect(reads).toBeLessThanOrEqual(2 + (performance.now() - began) / 250);
  await broadcaster.stop();
});

test("what one read of the outbox does not take is read soon, though nobody looks", async () => {
  const { sql, asked } = withOneDemoDeal(Promise.resolve(), 3);
  const broadcaster = broadcasterOn(sql);
  const timers = spyOn(globalThis, "setTimeout");
  await broadcaster.wake();
  const rests = timers.mock.calls.map(([, ms]) => Number(ms));
  timers.mockRestore();
  expect(asked.filter((each) => each === "outbox")).toHaveLength(4);
  expect(Math.max(...rests)).toBeLessThanOrEqual(50);
  await broadcaster.stop();
});
