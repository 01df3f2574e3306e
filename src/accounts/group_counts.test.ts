import { afterAll, beforeAll, expect, test } from "bun:test";
import { type TestApp, testApp } from "../testing/app";
import { counted } from "../testing/money";
import { accountsOf, handHeld, until, waiting, withoutGuard } from "../testing/scenarios";
import { rowsRead, sentBy } from "../testing/statements";
import type { GroupVersion } from "./schema_groups";

/** How many accounts each group has is told without reading accounts. */

let app: TestApp;
let boss: Awaited<ReturnType<TestApp["admin"]>>;
beforeAll(async () => {
  app = await testApp();
  boss = await app.admin();
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

const PATH = "/api/admin/groups";
const GROUPS = ["bronze", "gold", "platinum", "silver"] as const;
/** As the panel tells it, by group. */
const told = async () =>
  Object.fromEntries((await boss.get<GroupVersion[]>(PATH)).body.flatMap(({ id, isInForce, members }) => (isInForce && members > 0 ? [[id, members]] : [])));
/** As the accounts themselves say. */
const there = async () => {
  const rows = await app.sql<{ id: string; members: number }[]>`
    select account_type_id as id, count(*)::integer as members from trading_accounts where status = 'active' group by account_type_id`;
  return Object.fromEntries(rows.map(({ id, members }) => [id, members]));
};
const opened = async (person: Awaited<ReturnType<TestApp["trader"]>>) => (await accountsOf(person))[0]?.id ?? "";
const move = (id: string, group: string, version: number) => boss.post(`/api/admin/trading-accounts/${id}/move`, { group, version, reason: "A test" });

test("accounts that are moved, opened and closed at once are all counted", async () => {
  const people = await Promise.all(Array.from({ length: 20 }, () => app.trader()));
  const ids = await Promise.all(people.map(opened));
  // The administrator has an account, too.
  expect(await told()).toEqual({ starter: 21 });
  const moves = (version: number) => ids.map((id, n) => move(id, GROUPS[(n + version) % GROUPS.length] ?? "", version));
  const registrations = () => Array.from({ length: 10 }, () => app.trader());
  const [first] = await Promise.all([Promise.all(moves(0)), Promise.all(registrations())]);
  expect(counted(first)).toEqual({ 200: 20 });
  expect(await told()).toEqual({ bronze: 5, gold: 5, platinum: 5, silver: 5, starter: 11 });
  // A closing holds the house's money before it is counted, and an opening is counted before it holds it.
  const more = people.map((person) => person.post<{ id: string }>("/api/trading-accounts", { accountTypeId: "silver", isDemo: true }));
  const [second, , third] = await Promise.all([Promise.all(moves(1)), Promise.all(registrations()), Promise.all(more)]);
  expect([counted(second), counted(third)]).toEqual([{ 200: 20 }, { 201: 20 }]);
  const closings = people.map((person, n) => person.post(`/api/trading-accounts/${third[n]?.body.id}/close`));
  const [fourth] = await Promise.all([Promise.all(closings), Promise.all(moves(2)), Promise.all(registrations())]);
  expect(counted(fourth)).toEqual({ 200: 20 });
  expect(await told()).toEqual({ bronze: 5, gold: 5, platinum: 5, silver: 5, starter: 31 });
  expect(await told()).toEqual(await there());
});

test("what is rolled back is not counted", async () => {
  const before = await told();
  const hand = await handHeld(app.db);
  await hand.sql`update trading_accounts set account_type_id = 'gold' where account_type_id = 'starter'`;
  await hand.end();
  expect(await told()).toEqual(before);
});

test("whoever opens an account waits for nobody who counts one, and without the guard does", async () => {
  const id = await opened(await app.trader());
  const moving = async () => {
    const hand = await handHeld(app.db);
    const [row] = await hand.sql<{ group: string }[]>`select account_type_id as group from trading_accounts where id = ${id}`;
    const target = row?.group === "starter" ? "gold" : "starter";
    await hand.sql`update trading_accounts set account_type_id = ${target} where id = ${id}`;
    return hand;
  };
  const hand = await moving();
  await app.trader();
  await hand.commit();
  await hand.end();

  // One row for each group, as where nobody was ever counted beside another.
  await app.sql`
    with gone as (delete from group_counts returning group_id, count)
    insert into group_counts (group_id, count) select group_id, sum(count) from gone group by group_id`;
  const putBack = await withoutGuard(app.sql, "group_count", " skip locked");
  const held = await moving();
  const newcomer = app.trader();
  await until("it waits", async () => (await waiting(app.sql)) > 0);
  await held.commit();
  await held.end();
  await newcomer;
  await putBack();
  expect(await told()).toEqual(await there());
});

test("of five times as many accounts the same rows are read", async () => {
  const { id } = await app.trader();
  const open = (count: number) => app.sql`
    with made as (insert into ledger_accounts (owner_id, book, kind) select ${id}::uuid, 'demo', 'trading' from generate_series(1, ${count}::integer) returning id)
    insert into trading_accounts (user_id, ledger_account_id, account_number, account_type_id, is_demo)
    select ${id}::uuid, made.id, 'MANY' || made.id, 'starter', true from made`;
  const rows = async () => {
    const sent = await sentBy(app.sql, () => boss.get(PATH));
    let sum = 0;
    for (const each of sent.filter(({ text }) => text.includes("group_versions"))) sum += await rowsRead(app.sql, each);
    return sum;
  };
  await open(2000);
  const small = await rows();
  expect(small).toBeGreaterThan(0);
  await open(8000);
  expect(await rows()).toBeLessThanOrEqual(small + 10);
  expect(await told()).toEqual(await there());
});
