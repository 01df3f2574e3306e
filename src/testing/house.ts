import { afterAll, beforeAll, expect } from "bun:test";
import { type TestApp, testApp } from "./app";
import { holdFirst } from "./instruments";

type House = { app: TestApp; ann: Awaited<ReturnType<TestApp["admin"]>> };

/**
 * A program with an administrator for all tests of a file, which change instruments or groups: begun before them, and after them ended without a fault,
 * with the instruments of the process put back.
 */
export function inHouse(take: (house: House) => void): void {
  let app: TestApp;
  beforeAll(async () => {
    app = await testApp();
    take({ app, ann: await app.admin() });
  });
  afterAll(async () => {
    expect(await app.faults()).toEqual([]);
    await app.end();
    holdFirst();
  });
}
