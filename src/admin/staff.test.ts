import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { AuditEntry, AuditVerdict } from "../audit/schema";
import type { StaffDeposit } from "../funding/schema";
import { type Answer, type TestApp, testApp } from "../testing/app";
import type { Outcome } from "../lib/outcome";
import type { DepositForecast, DepositsForecast, Waiting } from "./schema";

let app: TestApp;
let admin: Awaited<ReturnType<TestApp["admin"]>>;
beforeAll(async () => {
  app = await testApp();
  await app.quote("EUR/USD", "1.08000", "1.08020");
  admin = await app.admin();
});
afterAll(() => app.end());

const newcomer = async (over: Record<string, unknown> = {}) => {
  const person = await app.trader(over);
  await admin.post(`/api/admin/approve-registration/${person.id}`);
  return person;
};
type Person = Awaited<ReturnType<typeof newcomer>>;

describe("what approval would do", () => {
  const ask = async (person: Person, deposit: Record<string, unknown>) => (await person.post<{ id: string }>("/api/deposits", deposit)).body.id;
  const codeOf = async (person: Person) => (await person.get<{ referralCode: string }>("/api/auth/user")).body.referralCode;
  const bitcoin = { currency: "BTC", method: "crypto", notes: "" };
  const dollars = { currency: "USD", method: "bank", notes: "" };

  /** Forecasts, approves, and holds what was paid to what was said. */
  async function expectAsForecast(id: string, expected: DepositForecast, typed = {}) {
    const { body: forecast } = await admin.get<DepositForecast>(`/api/admin/deposits/${id}/forecast`);
    expect(forecast).toEqual(expected);
    const [before] = await app.sql<{ sum: string }[]>`select coalesce(sum(amount), 0)::text as sum from referral_payments`;
    const { body: done, status } = await admin.post<StaffDeposit>(`/api/admin/deposits/${id}/approve`, typed);
    expect(status).toBe(200);
    expect([done.credited, done.bonusApplied]).toEqual([forecast.creditsUsd, forecast.bonus]);
    const [after] = await app.sql<{ paid: string }[]>`select (coalesce(sum(amount), 0) - ${before?.sum ?? "0"})::text as paid from referral_payments`;
    expect(Number(after?.paid)).toBe(Number(forecast.referral ?? 0));
  }

  test("is what it does: both bonuses, the referrer's, each once", async () => {
    const referrer = await newcomer();
    const person = await newcomer({ referralCode: await codeOf(referrer) });
    const [small, first, second] = [
      await ask(person, { ...dollars, amount: 100 }),
      await ask(person, { ...bitcoin, amount: 5000 }),
      await ask(person, { ...bitcoin, amount: 9000 }),
    ];
    await expectAsForecast(small as string, { creditsUsd: "100.00", bonus: "0.00", referral: "50.00" });
    await expectAsForecast(first as string, { creditsUsd: "5000.00", bonus: "600.00", referral: null });
    await expectAsForecast(second as string, { creditsUsd: "9000.00", bonus: "0.00", referral: null }, { confirmAmount: 9000 });
  });

  test("a first large deposit in dollars forfeits the Bitcoin bonus of a later one", async () => {
    const person = await newcomer();
    await expectAsForecast(await ask(person, { ...dollars, amount: 5000 }), { creditsUsd: "5000.00", bonus: "500.00", referral: null });
    await expectAsForecast(await ask(person, { ...bitcoin, amount: 5000 }), { creditsUsd: "5000.00", bonus: "0.00", referral: null });
  });

  test("follows the price for euros, and says when there is none", async () => {
    const person = await newcomer();
    const euros = await ask(person, { currency: "EUR", method: "bank", notes: "", amount: 1000 });
    const pounds = await ask(person, { currency: "GBP", method: "bank", notes: "", amount: 1000 });
    await expectAsForecast(euros, { creditsUsd: "1080.10", bonus: "0.00", referral: null });
    expect((await admin.get(`/api/admin/deposits/${pounds}/forecast`)).status).toBe(503);
  });

  test("of several is what they pay one after the other, whatever is among them", async () => {
    const person = await newcomer({ referralCode: await codeOf(await newcomer()) });
    const other = await newcomer();
    const ids = [
      await ask(person, { ...dollars, amount: 100 }),
      await ask(person, { ...bitcoin, amount: 5000 }),
      await ask(person, { ...bitcoin, amount: 6000 }),
      await ask(other, { ...dollars, amount: 7000 }),
      await ask(other, { ...bitcoin, amount: 5000 }),
      await ask(other, { currency: "GBP", method: "bank", notes: "", amount: 9000 }),
    ];
    const gone = await ask(other, { ...dollars, amount: 80 });
    await admin.post(`/api/admin/deposits/${gone}/reject`, { reason: "No payment" });
    const forecast = (list: string[], by: Person = admin) => by.post<DepositsForecast>("/api/admin/deposits/forecast", { ids: list });
    const { body } = await forecast([...ids, gone, person.id]);
    expect(body).toEqual({ creditsUsd: "23100.00", bonuses: { count: 2, usd: "1100.00" }, referrals: "50.00" });
    // In another order it is another deposit that earns it, and the Bitcoin bonus is forfeit.
    expect((await forecast([ids[4] ?? "", ids[3] ?? ""])).body).toMatchObject({ bonuses: { count: 1, usd: "600.00" } });
    const paid = async () => (await app.sql<{ usd: string }[]>`select coalesce(sum(amount), 0)::text as usd from referral_payments`)[0]?.usd ?? "0";
    const before = await paid();
    const requests = (await admin.get<{ id: string; amount: string }[]>("/api/admin/deposits?status=pending")).body.filter(({ id }) => ids.includes(id));
    const inOrder = ids.map((id) => ({ id, amount: requests.find((each) => each.id === id)?.amount }));
    const done = (await admin.post<Outcome<StaffDeposit>[]>("/api/admin/deposits/approve", { requests: inOrder, notes: "" })).body;
    const bonuses = done.map(({ done: deposit }) => Number(deposit?.bonusApplied ?? 0));
    expect([bonuses, Number(await paid()) - Number(before), done.at(-1)?.code]).toEqual([[0, 600, 0, 500, 0, 0], 50, "stale_price"]);
    expect((await forecast(ids)).body).toEqual({ creditsUsd: "0.00", bonuses: { count: 0, usd: "0.00" }, referrals: "0.00" });
    for (const list of [[], ["5"], Array(101).fill(gone)]) expect((await forecast(list)).status).toBe(400);
    expect((await forecast(ids, person)).status).toBe(403);
  });

  test("is refused for what is decided or unknown", async () => {
    const person = await newcomer();
    const id = await ask(person, { ...dollars, amount: 70 });
    await admin.post(`/api/admin/deposits/${id}/reject`, { reason: "No payment" });
    const { status, body } = await admin.get(`/api/admin/deposits/${id}/forecast`);
    expect([status, body.message]).toEqual([409, "This deposit is already rejected."]);
    expect((await admin.get(`/api/admin/deposits/${person.id}/forecast`)).status).toBe(404);
    expect((await person.get(`/api/admin/deposits/${id}/forecast`)).status).toBe(403);
  });
});

test("counts what waits", async () => {
  const { body: before } = await admin.get<Waiting>("/api/admin/waiting");
  const person = await app.trader();
  await person.post("/api/deposits", { amount: 50, currency: "USD", method: "card", notes: "" });
  const { body: after } = await admin.get<Waiting>("/api/admin/waiting");
  expect(after).toEqual({ ...before, deposits: before.deposits + 1, registrations: before.registrations + 1 });
});

describe("the audit trail", () => {
  const trail = async (query = "") => (await admin.get<AuditEntry[]>(`/api/admin/audit-trail${query}`)).body;

  test("says who did what to whom, what it changed and why", async () => {
    const person = await app.trader({ firstName: "Audrey", lastName: "Audited" });
    await admin.call("POST", `/api/admin/users/${person.id}/suspend`, { body: { reason: "Odd sign-ins" }, headers: { "user-agent": "Desk/1.0" } });
    const [entry] = await trail();
    expect(entry).toMatchObject({
      action: "user.suspend",
      admin: admin.email,
      adminUserId: admin.id,
      target: person.email,
      targetName: "Audrey Audited",
      reason: "Odd sign-ins",
      userAgent: "Desk/1.0",
    });
    expect(entry?.previousState).toMatchObject({ account_status: "active" });
    expect(entry?.newState).toMatchObject({ account_status: "suspended" });
    expect(Object.keys(entry ?? {})).not.toContain("hash");
  });

  test("is searched by person, reason and action, and filtered by subject", async () => {
    const person = await app.trader();
    await admin.post(`/api/admin/users/${person.id}/ban`, { reason: "100%_sure" });
    for (const q of [person.email, "100%_sure", person.id])
      expect((await trail(`?q=${encodeURIComponent(q)}`)).map(({ reason }) => reason)).toEqual(["100%_sure"]);
    expect(await trail("?q=100x_sure")).toEqual([]);
    const subjects = new Set((await trail("?status=user")).map(({ action }) => action.split(".")[0]));
    expect([...subjects]).toEqual(["user"]);
    expect(await trail("?status=deleted")).toEqual([]);
  });

  test("pages through everything once", async () => {
    const ids: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const answer: Answer<AuditEntry[]> = await admin.get(`/api/admin/audit-trail?limit=3${cursor ? `&cursor=${cursor}` : ""}`);
      ids.push(...answer.body.map(({ id }) => id));
      cursor = answer.headers.get("x-next-cursor");
    }
    const [{ count } = { count: 0 }] = await app.sql<{ count: number }[]>`select count(*) as count from admin_actions`;
    expect(ids).toHaveLength(count);
    expect(ids.map(Number)).toEqual([...ids.map(Number)].sort((a, b) => b - a));
  });

  const BAD = [
    "limit=-1",
    "limit=1000000000",
    "limit=0x10",
    "limit=NaN",
    "cursor='",
    "cursor=99999999999999999999",
    "status=A",
    "q=%00",
    `q=${"a".repeat(8000)}`,
    "__proto__[role]=admin",
  ];
  for (const query of BAD)
    test(`takes or refuses ${query.slice(0, 30)}`, async () => {
      expect((await admin.get(`/api/admin/audit-trail?${query}`)).status).toBeOneOf([200, 400]);
    });

  test("verifies, and names the entry that somebody changed behind its back", async () => {
    const verify = async () => (await admin.get<AuditVerdict>("/api/admin/audit-trail/verify")).body;
    const whole = await verify();
    expect(whole).toMatchObject({ ok: true, faults: [] });
    expect(whole.entries).toBeGreaterThan(5);
    const { sql } = app;
    await sql`alter table admin_actions disable trigger user`;
    const [old] = await sql<{ reason: string }[]>`select reason from admin_actions where id = 3`;
    await sql`update admin_actions set reason = 'Never mind' where id = 3`;
    expect(await verify()).toMatchObject({ ok: false, faults: [{ id: "3" }] });
    await sql`update admin_actions set reason = ${old?.reason ?? ""} where id = 3`;
    await sql`alter table admin_actions enable trigger user`;
    expect((await verify()).ok).toBe(true);
  });

  test("is for administrators alone", async () => {
    const person = await app.trader();
    for (const path of ["/api/admin/audit-trail", "/api/admin/audit-trail/verify", "/api/admin/waiting"]) {
      expect((await person.get(path)).status).toBe(403);
      expect((await app.stranger().get(path)).status).toBe(401);
    }
  });
});
