import { openSync, closeSync } from "node:fs";
import { expect, test } from "bun:test";
import { lookAtDescriptors, mostDescriptors, openDescriptors } from "./descriptors";

test("descriptors are counted against what the system allows", async () => {
  const before = await openDescriptors();
  const held = Array.from({ length: 50 }, () => openSync("/dev/null", "r"));
  expect(await openDescriptors()).toBeGreaterThanOrEqual(before + 45);
  held.forEach(closeSync);
  expect(mostDescriptors()).toBeGreaterThan(before);
  const limits = (most: string) =>
    `Max processes             63432                63432                processes\nMax open files            ${most}   1048576   files\n`;
  expect(mostDescriptors(() => limits("1024"))).toBe(1024);
  expect(mostDescriptors(() => limits("unlimited"))).toBe(Number.POSITIVE_INFINITY);
  const missing = () => {
    throw new Error("no such file");
  };
  expect(mostDescriptors(missing)).toBe(Number.POSITIVE_INFINITY);
});

test("it is told when four fifths are open, and nothing where the system does not tell", async () => {
  const told: unknown[] = [];
  const look = (count: () => Promise<number>, most: number) => lookAtDescriptors(count, most, (fields) => void told.push(fields));
  await look(async () => 80, 100);
  await look(async () => 81, 100);
  await look(async () => 81, Number.POSITIVE_INFINITY);
  await look(() => Promise.reject(new Error("no such file")), 100);
  expect(told).toEqual([{ open: 81, most: 100 }]);
});
