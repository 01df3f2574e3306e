import { afterAll, beforeAll, expect } from "bun:test";
import { type TestApp, testApp } from "./app";
import type { Sql } from "../platform/database/db";
import { holdFirst } from "./instruments";
import { tamper } from "./scenarios";

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

/** What was set for an hour later comes in a second, which the program keeps by itself: a busy machine has all the time it needs to look before. */
export async function comesSoon(app: TestApp, symbol: string): Promise<void> {
  await tamper(
    app.sql,
    (tx) => tx`
      update instrument_terms set effective_at = now() + interval '1 second', applies_at = applies_at - effective_at + now() + interval '1 second'
      where symbol = ${symbol} and effective_at > now()
    `,
  );
  app.context.bus.publish("staff", { about: "setting" });
}

/** The version of its instrument's terms that holds for a fill `f` of a position `p` at its moment: that of now, or, while a notice runs, what `p` was opened on. */
export const versionThatHeld = (sql: Sql) => sql`
  select coalesce(max(t.version), 0) as version from instrument_terms t
  where t.symbol = p.symbol and t.effective_at <= f.created_at and (f.kind = 'open' or t.applies_at <= f.created_at or t.version = p.terms_version)
`;
