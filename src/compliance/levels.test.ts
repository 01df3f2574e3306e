import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Person, type TestApp, testApp } from "../testing/app";
import { png } from "../testing/files";
import { approvedWithMoney } from "../testing/letters";
import { counted, deposit, type Signed, times, withdrawal } from "../testing/money";
import { withoutGuard } from "../testing/scenarios";
import type { LevelRule } from "./schema_rules";

/** What levels of verification open, as the operator sets it. */

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

const OPEN = { liveTrading: true, bankDeposits: true, cardDeposits: true, cryptoDeposits: true, withdrawnDay: null, withdrawnMonth: null };
const set = (level: number, rule: object, by: Person = ann) => by.post<LevelRule[]>(`/api/admin/verification-levels/${level}`, { ...OPEN, ...rule });
const reset = async () => {
  for (const level of [0, 1, 2, 3]) expect((await set(level, {})).status).toBe(200);
};

/** Sends a document and has it accepted. */
async function accepted(person: Signed, kind: string) {
  const form = new FormData();
  form.set("kind", kind);
  form.set("file", new File([png() as BlobPart], "a.png"));
  const answer = await app.router.handle(
    new Request("http://halyard.test/api/kyc/documents", { method: "POST", body: form, headers: { Cookie: person.cookie } }),
  );
  const { id } = (await answer.json()) as { id: string };
  expect((await ann.post(`/api/admin/kyc/documents/${id}/approve`)).status).toBe(200);
}
const verified = (person: Signed) => app.sql`update users set is_email_verified = true where id = ${person.id}`;

test("at first every level opens all, and only staff with a fresh proof change that, with a line in the book", async () => {
  const tess = await app.trader();
  const first = (await ann.get<LevelRule[]>("/api/admin/verification-levels")).body;
  expect(first).toEqual([0, 1, 2, 3].map((level) => ({ level, ...OPEN, version: expect.any(String) })) as LevelRule[]);
  expect((await set(1, {}, tess)).status).toBe(403);
  const stale = await app.admin();
  await app.sql`update sessions set confirmed_at = now() - interval '1 hour', created_at = now() - interval '1 hour' where user_id = ${stale.id}`;
  expect((await set(1, {}, stale)).body).toMatchObject({ code: "reauth_required" });
  for (const wrong of [{ withdrawnDay: "-1" }, { withdrawnDay: "1e3" }, { withdrawnMonth: "NaN" }, { liveTrading: "perhaps" }])
    expect((await set(1, wrong)).status).toBe(400);
  expect((await ann.post("/api/admin/verification-levels/4", OPEN)).status).toBe(404);
  expect((await set(1, { withdrawnDay: "500" })).body[1]).toEqual({ level: 1, ...OPEN, withdrawnDay: "500.00", version: expect.any(String) } as LevelRule);
  const [line] =
    await app.sql`select new_state -> '1' ->> 'withdrawn_day' as day from admin_actions where action = 'verification.levels' order by id desc limit 1`;
  expect(line?.day).toBe("500.00");
  await reset();
});

test("a level is changed by one of many who looked at the same version; without the guard by all, and by who names none", async () => {
  const now = async () => (await ann.get<LevelRule[]>("/api/admin/verification-levels")).body[2] as LevelRule;
  const { version } = await now();
  const tries = (seen: object) => times(8, (n) => set(2, { withdrawnDay: String(101 + n), ...seen }));
  const answers = await tries({ version });
  expect(counted(answers)).toEqual({ 200: 1, 409: 7 });
  const won = answers.findIndex(({ status }) => status === 200);
  const stands = await now();
  expect([stands.withdrawnDay, stands.version === version]).toEqual([`${101 + won}.00`, false]);
  expect((await set(2, { version })).body).toMatchObject({ message: "This level was changed meanwhile. Look at it again before you change it." });
  // Another level's change is none of this one's.
  expect((await set(3, { withdrawnDay: "77" })).status).toBe(200);
  expect((await set(2, { withdrawnDay: "99", version: stands.version })).status).toBe(200);
  expect(counted(await tries({}))).toEqual({ 200: 8 });
  const putBack = await withoutGuard(app.sql, "level_rules_set", "version_of(to_jsonb(r)) <> seen", "false");
  expect(counted(await tries({ version }))).toEqual({ 200: 8 });
  await putBack();
  for (const wrong of [7, "", "a b", null]) expect((await set(2, { version: wrong })).status).toBe(400);
  await reset();
});

describe("withdrawals", () => {
  test("are held to what the level opens within 24 hours and 30 days; the refusal says what is missing and where it goes", async () => {
    const tess = await app.trader();
    await approvedWithMoney(app, tess, "10000.00");
    await verified(tess);
    await set(1, { withdrawnDay: "500", withdrawnMonth: "800" });
    await set(2, { withdrawnDay: "5000" });
    const first = await withdrawal(tess, { amount: "300.00" });
    expect(first.status).toBe(201);
    const more = await withdrawal(tess, { amount: "200.01" });
    expect([more.status, more.body as object]).toEqual([
      422,
      {
        code: "level_required",
        message:
          "Within 24 hours you can withdraw $500.00 at your level of verification; $200.00 is left. For more, still missing: a document of your identity. Send it under /verification.",
        fields: { amount: expect.any(String) },
      },
    ]);
    // What was given back counts no more.
    expect((await tess.post(`/api/withdrawals/${first.body.id}/cancel`)).status).toBe(200);
    expect((await withdrawal(tess, { amount: "500.00" })).status).toBe(201);
    await app.sql`alter table withdrawals disable trigger user`;
    await app.sql`update withdrawals set created_at = created_at - interval '25 hours' where user_id = ${tess.id}`;
    await app.sql`alter table withdrawals enable trigger user`;
    const month = await withdrawal(tess, { amount: "300.01" });
    expect(month.text).toContain("Within 30 days you can withdraw $800.00 at your level of verification; $300.00 is left.");
    await accepted(tess, "identity");
    expect((await withdrawal(tess, { amount: "4500.00" })).status).toBe(201);
    await reset();
  });

  test("two of the whole daily limit at once: one has it", async () => {
    const tess = await app.trader();
    await approvedWithMoney(app, tess, "10000.00");
    await set(0, { withdrawnDay: "500" });
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all([withdrawal(tess, { amount: "500.00" }), withdrawal(tess, { amount: "500.00" })]);
      expect(counted(answers)).toEqual({ 201: 1, 422: 1 });
      const won = answers.find(({ status }) => status === 201);
      expect((await tess.post(`/api/withdrawals/${won?.body.id}/cancel`)).status).toBe(200);
    }
    await reset();
  });
});

test("deposits by a method that the level does not open are refused", async () => {
  const tess = await app.trader();
  await set(0, { cardDeposits: false, bankDeposits: false });
  await set(1, { cardDeposits: false });
  const ask = async (method: string) => {
    const { status, body } = await deposit(tess, { method, currency: "USD" });
    return [status, (body as { message?: string }).message];
  };
  expect(await ask("bank")).toEqual([
    422,
    "Deposits by bank need a higher level of verification. Still missing: your email address, verified. Verify it under /email.",
  ]);
  expect(await ask("card")).toEqual([
    422,
    "Deposits by card need a higher level of verification. Still missing: a document of your identity. Send it under /verification.",
  ]);
  await verified(tess);
  expect((await ask("bank"))[0]).toBe(201);
  await reset();
});

test("live orders need the level that opens them, alone and many at once; demo orders need none", async () => {
  const tess = await app.trader();
  await approvedWithMoney(app, tess, "1000.00");
  const { body: live } = await tess.post<{ id: string }>("/api/trading-accounts", { accountTypeId: "starter", isDemo: false });
  expect((await tess.post("/api/transfers", { fromAccountId: null, toAccountId: live.id, amount: "1000.00" })).status).toBe(201);
  const order = (accountId?: string) =>
    tess.post<{ code: string; message: string; id: string }>("/api/trading/positions", {
      symbol: "EUR/USD",
      type: "buy",
      amount: 100,
      ...(accountId ? { accountId } : {}),
    });
  const waiting = () =>
    tess.post<{ code: string }>("/api/trading/positions", {
      symbol: "EUR/USD",
      type: "buy",
      amount: 100,
      accountId: live.id,
      orderType: "limit",
      triggerPrice: "1.05000",
    });
  expect((await order(live.id)).status).toBe(201);
  for (const level of [0, 1, 2]) await set(level, { liveTrading: false });
  const refused = await order(live.id);
  expect([refused.status, refused.body.code]).toEqual([422, "level_required"]);
  expect(refused.body.message).toBe(
    "Trading with live money needs a higher level of verification. Still missing: a document of your identity and a proof of your address. Send it under /verification.",
  );
  expect((await waiting()).body.code).toBe("level_required");
  const demo = await app.sql<{ id: string }[]>`select id from trading_accounts where user_id = ${tess.id} and is_demo`;
  const together = await Promise.all(Array.from({ length: 8 }, (_, n) => order(n % 2 ? live.id : demo[0]?.id)));
  expect(counted(together)).toEqual({ 201: 4, 422: 4 });
  await accepted(tess, "identity");
  await accepted(tess, "address");
  expect([(await order(live.id)).status, (await waiting()).status]).toEqual([201, 201]);
  await set(3, { liveTrading: false });
  expect((await order(live.id)).body.message).toContain("It is not open at present.");
  await reset();
});
