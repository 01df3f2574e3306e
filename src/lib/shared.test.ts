import { expect, test } from "bun:test";
import { shared } from "./shared";

test("one asking answers all for its time, for each key apart, and a failure is not kept", async () => {
  let clock = 0;
  let asked = 0;
  let fails = false;
  const ask = shared(
    100,
    async (key: string) => {
      asked++;
      if (fails) throw new Error("away");
      return `${key}${asked}`;
    },
    () => clock,
  );
  expect(await Promise.all([ask("a"), ask("a"), ask("b")])).toEqual(["a1", "a1", "b2"]);
  clock = 99;
  expect(await ask("a")).toBe("a1");
  clock = 100;
  fails = true;
  expect(async () => await ask("a")).toThrow("away");
  await Bun.sleep(0);
  fails = false;
  expect(await ask("a")).toBe("a4");
});
