import { expect, test } from "bun:test";
import { Afterwards } from "./afterwards";

test("waits for what can be answered now, keeps the order, and is done once", async () => {
  const done: string[] = [];
  const later = new Afterwards();
  for (const name of ["first", "second"]) later.add(() => void done.push(name));
  // An answer takes as many turns of promises as it likes.
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
  expect(done).toEqual([]);
  await new Promise(setImmediate);
  expect(done).toEqual(["first", "second"]);
  later.add(() => void done.push("third"));
  later.catchUp();
  expect(done).toEqual(["first", "second", "third"]);
  later.add(() => void done.push("fourth"));
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  expect(done).toEqual(["first", "second", "third", "fourth"]);
});

test("one that fails is told, and the others are done", () => {
  const told: unknown[] = [];
  const done: string[] = [];
  const later = new Afterwards((error) => told.push(error));
  later.add(() => {
    throw new Error("it broke");
  });
  later.add(() => void done.push("the other"));
  later.catchUp();
  expect(done).toEqual(["the other"]);
  expect(told).toEqual([new Error("it broke")]);
});
