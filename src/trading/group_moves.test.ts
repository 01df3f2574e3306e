import { afterAll, beforeAll, expect, test } from "bun:test";
import type { GroupVersion } from "../accounts/schema_groups";
import { type Answer, type Person, type TestApp, testApp } from "../testing/app";
import { counted } from "../testing/money";
import { accountsOf, fundLive, handHeld, heardBy, order, tamper, until, waiting, withoutGuard } from "../testing/scenarios";
import type { HeldAccounts, Moved } from "./schema_moves";

/** A client's account is moved from one group to another: by staff, once, told, and never to worse terms unseen while something is open. */

let app: TestApp;
let ann: Awaited<ReturnType<TestApp["admin"]>>;
beforeAll(async () => {
  app = await testApp();
  ann = await app.admin();
  await app.quote("EUR/USD", "1.10000", "1.10002");
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

type Refused = { code?: string; message?: string; fields?: Record<string, string> };
const held = async ({ id }: Person & { id: string }) => (await ann.get<HeldAccounts>(`/api/admin/users/${id}/trading-accounts`)).body;
const only = async (person: Person & { id: string }) => {
  const [account] = (await held(person)).accounts;
  if (!account) throw new Error("no account");
  return account;
};
const move = (id: string, group: string, more: object = {}, by: Person = ann): Promise<Answer<Moved & Refused>> =>
  by.post<Moved & Refused>(`/api/admin/trading-accounts/${id}/move`, { group, version: 0, reason: "A test", ...more });
/** Opens a group whose terms are worse than a Starter's. */
const dear = (id: string, more: object = {}) =>
  ann.post<GroupVersion>("/api/admin/groups", {
    ...{ id, name: `The ${id}`, spreadPips: "5.0", commission: "7.00", minimumDeposit: 0, leverage: 30, isOpen: false, reason: "A test" },
    ...more,
  });

test("at once where nothing is open: with leverage, told, in the audit book; one of many movers wins, without the guard all do", async () => {
  const tess = await app.trader();
  await dear("dear");
  const heard = heardBy(app, tess);
  const { id, moves, accountNumber } = await only(tess);
  expect(moves).toBe(0);
  const moved = await move(id, "dear");
  expect([moved.status, moved.body.group, Date.parse(moved.body.effectiveAt) <= Date.now()]).toEqual([200, "dear", true]);
  expect(await only(tess)).toMatchObject({ accountTypeId: "dear", leverage: "1:30", moves: 1, waiting: null });
  await until("its owner is told", () => heard.some((told) => told.includes("Your account moves") && told.includes("commission $7.00 a side")));
  const [line] = await app.sql`select action, reason, target_user_id, previous_state, new_state, details from admin_actions order by id desc limit 1`;
  expect(line).toMatchObject({
    ...{ action: "account.move", reason: "A test", target_user_id: tess.id, previous_state: { group: "starter" }, new_state: { group: "dear" } },
    details: { account: accountNumber },
  });

  const race = (version: number) => Promise.all(["gold", "silver", "bronze", "platinum"].map((group) => move(id, group, { version })));
  expect(counted(await race(1))).toEqual({ 200: 1, 409: 3 });
  await move(id, "starter", { version: 2 });
  const putBack = await withoutGuard(app.sql, "account_move", "<> seen then", "< 0 then");
  expect(counted(await race(3))).toEqual({ 200: 4 });
  await putBack();
  await expect(app.sql`update group_moves set reason = 'Another'`).rejects.toThrow();
});

test("to worse terms with a position open only after the notice; a later move takes it back; better terms at once", async () => {
  const tess = await app.trader();
  await dear("worse");
  const { id } = await only(tess);
  await tess.post("/api/trading/positions", order);
  const { body } = await move(id, "worse");
  expect((Date.parse(body.effectiveAt) - Date.now()) / 3_600_000).toBeGreaterThan(23.9);
  expect(await only(tess)).toMatchObject({ accountTypeId: "starter", waiting: { group: "worse", name: "The worse" } });
  // What is about to come keeps the terms that it was told of for the notice, too.
  const before = (await held(tess)).groups.find((group) => group.id === "worse") as GroupVersion;
  const { body: dearer } = await ann.patch<GroupVersion>("/api/admin/groups", { id: "worse", version: before.version, commission: "9", reason: "A test" });
  expect(Date.parse(dearer.appliesAt ?? "") - Date.now()).toBeGreaterThan(3_600_000);
  expect((await move(id, "starter", { version: 1 })).status).toBe(200);
  expect(await only(tess)).toMatchObject({ accountTypeId: "starter", waiting: null, moves: 2 });
  const better = await move(id, "gold", { version: 2 });
  expect(Date.parse(better.body.effectiveAt)).toBeLessThanOrEqual(Date.now());
  expect(await only(tess)).toMatchObject({ accountTypeId: "gold" });
});

test("comes when its time has come, by the program that leads", async () => {
  const tess = await app.trader();
  await dear("soon");
  const { id } = await only(tess);
  await tess.post("/api/trading/positions", order);
  await app.sql`select account_move(${ann.id}, ${id}, 'soon', 0, interval '1 hour', 'A test', '', '')`;
  expect(await only(tess)).toMatchObject({ accountTypeId: "starter", waiting: { group: "soon" } });
  await tamper(app.sql, (tx) => tx`update group_moves set effective_at = clock_timestamp() where account_id = ${id}`);
  await until("it is there", async () => (await only(tess)).accountTypeId === "soon");
  expect(await only(tess)).toMatchObject({ leverage: "1:30", waiting: null });
});

test("an order that is under way counts: the move waits for it, and then for the notice; without the account held it would not", async () => {
  await dear("while");
  const opens = async () => {
    const tess = await app.trader();
    const { id } = await only(tess);
    const hand = await handHeld(app.db);
    await hand.sql`select 1 from trading_accounts where id = ${id} for no key update`;
    const ordered = tess.post("/api/trading/positions", order);
    await until("the order waits", async () => (await waiting(app.sql)) >= 1);
    const moved = move(id, "while");
    await until("the move waits, too", async () => (await waiting(app.sql)) >= 2);
    await hand.commit();
    await hand.end();
    expect((await ordered).status).toBe(201);
    return { effectiveAt: Date.parse((await moved).body.effectiveAt), group: (await only(tess)).accountTypeId };
  };
  const { effectiveAt, group } = await opens();
  expect([effectiveAt > Date.now() + 3_600_000, group]).toEqual([true, "starter"]);
  const putBack = await withoutGuard(app.sql, "account_move", "where id = of_account for update", "where id = of_account");
  const unseen = await opens();
  expect([unseen.effectiveAt > Date.now(), unseen.group]).toEqual([false, "while"]);
  await putBack();
});

test("is refused where its owner may not be, with a sentence and the field", async () => {
  const tess = await app.trader();
  const accountId = await fundLive(app, tess, "1000");
  const short = await move(accountId, "gold");
  expect([short.body.code, short.body.message, short.body.fields]).toEqual([
    "not_funded",
    "Gold asks for $50,000.00 in the account; so far it is $1,000.00.",
    { group: expect.any(String) },
  ]);
  await app.sql`insert into jurisdictions (country, is_served) values ('AQ', false)`;
  await app.sql`update users set country = 'AQ' where id = ${tess.id}`;
  await dear("open", { spreadPips: 1, commission: 0 });
  const abroad = await move(accountId, "open");
  expect([abroad.body.code, abroad.body.message]).toEqual(["not_served", "People who live in this country (AQ) are not served here."]);
  await app.sql`delete from jurisdictions`;
  const cases: [object, number, string | null][] = [
    [{ group: "starter" }, 409, "group"],
    [{ group: "nobody" }, 400, "group"],
    [{ group: "No!" }, 400, "group"],
    [{ version: 7 }, 409, null],
    [{ version: -1 }, 400, "version"],
    [{ reason: " " }, 400, "reason"],
  ];
  for (const [said, status, field] of cases) {
    const answer = await move(accountId, "open", said);
    expect([said, answer.status, Object.keys(answer.body.fields ?? {})]).toEqual([said, status, field ? [field] : []]);
  }
  expect((await move(crypto.randomUUID(), "open")).status).toBe(404);
  const own = (await accountsOf(ann))[0]?.id ?? "";
  expect((await move(own, "gold")).body.code).toBe("forbidden");
  const other = await app.admin();
  await app.sql`update users set staff_role = 'dealing' where id = ${other.id}`;
  expect((await move(accountId, "open", {}, other)).body.message).toBe("You may not move clients between groups. Ask an owner.");
  const later = await dear("later", { effectiveAt: new Date(Date.now() + 600_000).toISOString() });
  expect(later.status).toBe(201);
  expect((await move(accountId, "later")).body.message).toBe("That group is not in force yet.");
  expect((await move(accountId, "open")).status).toBe(200);
});
