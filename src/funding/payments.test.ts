import { afterAll, beforeAll, expect, test } from "bun:test";
import { type TestApp, testApp } from "../testing/app";
import { counted, deposit, type Signed, times } from "../testing/money";
import { referenceOf } from "./rules";
import type { CoinQuote, PaymentDetails, StaffDeposit, StaffPayment } from "./schema";

/** Where people pay by bank or card, by which reference they are found, and what an amount is in a coin. */

let app: TestApp;
let admin: Awaited<ReturnType<TestApp["admin"]>>;
let tess: Signed;
beforeAll(async () => {
  app = await testApp();
  [admin, tess] = await Promise.all([app.admin(), app.trader()]);
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

const ACCOUNT = { accountName: "Halyard Ltd", bankName: "First Bank", accountNumber: "DE89 3704 0044 0532 0130 00", bic: "COBADEFFXXX", instructions: "" };
const save = (method: string, body: object) => admin.post<StaffPayment & { message?: string }>(`/api/admin/payment-details/${method}`, body);
const offered = async () => (await tess.get<PaymentDetails[]>("/api/payment-details")).body;

test("a method is offered with its details alone, and what staff change is in the audit book", async () => {
  expect(await offered()).toEqual([]);
  expect((await admin.get<StaffPayment[]>("/api/admin/payment-details")).body.map(({ method }) => method)).toEqual(["bank", "card"]);
  expect((await save("bank", ACCOUNT)).body).toEqual({ method: "bank", link: "", ...ACCOUNT, version: expect.any(String) } as StaffPayment);
  expect((await save("card", { link: "https://pay.example/halyard" })).status).toBe(200);
  expect((await offered()).map(({ method }) => method)).toEqual(["bank", "card"]);
  await save("card", {});
  expect(await offered()).toEqual([{ method: "bank", link: "", ...ACCOUNT }]);
  const lines = await app.sql<{ previous: PaymentDetails; next: PaymentDetails }[]>`
    select previous_state as previous, new_state as next from admin_actions where action = 'payment.change' order by id
  `;
  expect(lines.map(({ previous, next }) => [previous.accountNumber, next.accountNumber])).toEqual([
    ["", ACCOUNT.accountNumber],
    ["", ""],
    ["", ""],
  ]);
});

test.each([
  ["bank", { ...ACCOUNT, accountName: "" }, { accountName: "Say whose account it is." }],
  ["bank", { bankName: "First Bank" }, { accountNumber: "Give the IBAN or account number." }],
  ["card", { link: "javascript:alert(1)" }, { link: "Use an address that begins with https://." }],
])("half of the details of %s is refused", async (method, body, fields) => {
  const { status, body: refused } = await save(method, body);
  expect([status, refused as unknown]).toEqual([400, expect.objectContaining({ fields })]);
});

test.each(["bank", "card"])("of many who looked at the same details of %s one changes them, and who names no version always does", async (method) => {
  const now = async () => (await admin.get<StaffPayment[]>("/api/admin/payment-details")).body.find((each) => each.method === method) as StaffPayment;
  const stood = await now();
  const tries = (seen: object) => times(8, (n) => save(method, { ...ACCOUNT, link: `https://pay.example/${n}`, ...seen }));
  const answers = await tries({ version: stood.version });
  expect(counted(answers)).toEqual({ 200: 1, 409: 7 });
  const won = answers.findIndex(({ status }) => status === 200);
  expect([(await now()).link, answers[won]?.body]).toEqual([`https://pay.example/${won}`, await now()]);
  expect(answers[(won + 1) % 8]?.body.message).toBe("These payment details were changed meanwhile. Look at them again before you change them.");
  expect(counted(await tries({}))).toEqual({ 200: 8 });
  // What says the same again is what was looked at.
  const { method: _, version, ...details } = stood;
  expect([(await save(method, details)).body.version, (await save(method, { ...ACCOUNT, version })).status]).toEqual([version, 200]);
  expect((await save(method, { ...details, version: 3 })).status).toBe(400);
});

test("a trader changes nothing", async () => {
  expect((await tess.post("/api/admin/payment-details/bank", ACCOUNT)).status).toBe(403);
});

test("the reference stands with the request and is what staff find it by", async () => {
  const { body } = await deposit(tess, { amount: 120 });
  const reference = referenceOf(body.id);
  expect(reference).toMatch(/^DEP-[0-9A-F]{10}$/);
  const requests = (await tess.get("/dashboard?tab=requests")).text;
  for (const text of [reference, ACCOUNT.accountNumber]) expect(requests).toContain(text);
  expect((await tess.get("/mobile-deposit")).text).toContain(reference);
  const { body: found } = await admin.get<StaffDeposit[]>(`/api/admin/deposits?q=${reference.toLowerCase()}`);
  expect(found.map(({ id }) => id)).toEqual([body.id]);
  expect((await admin.get("/admin?tab=deposits")).text).toContain(reference);
});

test("a quote says how much of the coin an amount is, half up to its eighth decimal", async () => {
  const quote = (query: string) => tess.get<CoinQuote>(`/api/deposits/quote?${query}`);
  expect((await quote("coin=BTC&amount=300")).body as unknown).toMatchObject({ code: "stale_price" });
  await app.quote("BTC/USD", "64999.00", "65001.00");
  await app.quote("EUR/USD", "1.09999", "1.10001");
  const { body } = await quote("coin=BTC&amount=300");
  // 300 / 65,000 = 0.004615384…
  expect(body).toMatchObject({ coin: "BTC", rate: "65000.00000000", coinAmount: "0.00461538" });
  expect(Date.parse(body.until)).toBeGreaterThan(Date.now());
  // 650 euros at 1.1 are 715 dollars.
  expect((await quote("coin=BTC&amount=650&currency=EUR")).body.coinAmount).toBe("0.01100000");
  expect((await quote("coin=USDT&amount=0.01")).body).toMatchObject({ coinAmount: "0.01000000", rate: "1.00000000" });
  expect((await quote("coin=BTC&amount=-1")).status).toBe(400);
});
