import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type TestApp, testApp } from "../testing/app";
import { counted, fresh, fundedTrader, type Signed, times, wallet, withdrawal } from "../testing/money";
import { nextMillisecond } from "../testing/scenarios";
import type { StaffWithdrawal, Withdrawal } from "./schema";

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

const BITCOIN = "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa";
const funded = (amount: number) => fundedTrader(app, admin, amount);
const approve = (id: string) => admin.post<StaffWithdrawal>(`/api/admin/withdrawals/${id}/approve`, { notes: "paid" });
const reject = (id: string, reason = "Name differs") => admin.post<StaffWithdrawal>(`/api/admin/withdrawals/${id}/reject`, { reason });
const cancel = (id: string, by: Signed) => by.post<Withdrawal>(`/api/withdrawals/${id}/cancel`);
const held = async (person: Signed) => {
  const [row] = await app.sql<{ balance: string }[]>`select balance from ledger_accounts where owner_id = ${person.id} and kind = 'withdrawal_hold'`;
  return row?.balance;
};
const made = async (person: Signed, over: Record<string, unknown> = {}) => (await withdrawal(person, over)).body.id;

describe("a withdrawal", () => {
  test("holds the money, and says what it costs and how long it takes", async () => {
    const ann = await funded(400);
    const { status, body } = await withdrawal(ann, { amount: 150 });
    expect(status).toBe(201);
    expect(body).toMatchObject({ userId: ann.id, amount: "150.00", method: "bank", network: null, fee: "0.00", status: "pending" });
    expect(body.estimatedProcessingTime).toContain("3–7 business days");
    expect([await wallet(ann), await held(ann)]).toEqual(["250.00", "150.00"]);
    expect((await ann.get<Withdrawal[]>("/api/withdrawals")).body).toEqual([body]);
  });

  test("is paid out by approval", async () => {
    const ann = await funded(400);
    const id = await made(ann, { amount: 150 });
    expect((await approve(id)).body).toMatchObject({ status: "approved", adminNotes: "paid", decidedBy: admin.email });
    expect([await wallet(ann), await held(ann)]).toEqual(["250.00", "0.00"]);
    expect((await reject(id)).status).toBe(409);
    expect((await cancel(id, ann)).status).toBe(409);
    expect(await wallet(ann)).toBe("250.00");
  });

  test("comes back by rejection, with its reason, and by one's own cancel", async () => {
    const ann = await funded(400);
    const rejected = await made(ann);
    await nextMillisecond(app.sql);
    const cancelled = await made(ann);
    await reject(rejected, "The name on the account differs");
    await cancel(cancelled, ann);
    expect([await wallet(ann), await held(ann)]).toEqual(["400.00", "0.00"]);
    expect((await ann.get<Withdrawal[]>("/api/withdrawals")).body).toMatchObject([
      { id: cancelled, status: "cancelled" },
      { id: rejected, status: "rejected", rejectionReason: "The name on the account differs" },
    ]);
    expect((await approve(rejected)).status).toBe(409);
    expect((await approve(cancelled)).status).toBe(409);
  });

  test("of the whole balance, asked for twenty times at once, is granted once", async () => {
    const ann = await funded(321.09);
    expect(counted(await times(20, () => withdrawal(ann, { amount: "321.09" })))).toEqual({ 201: 1, 422: 19 });
    expect([await wallet(ann), await held(ann)]).toEqual(["0.00", "321.09"]);
  });

  test("splits a balance to its last cent", async () => {
    const ann = await funded(150.3);
    expect((await withdrawal(ann, { amount: 100.1 })).status).toBe(201);
    expect((await withdrawal(ann, { amount: 50.21 })).body as unknown).toMatchObject({ code: "insufficient_funds", message: "Your wallet holds $50.20." });
    expect((await withdrawal(ann, { amount: 50.2 })).status).toBe(201);
    expect(await wallet(ann)).toBe("0.00");
  });

  test("is decided once, whoever races", async () => {
    const ann = await funded(1000);
    for (let round = 0; round < 8; round++) {
      const before = Number(await wallet(ann));
      const id = await made(ann);
      const answers = await Promise.all([approve(id), reject(id), cancel(id, ann), approve(id), cancel(id, ann), reject(id)]);
      expect(counted(answers)).toEqual({ 200: 1, 409: 5 });
      const paid = answers.find(({ status }) => status === 200)?.body.status === "approved";
      expect([Number(await wallet(ann)), await held(ann)]).toEqual([paid ? before - 50 : before, "0.00"]);
    }
    const id = await made(ann);
    expect(counted(await times(20, () => approve(id)))).toEqual({ 200: 1, 409: 19 });
  });

  test("can't release more than is held", async () => {
    const ann = await funded(100);
    const id = await made(ann, { amount: 60 });
    await app.sql`alter table withdrawals disable trigger all`;
    await app.sql`update withdrawals set amount = 90 where id = ${id}`;
    expect((await reject(id)).body.status).toBeUndefined();
    expect([await wallet(ann), await held(ann)]).toEqual(["40.00", "60.00"]);
    await app.sql`update withdrawals set amount = 60 where id = ${id}`;
    await app.sql`alter table withdrawals enable trigger all`;
    expect((await reject(id)).status).toBe(200);
  });

  test("of one's own is decided by another administrator", async () => {
    const second = await app.admin();
    const { body: paid } = await admin.post<{ id: string }>("/api/deposits", { amount: 100, currency: "USD", method: "bank" });
    await second.post(`/api/admin/deposits/${paid.id}/approve`);
    const { body } = await withdrawal(admin);
    expect([(await approve(body.id)).status, (await reject(body.id)).status]).toEqual([403, 403]);
    expect((await second.post(`/api/admin/withdrawals/${body.id}/approve`)).status).toBe(200);
  });
});

describe("before it may leave", () => {
  test("the registration must be approved", async () => {
    const ann = await app.trader();
    const { status, body } = await withdrawal(ann);
    expect([status, body as unknown]).toEqual([422, { message: "Your registration is awaiting approval.", code: "registration_pending" }]);
  });

  test("the password must have been given of late for a new address, and not for a known one", async () => {
    const ann = await funded(1000);
    const age = () => app.sql`update sessions set confirmed_at = now() - interval '16 minutes' where user_id = ${ann.id}`;
    await age();
    const headers = fresh();
    const ask = (more: Record<string, unknown> = {}) =>
      ann.post("/api/withdrawals", { amount: 50, currency: "USD", walletAddress: "Account 1", ...more }, headers);
    const refused = await ask();
    expect([refused.status, refused.body.code]).toEqual([403, "password_required"]);
    expect(await held(ann)).toBe("0.00");
    expect((await ann.post("/api/auth/confirm", { password: "Corr3ct-horse" })).status).toBe(204);
    const { status, body } = await ask();
    expect(status).toBe(201);
    await age();
    expect((await withdrawal(ann, { walletAddress: "Account 1" })).status).toBe(403);
    await approve(String(body.id));
    expect((await withdrawal(ann, { walletAddress: "Account 1" })).status).toBe(201);
    expect((await withdrawal(ann, { walletAddress: "Account 2" })).status).toBe(403);
  });

  test.each([
    [{ amount: 49.99 }, "The minimum withdrawal by bank is $50."],
    [{ amount: 24.99, method: "card" }, "The minimum withdrawal by card is $25."],
    [{ amount: 9.99, currency: "BTC", walletAddress: BITCOIN }, "The minimum withdrawal by crypto is $10."],
  ])("it must reach its method's minimum: %j", async (over, message) => {
    const ann = await funded(100);
    expect((await withdrawal(ann, over)).body as unknown).toEqual({ code: "minimum_withdrawal", message, fields: { amount: message } });
    expect(await wallet(ann)).toBe("100.00");
  });

  test.each([
    [
      { amount: 25, method: "card" },
      { method: "card", network: null },
    ],
    [{ amount: 50, method: "crypto" }, { method: "bank" }],
    [
      { amount: 10, currency: "BTC", walletAddress: BITCOIN, method: "card" },
      { method: "crypto", network: "Mainnet" },
    ],
    [
      { amount: 10, currency: "USDT", walletAddress: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t" },
      { method: "crypto", network: "TRC-20" },
    ],
    [{ amount: 10, currency: "ETH", walletAddress: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", network: "BEP-20" }, { network: "BEP-20" }],
  ])("its method and network follow from the currency and the address: %j", async (over, expected) => {
    const { status, body } = await withdrawal(await funded(100), over);
    expect(status).toBe(201);
    expect(body).toMatchObject(expected as never);
  });

  test.each([
    ["BTC", "bc1qexampleexampleexampleexampleexample00"],
    ["BTC", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"],
    ["ETH", "0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed"],
    ["USDT", BITCOIN],
  ])("its address must be one of %s: %s", async (currency, walletAddress) => {
    const { status, body } = await withdrawal(await funded(100), { currency, walletAddress });
    expect([status, (body as unknown as { fields: object }).fields]).toEqual([
      400,
      { walletAddress: `This is not a valid ${currency} address. Please check each character.` },
    ]);
  });
});

test("the same key makes one withdrawal, and a refusal is heard again", async () => {
  const ann = await funded(100);
  const [headers, other] = [fresh(), fresh()];
  const body = { amount: 60, currency: "USD", walletAddress: "Account 1" };
  const answers = await times(6, () => ann.post("/api/withdrawals", body, headers));
  expect(counted(answers)).toEqual({ 201: 6 });
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(await wallet(ann)).toBe("40.00");
  const refused = await ann.post("/api/withdrawals", body, other);
  expect(refused.body.code).toBe("insufficient_funds");
  await cancel(String(answers[0]?.body.id), ann);
  expect((await ann.post("/api/withdrawals", body, other)).text).toBe(refused.text);
});

const routes = [
  ["/api/deposits", { currency: "USD", method: "bank" }],
  ["/api/deposit-requests", { method: "cryptocurrency", currency: "BTC", walletUsed: null }],
  ["/api/withdrawals", { currency: "USD", walletAddress: "Account 1" }],
  ["/api/transfers", { fromAccountId: null }],
] as const;
const amounts = [
  -100,
  0,
  -0,
  "-0",
  "0.00",
  0.001,
  "1e2",
  "0x10",
  "NaN",
  "Infinity",
  "１００",
  " 5",
  "5.",
  ".5",
  "1_000",
  "1,000.00",
  [100],
  { a: 1 },
  true,
  null,
  "",
  1e15,
  "99999999999999.99",
];
test.each(routes)("%s refuses what is no amount, and nothing moves", async (path, body) => {
  const ann = await funded(1000);
  const { body: account } = await ann.post("/api/trading-accounts", { accountTypeId: "starter", isDemo: false });
  const before = await app.sql`select count(*)::integer as entries from ledger_entries`;
  for (const amount of amounts) {
    const answer = await ann.post(path, { ...body, toAccountId: account.id, amount });
    expect([amount, answer.status]).toEqual([amount, 400]);
    expect((answer.body.fields as { amount?: string }).amount).toBeString();
  }
  const raw = await ann.call("POST", path, { raw: `{"amount":1e999,"currency":"USD","method":"bank","walletAddress":"x","toAccountId":"${account.id}"}` });
  expect(raw.status).toBe(400);
  expect(await app.sql`select count(*)::integer as entries from ledger_entries`).toEqual(before);
});
