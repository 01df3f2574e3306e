import { afterAll, beforeAll, expect, test } from "bun:test";
import { type TestApp, testApp } from "../testing/app";
import { ledgerAccount, post, tamper } from "../testing/scenarios";
import { postStatements } from "./commands";

/** The letter of a month's statement goes out once the month is over by UTC, once, to whoever had live money moved in it. */

let app: TestApp;
beforeAll(async () => void (app = await testApp()));
afterAll(() => app.end());

/** Somebody into whose wallet a dollar came at this instant. */
async function paidAt(instant: string, book = "live") {
  const person = await app.trader();
  const to = await ledgerAccount(app.sql, book === "live" ? "wallet" : "trading", person.id, book);
  const entry = await post(app.sql, to, await ledgerAccount(app.sql, book === "live" ? "house_clearing" : "house_demo", null, book), "1.00");
  await tamper(app.sql, (tx) => tx`update ledger_entries set created_at = ${instant} where id = ${entry}`);
  return person;
}
const monthsOf = async ({ id }: { id: string }) =>
  (await app.sql<{ month: string }[]>`select facts ->> 'month' as month from letters where user_id = ${id} and kind = 'statement' order by 1`).map(
    ({ month }) => month,
  );
const at = (instant: string) => postStatements(app.context.sql, instant);

test("what a month's first and last instant booked is in its statement, and its neighbours' is not", async () => {
  const [before, first, last, after] = [
    await paidAt("2025-12-01T00:00:00Z"),
    await paidAt("2026-01-01T00:00:00Z"),
    await paidAt("2026-01-31T23:59:59.999999Z"),
    await paidAt("2026-02-01T00:00:00Z"),
  ];
  const demo = await paidAt("2026-01-15T12:00:00Z", "demo");
  const without = await paidAt("2026-01-15T12:00:00Z");
  expect((await without.patch("/api/user/notices", { email: { statements: false } })).status).toBe(200);
  // The month is not over, and later than its third day it is told no more.
  expect([await at("2026-01-31T23:59:59.999Z"), await at("2026-02-04T00:00:00Z")]).toEqual([0, 0]);
  // Two programs that both believe to lead, an hour later again, and on the third day.
  const counts = await Promise.all(Array.from({ length: 10 }, () => at("2026-02-01T00:00:00Z")));
  expect(counts.reduce((sum, count) => sum + count)).toBe(2);
  expect([await at("2026-02-01T01:00:00Z"), await at("2026-02-03T23:59:59Z")]).toEqual([0, 0]);
  expect(await Promise.all([before, first, last, after, demo, without].map(monthsOf))).toEqual([[], ["2026-01"], ["2026-01"], [], [], []]);
  // Over the year's end the month is December of the year before.
  expect(await at("2026-01-01T00:00:00Z")).toBe(1);
  expect(await at("2026-03-01T00:00:00Z")).toBe(1);
  expect(await Promise.all([before, first, after].map(monthsOf))).toEqual([["2025-12"], ["2026-01"], ["2026-02"]]);
  // The page that the letter leads to counts the same instants.
  for (const [person, month] of [
    [before, "2025-12"],
    [first, "2026-01"],
    [last, "2026-01"],
    [after, "2026-02"],
  ] as const) {
    expect((await person.get(`/statements/wallet?month=${month}`)).text).toContain("A test");
    const next = month === "2026-02" ? "2026-01" : "2026-02";
    expect((await person.get(`/statements/wallet?month=${next}`)).text).not.toContain("A test");
  }
});
