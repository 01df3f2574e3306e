import { expect, test } from "bun:test";
import { availableParallelism } from "node:os";
import { hashNewcomer, hashPassword, hashesWaiting, pauseAsIfHashed, verifyPassword } from "./password";

test("a hash says how it was made, and holds for its password alone", async () => {
  const hash = await hashPassword("Corr3ct-horse");
  expect(hash).toStartWith("$argon2id$v=19$m=19456,t=2,p=1$");
  expect(await hashPassword("Corr3ct-horse")).not.toBe(hash);
  expect(await verifyPassword("Corr3ct-horse", hash)).toBe(true);
  expect(await verifyPassword("corr3ct-horse", hash)).toBe(false);
  expect(await verifyPassword("Corr3ct-horse ", hash)).toBe(false);
  expect(await verifyPassword("", hash)).toBe(false);
});

test("the same characters typed otherwise are the same password", async () => {
  const hash = await hashPassword("pässwörd");
  expect(await verifyPassword("pa\u0308sswo\u0308rd", hash)).toBe(true);
});

test("without a hash, or with one that is broken, the answer is no", async () => {
  expect(await verifyPassword("Corr3ct-horse", null)).toBe(false);
  for (const broken of ["", "x", "$argon2id$", "$2b$10$abc"]) expect(await verifyPassword("Corr3ct-horse", broken)).toBe(false);
});

test("a flood waits in a queue that has an end, and passes", async () => {
  const lanes = availableParallelism();
  const tries = Array.from({ length: lanes + 201 }, () => verifyPassword("x", "broken").then(String, (error: Error) => error.message));
  const answers = await Promise.all(tries);
  expect(answers.filter((each) => each === "false")).toHaveLength(lanes + 200);
  expect(answers.filter((each) => each.startsWith("Many people are signing in just now"))).toHaveLength(1);
  expect(await verifyPassword("x", "broken")).toBe(false);
});

test("newcomers wait apart: however many there are, who signs in has the next lane but one", async () => {
  await verifyPassword("x", "broken");
  const lanes = availableParallelism();
  const { hash } = Bun.password;
  const running: (() => void)[] = [];
  Bun.password.hash = () => new Promise((done) => running.push(() => done("hash")));
  try {
    const crowd = Array.from({ length: lanes + 201 }, () => hashNewcomer("x").catch(({ message }: Error) => message));
    const proof = verifyPassword("x", "broken");
    for (let freed = 0; freed < 2; freed++) {
      running.shift()?.();
      await Bun.sleep(0);
    }
    expect(await proof).toBe(false);
    expect(hashesWaiting()).toBe(198);
    while (hashesWaiting() > 0 || running.length > 0) {
      running.shift()?.();
      await Bun.sleep(0);
    }
    const answers = await Promise.all(crowd);
    expect(answers.filter((each) => each === "hash")).toHaveLength(lanes + 200);
    expect(answers.filter((each) => each.startsWith("Many people are registering just now"))).toHaveLength(1);
  } finally {
    Bun.password.hash = hash;
  }
});

test("who is not hashed waits as long as the newcomer before was", async () => {
  const { hash } = Bun.password;
  Bun.password.hash = async () => {
    await Bun.sleep(120);
    return "hash";
  };
  try {
    await hashNewcomer("x");
    const began = performance.now();
    await pauseAsIfHashed();
    expect(performance.now() - began).toBeGreaterThan(100);
  } finally {
    Bun.password.hash = hash;
  }
});
