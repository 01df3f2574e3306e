import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type TestApp, testApp } from "../testing/app";
import { counted, deposit } from "../testing/money";
import { withoutGuard } from "../testing/scenarios";
import { promotions } from "./queries";
import type { Promotion } from "./schema_history";
import type { PromotionVersion, StaffPromotion } from "./schema_promotions";
import type { Deposit, StaffDeposit } from "./schema";

/** What is offered is changed by staff; a deposit earns what was offered when it was made. */

let app: TestApp;
let admin: Awaited<ReturnType<TestApp["admin"]>>;
beforeAll(async () => {
  app = await testApp();
  admin = await app.admin();
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

const set = (body: object, id = "deposit_bonus") =>
  admin.patch<StaffPromotion & { fields?: Record<string, string> }>(`/api/admin/promotions/${id}`, { reason: "A test", ...body });
const now = async () => (await admin.get<StaffPromotion[]>("/api/admin/promotions")).body.find(({ id }) => id === "deposit_bonus") as StaffPromotion;
const offered = async () => (await app.stranger().get<Promotion[]>("/api/promotions")).body.map(({ id }) => id);
const offeredTo = async ({ id: person }: { id: string }) => (await promotions(app.sql, person)).map(({ id }) => id);
const approved = async (made: { body: Deposit }) =>
  (await admin.post<StaffDeposit>(`/api/admin/deposits/${made.body.id}/approve`, { confirmAmount: 6000 })).body.bonusApplied;
const large = { amount: 6000, currency: "USD", method: "bank" };

describe("a promotion", () => {
  test("is changed in part, with its reason, in the audit book and as a version that stays", async () => {
    const before = await now();
    const { status, body } = await set({ amount: 250, endsAt: "2030-01-01T00:00:00Z", countries: "de, FR" });
    expect([status, body]).toEqual([
      200,
      { ...before, amount: "250.00", endsAt: "2030-01-01T00:00:00.000Z", countries: ["DE", "FR"], version: before.version + 1 },
    ]);
    const [newest, first] = (await admin.get<PromotionVersion[]>("/api/admin/promotions/deposit_bonus/versions")).body;
    expect(newest).toMatchObject({
      version: 2,
      amount: "250.00",
      administrator: expect.stringContaining(" "),
      reason: "A test",
      since: expect.stringMatching(/^20/),
    });
    expect(first).toMatchObject({ version: 1, amount: "500.00", administrator: null, reason: null, since: null });
    const [line] = await app.sql`select action, reason, details from admin_actions order by id desc limit 1`;
    expect(line).toMatchObject({ action: "promotion.set", reason: "A test", details: { promotion: "deposit_bonus", version: 2 } });
    await expect(app.sql`update promotion_versions set amount = 1`).rejects.toThrow();
    expect((await app.stranger().get<Promotion[]>("/api/promotions")).body.find(({ id }) => id === "deposit_bonus")).toMatchObject({
      endsAt: "2030-01-01T00:00:00.000Z",
    });
    const page = (await app.stranger().get("/")).text;
    expect(page).toContain("Offered for deposits made before 1 January 2030");
    expect(page).toContain("Only for people who live in Germany or France.");
    expect((await set({ amount: "500", endsAt: null, countries: null })).status).toBe(200);
  });

  test("is paid as it was offered when the deposit was made, whatever it has become since", async () => {
    const [ann, bob] = [await app.trader(), await app.trader()];
    const promised = await deposit(ann, large);
    await set({ amount: 40 });
    const later = await deposit(bob, large);
    await set({ isActive: false });
    expect(await approved(promised)).toBe("500.00");
    expect(await approved(later)).toBe("40.00");
    expect(await offered()).not.toContain("deposit_bonus");
    expect(await approved(await deposit(await app.trader(), large))).toBe("0.00");
    await set({ isActive: true, amount: 500 });
  });

  test("holds from its beginning to its end, and for whom it is", async () => {
    const [ann, bob] = [await app.trader(), await app.trader()];
    await app.sql`update users set country = case id when ${ann.id} then 'DE' else 'AT' end where id in (${ann.id}, ${bob.id})`;
    await set({ countries: ["DE"] });
    expect([await offeredTo(ann), await offeredTo(bob)].map((ids) => ids.includes("deposit_bonus"))).toEqual([true, false]);
    expect(await approved(await deposit(bob, large))).toBe("0.00");
    expect(await approved(await deposit(ann, large))).toBe("500.00");
    await set({ countries: null, startsAt: new Date(Date.now() + 3_600_000).toISOString() });
    expect(await offered()).not.toContain("deposit_bonus");
    await set({ startsAt: null, endsAt: new Date(Date.now() - 1000).toISOString() });
    expect(await offered()).not.toContain("deposit_bonus");
    await set({ endsAt: null });
    expect(await offered()).toContain("deposit_bonus");
  });

  test("is changed by one of many who looked at the same version; without the guard by all", async () => {
    const { version } = await now();
    const tries = () => Promise.all(Array.from({ length: 8 }, (_, n) => set({ amount: 100 + n, version })));
    expect(counted(await tries())).toEqual({ 200: 1, 409: 7 });
    const putBack = await withoutGuard(app.sql, "promotion_set", "if before.version <> seen then", "if false then");
    expect(counted(await tries())).toEqual({ 200: 8 });
    await putBack();
    await set({ amount: 500 });
  });

  test("is refused with the field where it makes no sense", async () => {
    const cases: [object, string][] = [
      [{ amount: 0 }, "amount"],
      [{ amount: "NaN" }, "amount"],
      [{ minimumDeposit: -1 }, "minimumDeposit"],
      [{ turnover: 1.5 }, "turnover"],
      [{ title: " " }, "title"],
      [{ endsAt: "soon" }, "endsAt"],
      [{ startsAt: "2030-01-02T00:00:00Z", endsAt: "2030-01-01T00:00:00Z" }, "endsAt"],
      [{ countries: "DE, XX" }, "countries"],
      [{ reason: "" }, "reason"],
    ];
    for (const [body, field] of cases) {
      const { status, body: refused } = await set(body);
      expect([body, status, Object.keys(refused.fields ?? {})]).toEqual([body, 400, [field]]);
    }
    expect((await set({}, "other_bonus")).status).toBe(404);
  });
});
