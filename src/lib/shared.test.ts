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
    { now: () => clock },
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

test("what is over by a little is given while one asks anew, as long as it says; what can't be renewed stands for that time", async () => {
  let clock = 0;
  const asked: ((answer: number) => void)[] = [];
  const failed: ((error: Error) => void)[] = [];
  const ask = shared(
    10,
    () =>
      new Promise<number>((resolve, reject) => {
        asked.push(resolve);
        failed.push(reject);
      }),
    { stale: (answer) => answer, now: () => clock },
  );
  const first = ask("all");
  expect(ask("all")).toBe(first);
  asked[0]?.(100);
  expect(await first).toBe(100);
  clock = 10;
  expect([await ask("all"), await ask("all"), asked.length]).toEqual([100, 100, 2]);
  failed[1]?.(new Error("away"));
  await Bun.sleep(0);
  expect([await ask("all"), asked.length]).toEqual([100, 3]);
  asked[2]?.(0);
  await Bun.sleep(0);
  // This one says that it may not be given for longer.
  expect([await ask("all"), asked.length]).toEqual([0, 3]);
  clock = 20;
  const waits = ask("all");
  expect(asked).toHaveLength(4);
  asked[3]?.(5);
  expect(await waits).toBe(5);
});

test("what took long is asked for again later, as its answer says", async () => {
  let clock = 0;
  let asked = 0;
  const ask = shared(
    10,
    async (took: number) => {
      clock += took;
      return ++asked;
    },
    { stale: () => 1000, rest: (answer) => (answer === 1 ? 20 : 0), now: () => clock },
  );
  expect(await ask(5)).toBe(1);
  clock = 104;
  expect([await ask(5), asked]).toEqual([1, 1]);
  clock = 105;
  expect([await ask(5), asked]).toEqual([1, 2]);
  // This one says that it need not rest: its time is what is given for all, from when it was asked for.
  clock = 114;
  expect([await ask(5), asked]).toEqual([2, 2]);
  clock = 115;
  await ask(5);
  expect(asked).toBe(3);
});
