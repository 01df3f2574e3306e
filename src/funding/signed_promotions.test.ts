import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { Signature, WaitingSignature } from "../identity/schema_signatures";
import { type Answer, type TestApp, testApp } from "../testing/app";
import { counted, deposit, times } from "../testing/money";
import { handHeld, onlyTwo, setRole, tamper, until, waiting, withoutGuard } from "../testing/scenarios";
import { offersMore } from "./rules_promotions";
import type { StaffDeposit } from "./schema";
import type { StaffPromotion } from "./schema_promotions";

/** A promotion that offers more than what stands takes two: else one person could raise a bonus, and approve the deposit of a friend. */

let app: TestApp;
type Admin = Awaited<ReturnType<TestApp["admin"]>>;
type Said = Answer<StaffPromotion & WaitingSignature & { message: string; fields?: Record<string, string> }>;
let ann: Admin, bob: Admin;
beforeAll(async () => {
  app = await testApp();
});
const FIRST = { title: "Deposit bonus", amount: 500, minimum_deposit: 5000, turnover: 10, is_active: true, starts_at: null, ends_at: null, countries: null };
beforeEach(async () => {
  [ann, bob] = await onlyTwo(app);
  await app.sql`update promotions set ${app.sql(FIRST)} where id = 'deposit_bonus'`;
  // What the test before left waiting.
  await tamper(app.sql, (tx) => tx`update signatures set expires_at = created_at`);
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

const change = (by: Admin, body: object) => by.patch("/api/admin/promotions/deposit_bonus", { reason: "A test", ...body }) as unknown as Promise<Said>;
const sign = (by: Admin, id: string) => by.post<StaffPromotion & { message: string }>(`/api/admin/signatures/${id}/sign`);
const decline = (by: Admin, id: string) => by.post<{ message: string }>(`/api/admin/signatures/${id}/decline`, { reason: "No" });
const queue = async (by: Admin, status = "pending") => (await by.get<Signature[]>(`/api/admin/signatures?status=${status}`)).body;
const now = async () => (await ann.get<StaffPromotion[]>("/api/admin/promotions")).body.find(({ id }) => id === "deposit_bonus") as StaffPromotion;
const actions = async (count: number) =>
  (await app.sql<{ action: string }[]>`select action from admin_actions order by id desc limit ${count}`).map(({ action }) => action);
const LATER = "2090-01-01T00:00:00.000Z";
const STALE = "What this would change is another by now. Decline it, and ask again.";

describe("what offers more", () => {
  test("waits for somebody else, told with all that would be offered, and is paid once that is signed", async () => {
    const before = await now();
    const friend = await app.trader();
    const { body: early } = await deposit(friend, { amount: 6000 });
    const asked = await change(ann, { amount: 100_000, minimumDeposit: 10, turnover: 0 });
    const title = "Deposit bonus: $100,000.00 from a deposit of $10.00; free at once";
    expect([asked.status, asked.body]).toMatchObject([202, { status: "pending_second_approval", deed: "promotion", title }]);
    expect(await now()).toEqual(before);
    expect(await actions(1)).toEqual(["signature.ask"]);
    const [row] = await queue(bob);
    expect(row).toMatchObject({
      ...{ id: asked.body.id, deed: "promotion", permission: "promotions.change", adminUserId: ann.id, reason: "A test" },
      before: { amount: "500.00", minimumDeposit: "5000.00", turnover: 10, version: before.version },
      after: { amount: "100000.00", minimumDeposit: "10.00", turnover: 0, version: before.version },
    });
    expect(await sign(ann, asked.body.id)).toMatchObject({ status: 403, body: { message: "You asked for this. Somebody else signs it." } });
    // What was made meanwhile earns what stands.
    const paid = async (id: string, confirmAmount: number) =>
      (await ann.post<StaffDeposit>(`/api/admin/deposits/${id}/approve`, { confirmAmount })).body.bonusApplied;
    expect(await paid(early.id, 6000)).toBe("500.00");
    expect((await sign(bob, asked.body.id)).status).toBe(200);
    expect(await now()).toMatchObject({ amount: "100000.00", minimumDeposit: "10.00", turnover: 0, version: before.version + 1 });
    expect(await actions(2)).toEqual(["signature.sign", "promotion.set"]);
    expect(await paid((await deposit(await app.trader(), { amount: 20 })).body.id, 20)).toBe("100000.00");
  });

  test("is any one of its terms, whatever the others do; what offers less or the same is done at once", async () => {
    const stands = async (over: object) => void (await app.sql`update promotions set ${app.sql({ ...FIRST, ...over })} where id = 'deposit_bonus'`);
    const [past, older] = [3_600_000, 7_200_000].map((ago) => new Date(Date.now() - ago).toISOString());
    const cases: [stands: object, body: object, status: 200 | 202][] = [
      [{}, { amount: 500.01, minimumDeposit: 9000, turnover: 90 }, 202],
      [{}, { amount: 499.99 }, 200],
      [{}, { minimumDeposit: 4999.99, amount: 1 }, 202],
      [{}, { minimumDeposit: 5000.01 }, 200],
      [{}, { turnover: 9, amount: 1 }, 202],
      [{}, { turnover: 11 }, 200],
      [{}, { isActive: false }, 200],
      [{ is_active: false }, { isActive: true }, 202],
      // Else the second person would be asked for the word 'on' alone.
      [{ is_active: false }, { amount: 501 }, 202],
      [{}, { endsAt: LATER }, 200],
      [{ ends_at: LATER }, { endsAt: null }, 202],
      [{ ends_at: LATER }, { endsAt: "2090-01-01T00:00:01.000Z" }, 202],
      [{ ends_at: LATER }, { endsAt: past }, 200],
      [{ ends_at: past }, { endsAt: null }, 202],
      [{}, { startsAt: LATER }, 200],
      [{ starts_at: LATER }, { startsAt: null }, 202],
      [{ starts_at: LATER }, { startsAt: "2089-01-01T00:00:00Z" }, 202],
      // It holds for deposits made from now on: that it began earlier gives nobody more.
      [{ starts_at: past }, { startsAt: null }, 200],
      [{ starts_at: past }, { startsAt: older }, 200],
      [{ ends_at: older }, { endsAt: past }, 200],
      [{}, { countries: ["DE"] }, 200],
      [{ countries: ["DE", "FR"] }, { countries: ["FR"] }, 200],
      [{ countries: ["DE", "FR"] }, { countries: ["FR", "AT"] }, 202],
      [{ countries: ["DE"] }, { countries: null }, 202],
      [{}, { title: "A bonus", amount: "500.00", minimumDeposit: 5000, turnover: "10", isActive: true, countries: null }, 200],
    ];
    for (const [standing, body, status] of cases) {
      await stands(standing);
      const answer = await change(ann, body);
      expect([standing, body, answer.status]).toEqual([standing, body, status]);
      if (status === 202) expect((await decline(ann, answer.body.id)).status).toBe(200);
    }
    const was = { ...(await now()), amount: "500.00" };
    expect(offersMore(was, was, Date.now())).toBe(false);
  });

  test("is refused before it waits where it makes no sense, or where another version stands", async () => {
    const { version } = await now();
    const wrong = await change(ann, { amount: 600, startsAt: "2091-01-01T00:00:00Z", endsAt: LATER });
    expect([wrong.status, Object.keys(wrong.body.fields ?? {})]).toEqual([400, ["endsAt"]]);
    expect(await change(ann, { amount: 600, version: version - 1 })).toMatchObject({
      status: 409,
      body: { message: "This promotion was changed meanwhile. Look at it again before you change it." },
    });
    expect(await queue(bob)).toEqual([]);
  });

  test("is one person's alone where nobody else may do both, and where the house says so", async () => {
    await setRoleOf(bob, "support");
    expect((await change(ann, { amount: 600 })).status).toBe(200);
    await setRoleOf(bob, "finance");
    expect((await change(ann, { amount: 700 })).status).toBe(202);
    await app.sql`update users set account_status = 'banned' where id = ${bob.id}`;
    expect((await change(ann, { amount: 800 })).status).toBe(200);
    await app.sql`update users set account_status = 'active' where id = ${bob.id}`;
    await app.sql`update signature_rules set is_on = false where deed = 'promotion'`;
    expect((await change(ann, { amount: 900 })).status).toBe(200);
    await app.sql`update signature_rules set is_on = true where deed = 'promotion'`;
  });

  test("is signed by nobody without the permission, nor by whoever became an administrator within a day", async () => {
    const { body } = await change(ann, { amount: 600 });
    await setRoleOf(bob, "dealing");
    expect(await sign(bob, body.id)).toMatchObject({ status: 403, body: { message: "You may not change what is offered for deposits. Ask an owner." } });
    const puppet = await app.trader({ password: "Corr3ct-horse-battery" });
    await app.sql`update users set registration_status = 'approved' where id = ${puppet.id}`;
    await setRole(app.sql, puppet.id, "admin");
    expect(await sign(puppet as Admin, body.id)).toMatchObject({ status: 403, body: { message: expect.stringContaining("less than 24 hours ago") } });
    expect(await now()).toMatchObject({ amount: "500.00" });
  });
});

const setRoleOf = async ({ id }: Admin, role: string) => {
  await app.sql`update users set staff_role = ${role} where id = ${id}`;
  await app.sql`update users set admin_since = null where id = ${id}`;
};

describe("who asked", () => {
  test("takes it back, and may ask again; nobody signs it any more", async () => {
    const first = await change(ann, { amount: 600 });
    expect((await change(ann, { amount: 700 })).status).toBe(409);
    expect((await decline(ann, first.body.id)).status).toBe(200);
    expect(await actions(1)).toEqual(["signature.take_back"]);
    expect(await sign(bob, first.body.id)).toMatchObject({ status: 409 });
    expect((await queue(bob, "withdrawn"))[0]).toMatchObject({ id: first.body.id, decidedBy: "Site Administrator", decisionReason: "No" });
    const again = await change(ann, { amount: 700 });
    expect(again.status).toBe(202);
    expect((await decline(bob, again.body.id)).status).toBe(200);
    expect((await queue(bob, "declined"))[0]).toMatchObject({ id: again.body.id });
    expect(await actions(1)).toEqual(["signature.decline"]);
    expect(await now()).toMatchObject({ amount: "500.00" });
  });
});

describe("at once", () => {
  test("twelve ask, and one waits; twenty sign, and one does; of those who sign, decline and take back one is first", async () => {
    const asked = await times(12, (n) => change(n % 2 ? ann : bob, { amount: 600 + n }));
    expect(counted(asked)).toEqual({ 202: 1, 409: 11 });
    const [held] = (await queue(bob)) as [Signature];
    const signers = await Promise.all(Array.from({ length: 4 }, () => app.admin()));
    const signed = await times(20, (n) => sign(signers[n % 4] as Admin, held.id));
    expect(counted(signed)).toEqual({ 200: 1, 409: 19 });
    const stands = await now();
    expect(stands).toMatchObject({ amount: held.after.amount, version: Number(held.before.version) + 1 });
    for (let round = 1; round <= 5; round++) {
      const before = await now();
      const { body } = await change(ann, { amount: 1000 + round });
      const words = await times(12, async (n) => {
        const by = n % 3 === 2 ? ann : (signers[n % 4] as Admin);
        const isYes = n % 3 === 0;
        return { isYes, answer: await (isYes ? sign : decline)(by, body.id) };
      });
      expect(counted(words.map(({ answer }) => answer as Answer<unknown>))).toEqual({ 200: 1, 409: 11 });
      const won = words.find(({ answer }) => answer.status === 200)?.isYes;
      expect((await now()).version).toBe(before.version + (won ? 1 : 0));
    }
  });

  test("what was asked for is not done over what somebody else changed, before it is signed or while it is; without the guard it would be", async () => {
    const first = await change(ann, { amount: 600 });
    expect((await change(bob, { title: "Another name" })).status).toBe(200);
    expect(await sign(bob, first.body.id)).toMatchObject({ status: 409, body: { message: STALE } });
    expect((await decline(bob, first.body.id)).status).toBe(200);

    /** Somebody changes it while the second person signs: what was asked for was compared, and is not done yet. */
    const overtaken = async () => {
      // Its version is not named, and still counts.
      const { body } = await change(ann, { amount: 600 });
      const hand = await handHeld(app.db);
      await hand.sql`update promotions set minimum_deposit = minimum_deposit + 1 where id = 'deposit_bonus'`;
      const answer = sign(bob, body.id);
      await until("it waits for the promotion", async () => (await waiting(app.sql)) > 0);
      await hand.commit();
      await hand.end();
      const { status } = await answer;
      return [status, (await now()).amount];
    };
    expect(await overtaken()).toEqual([409, "500.00"]);
    const [left] = await queue(bob);
    expect((await decline(bob, left?.id ?? "")).status).toBe(200);
    const putBack = await withoutGuard(app.sql, "promotion_set", "if before.version <> seen then", "if false then");
    expect(await overtaken()).toEqual([200, "600.00"]);
    await putBack();
  });

  test("what offered less when it was asked for is not done alone where it offers more by then", async () => {
    const hand = await handHeld(app.db);
    await hand.sql`select pg_advisory_xact_lock(hashtextextended('promotion deposit_bonus', 7215222))`;
    const answer = change(ann, { amount: 400 });
    await until("it waits for its turn", async () => (await waiting(app.sql)) > 0);
    await hand.sql`update promotions set amount = 100 where id = 'deposit_bonus'`;
    await hand.commit();
    await hand.end();
    expect([(await answer).status, (await now()).amount]).toEqual([409, "100.00"]);
    // Whatever two do at once alone, the lowest stays.
    for (let round = 1; round <= 8; round++) {
      await app.sql`update promotions set amount = 500 where id = 'deposit_bonus'`;
      await times(6, (n) => change(n % 2 ? ann : bob, { amount: 400 - 50 * n }));
      expect((await now()).amount).toBe("150.00");
    }
  });
});
