import { afterEach, beforeEach, expect, jest, spyOn, test } from "bun:test";
import { openDom, SilentEventSource, type TestDom } from "../../src/testing/dom";
import { Source } from "./stream_source";

let dom: TestDom;
let source: Source | null = null;
beforeEach(async () => {
  dom = await openDom();
  SilentEventSource.opened = [];
});
afterEach(async () => {
  source?.close();
  jest.useRealTimers();
  await dom.close();
});

/** The server refuses the newest connection. */
async function refuse(status: number, retryAfter: string) {
  const asked = spyOn(globalThis, "fetch").mockImplementation(
    (async () => new Response(null, { status, headers: { "Retry-After": retryAfter } })) as unknown as typeof fetch,
  );
  const newest = SilentEventSource.opened.at(-1) as SilentEventSource;
  newest.readyState = SilentEventSource.CLOSED;
  newest.onerror?.();
  for (let n = 0; n < 5; n++) await Promise.resolve();
  asked.mockRestore();
}

test("where there are too many connections it stays away for as long as it was told, whatever wakes the page", async () => {
  jest.useFakeTimers();
  source = new Source(() => "/api/stream", { told: () => {}, state: () => {}, over: () => {} });
  await refuse(429, "30");
  jest.advanceTimersByTime(14_000);
  dom.window.dispatchEvent(new dom.window.Event("online"));
  jest.advanceTimersByTime(15_900);
  expect(SilentEventSource.opened).toHaveLength(1);
  jest.advanceTimersByTime(16_000);
  expect(SilentEventSource.opened.length).toBeGreaterThan(1);
});

test("after a server's failure it comes back soon", async () => {
  jest.useFakeTimers();
  source = new Source(() => "/api/stream", { told: () => {}, state: () => {}, over: () => {} });
  await refuse(503, "5");
  jest.advanceTimersByTime(1_100);
  expect(SilentEventSource.opened).toHaveLength(2);
});
