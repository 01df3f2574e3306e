import { expect, test } from "bun:test";
import { Patience } from "./patience";

test("each hears what its promise brings in time, or null when its own time is over, and an error as it is", async () => {
  const patience = new Patience(30);
  const slow = Promise.withResolvers<string>();
  const late = Promise.withResolvers<string>();
  const began = performance.now();
  const first = patience.wait(slow.promise);
  const failing = patience.wait(Promise.reject(new Error("broken")));
  expect(await patience.wait(Promise.resolve("at once"))).toBe("at once");
  expect(failing).rejects.toThrow("broken");
  await Bun.sleep(15);
  const second = patience.wait(late.promise);
  expect(await first).toBeNull();
  const waited = performance.now() - began;
  expect(waited).toBeGreaterThanOrEqual(29);
  expect(await second).toBeNull();
  expect(performance.now() - began).toBeGreaterThanOrEqual(44);
  // What comes too late is told to nobody, and the next one is watched again.
  late.reject(new Error("too late"));
  slow.resolve("too late");
  expect(await patience.wait(new Promise(() => {}))).toBeNull();
});
