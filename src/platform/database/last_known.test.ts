import { expect, test } from "bun:test";
import { lastKnown } from "./last_known";

test("what was known is told while the database is away, for each key apart; what was never known, and other faults, are not covered up", async () => {
  let fault: Error | null = null;
  let asked = 0;
  const ask = lastKnown(async (key: string) => {
    if (fault) throw fault;
    return `${key}${++asked}`;
  });
  expect(await ask("a")).toBe("a1");
  fault = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
  expect(await ask("a")).toBe("a1");
  expect(async () => await ask("b")).toThrow("ECONNREFUSED");
  fault = new Error("a fault of ours");
  expect(async () => await ask("a")).toThrow("a fault of ours");
  fault = null;
  expect(await ask("a")).toBe("a2");
});

test("what was known is told also while the database is too slow, and the late answer is known then", async () => {
  let answer = Promise.resolve("first");
  const ask = lastKnown((_key: string) => answer, 10);
  expect(await ask("a")).toBe("first");
  const late = Promise.withResolvers<string>();
  answer = late.promise;
  expect(await ask("a")).toBe("first");
  late.resolve("second");
  await late.promise;
  answer = new Promise(() => {});
  expect(await ask("a")).toBe("second");
});
