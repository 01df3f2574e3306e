import { afterEach, expect, jest, test } from "bun:test";
import { whenIdle } from "./idle";

/** A page that has loaded, in a browser that is idle when the test says so, and does what its time limit asks when it never is. */
const before = new Map<string, PropertyDescriptor | undefined>();
const put = (name: string, value: unknown) => {
  before.set(name, before.get(name) ?? Object.getOwnPropertyDescriptor(globalThis, name));
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
};
afterEach(() => {
  jest.useRealTimers();
  for (const [name, was] of before)
    if (was) Object.defineProperty(globalThis, name, was);
    else delete (globalThis as Record<string, unknown>)[name];
  before.clear();
});

test("what waits for an idle moment is done in the end where the browser never has one", () => {
  jest.useFakeTimers();
  put("document", { readyState: "complete" });
  put("requestIdleCallback", (task: () => void, options?: IdleRequestOptions) => {
    if (options?.timeout) setTimeout(task, options.timeout);
    return 1;
  });
  const done = jest.fn();
  whenIdle(done);
  jest.advanceTimersByTime(1000);
  expect(done).not.toHaveBeenCalled();
  jest.advanceTimersByTime(1000);
  expect(done).toHaveBeenCalledTimes(1);
});

test("it waits for the page to have loaded, and needs no browser that knows idle moments", () => {
  jest.useFakeTimers();
  let loaded = () => {};
  put("document", { readyState: "interactive" });
  put("addEventListener", (_: string, listener: () => void) => void (loaded = listener));
  const done = jest.fn();
  whenIdle(done);
  jest.advanceTimersByTime(5000);
  expect(done).not.toHaveBeenCalled();
  loaded();
  jest.advanceTimersByTime(1);
  expect(done).toHaveBeenCalledTimes(1);
});
