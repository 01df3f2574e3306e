import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { LevelRule } from "../compliance/schema_rules";
import type { StaffPayment, Wallet } from "../funding/schema";
import type { SignatureRule, WaitingSignature } from "../identity/schema_signatures";
import type { Db } from "../platform/database/db";
import type { StaffInstrument } from "../trading/schema_instruments";
import { type Answer, type TestApp, testApp } from "../testing/app";
import { holdFirst } from "../testing/instruments";
import { handHeld, onlyTwo, until, waiting } from "../testing/scenarios";

/** What takes two, and was changed by somebody else meanwhile: before it was asked for, before it is signed, and at that very moment. */

let app: TestApp;
type Admin = Awaited<ReturnType<TestApp["admin"]>>;
type Said = Answer<WaitingSignature & { code: string; message: string }>;
let ann: Admin, bob: Admin;
beforeAll(async () => {
  app = await testApp();
  await app.quote("EUR/USD", "1.10000", "1.10002");
});
beforeEach(async () => {
  [ann, bob] = await onlyTwo(app);
  await app.sql`update users set admin_since = null where role = 'admin'`;
  await app.sql`update signature_rules set is_on = deed in ('costs', 'compliance', 'wallet')`;
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
  holdFirst();
});

const sign = (by: Admin, id: string) => by.post<{ message: string }>(`/api/admin/signatures/${id}/sign`) as unknown as Promise<Said>;
const decline = async ({ body }: Said) => expect((await bob.post(`/api/admin/signatures/${body.id}/decline`, { reason: "No" })).status).toBe(200);
const waitingCount = async () => (await bob.get<object[]>("/api/admin/signatures?status=pending")).body.length;
const dealt = async (by: Admin, body: object) => (await by.patch("/api/admin/instruments/EUR%2FUSD", { reason: "A test", ...body })) as unknown as Said;
const instrument = async () => (await ann.get<StaffInstrument[]>("/api/admin/instruments")).body.find(({ symbol }) => symbol === "EUR/USD") as StaffInstrument;
const ruled = async (deed: string) => (await ann.get<SignatureRule[]>("/api/admin/signature-rules")).body.find((rule) => rule.deed === deed) as SignatureRule;
const setRule = async (by: Admin, rule: object) =>
  (await by.call("PUT", "/api/admin/signature-rules", { body: { rules: [rule], reason: "House rules" } })) as unknown as Said;

/** While the test's hand holds what a command waits for, `act` is sent, and what the hand does comes before it. */
async function overtaken(lock: (sql: Db) => Promise<unknown>, act: () => Promise<Said>, change: (sql: Db) => Promise<unknown>): Promise<Said> {
  const hand = await handHeld(app.db);
  await lock(hand.sql);
  const sent = act();
  await until("the command waits for the hand", async () => (await waiting(app.sql)) > 0);
  await change(hand.sql);
  await hand.commit();
  await hand.end();
  return sent;
}
const holdWallets = (sql: Db) => sql`lock table deposit_wallets in share row exclusive mode`;

describe("who asks looked at what does not stand any more: nothing waits", () => {
  test("an instrument's mark-up", async () => {
    const { version } = await instrument();
    expect((await dealt(bob, { version, maximum: "7000" })).status).toBe(200);
    expect(await dealt(ann, { version, markup: "0.5" })).toMatchObject({
      status: 409,
      body: { message: "This instrument was changed meanwhile. Look at it again before you change it." },
    });
    expect(await waitingCount()).toBe(0);
    const asked = await dealt(ann, { version: version + 1, markup: "0.5" });
    expect(asked.status).toBe(202);
    expect((await sign(bob, asked.body.id)).status).toBe(200);
    expect(await instrument()).toMatchObject({ markup: "0.5", maximum: "7000.00" });
  });

  test("a rule of what takes two; of many who decide it alone by one version one does", async () => {
    const { version } = await ruled("withdrawal");
    const other = await setRule(bob, { deed: "withdrawal", isOn: true, above: "500", version });
    expect((await sign(ann, other.body.id)).status).toBe(200);
    const late = await setRule(ann, { deed: "withdrawal", isOn: true, above: "90000", version });
    expect(late).toMatchObject({ status: 409, body: { message: "This rule was changed meanwhile. Look at it again before you change it." } });
    expect([await waitingCount(), (await ruled("withdrawal")).above]).toEqual([0, "500.00"]);
    await app.sql`update users set account_status = 'banned' where id = ${bob.id}`;
    const now = await ruled("withdrawal");
    const all = await Promise.all(
      Array.from({ length: 6 }, (_, n) => setRule(ann, { deed: "withdrawal", isOn: true, above: String(1000 + n), version: now.version })),
    );
    expect(all.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    // Who names none means whatever stands.
    expect((await setRule(ann, { deed: "withdrawal", isOn: false })).status).toBe(200);
  });
});

describe("what is changed while it is signed is not written over, whoever named no version", () => {
  const bank = { accountName: "Halyard", bankName: "Bank", accountNumber: "DE02120300000000202051", bic: "", link: "", instructions: "" };

  test("a wallet's address", async () => {
    const made = await wallet(true);
    const asked = (await ann.patch(`/api/admin/wallets/${made.id}`, { walletAddress: address() })) as unknown as Said;
    const theirs = address();
    const signed = await overtaken(
      holdWallets,
      () => sign(bob, asked.body.id),
      (sql) => sql`update deposit_wallets set wallet_address = ${theirs} where id = ${made.id}`,
    );
    expect(signed).toMatchObject({ status: 409, body: { message: "This wallet was changed meanwhile. Look at it again before you change it." } });
    expect(await addressOf(made.id)).toBe(theirs);
    await decline(asked);
  });

  test("where depositors pay", async () => {
    const asked = (await ann.post("/api/admin/payment-details/bank", bank)) as unknown as Said;
    const signed = await overtaken(
      (sql) => sql`lock table payment_details in share row exclusive mode`,
      () => sign(bob, asked.body.id),
      (sql) => sql`insert into payment_details (method, account_name, account_number) values ('bank', 'Ours', 'GB33BUKB20201555555555')`,
    );
    expect([asked.status, signed.status]).toEqual([202, 409]);
    expect((await ann.get<StaffPayment[]>("/api/admin/payment-details")).body.find(({ method }) => method === "bank")?.accountNumber).toBe(
      "GB33BUKB20201555555555",
    );
    await decline(asked);
  });

  test("what a level opens", async () => {
    const level = { liveTrading: "yes", bankDeposits: "yes", cardDeposits: "yes", cryptoDeposits: "yes", withdrawnDay: "", withdrawnMonth: "" };
    const asked = (await ann.post("/api/admin/verification-levels/1", level)) as unknown as Said;
    const signed = await overtaken(
      (sql) => sql`select from level_rules order by level for update`,
      () => sign(bob, asked.body.id),
      (sql) => sql`update level_rules set withdrawn_day = 77 where level = 1`,
    );
    expect([asked.status, signed.status]).toEqual([202, 409]);
    expect((await ann.get<LevelRule[]>("/api/admin/verification-levels")).body[1]?.withdrawnDay).toBe("77.00");
    await decline(asked);
  });

  test("what countries ask for", async () => {
    const rules = { country: "FR", isServed: "yes", leverageMajor: "30", leverageMinor: "", leverageCrypto: "", promotions: "no", warning: "" };
    const lock = (sql: Db) => sql`select pg_advisory_xact_lock(hashtextextended('jurisdictions', 61))`;
    for (const [path, body, country] of [
      ["/api/admin/jurisdictions", rules, "FR"],
      ["/api/admin/jurisdictions/preset", { preset: "esma-retail" }, "DE"],
    ] as const) {
      const asked = (await ann.post(path, body)) as unknown as Said;
      const signed = await overtaken(
        lock,
        () => sign(bob, asked.body.id),
        (sql) => sql`select jurisdictions_set(${ann.id}, ${[country]}, null::text, '{"leverage_major": 7}'::jsonb, '', '')`,
      );
      expect([asked.status, signed.status]).toEqual([202, 409]);
      const [now] = await app.sql<{ leverage: number }[]>`select leverage_major as leverage from jurisdictions where country = ${country}`;
      expect(now?.leverage).toBe(7);
      await decline(asked);
    }
  });

  test("an instrument's mark-up", async () => {
    await app.sql`update signature_rules set is_on = false where deed = 'costs'`;
    await dealt(ann, { markup: "0.2" });
    await app.sql`update signature_rules set is_on = true where deed = 'costs'`;
    const asked = await dealt(ann, { markup: "0.9" });
    const signed = await overtaken(
      (sql) => sql`select pg_advisory_xact_lock(lead_lock())`,
      () => sign(bob, asked.body.id),
      (sql) => sql`select instrument_set(${ann.id}, 'EUR/USD', null, '{"markup": 0.3, "listing": {}}'::jsonb, null, 'A test', '', '')`,
    );
    expect([asked.status, signed.status]).toEqual([202, 409]);
    expect((await instrument()).markup).toBe("0.3");
    await decline(asked);
  });

  test("a rule of what takes two", async () => {
    const asked = await setRule(ann, { deed: "wallet", isOn: false });
    const signed = await overtaken(
      (sql) => sql`select from signature_rules order by deed for update`,
      () => sign(bob, asked.body.id),
      (sql) => sql`update signature_rules set above = 5 where deed = 'wallet'`,
    );
    expect([asked.status, signed.status, (await ruled("wallet")).isOn]).toEqual([202, 409, true]);
    await decline(asked);
  });
});

let wallets = 0;
const address = () => `0x${(++wallets).toString(16).padStart(40, "0")}`;
const addressOf = async (of: string) => (await ann.get<Wallet[]>("/api/admin/wallets")).body.find(({ id }) => id === of)?.walletAddress;
/** One that is listed without a second signature. */
async function wallet(isActive: boolean): Promise<Wallet> {
  await app.sql`update signature_rules set is_on = false where deed = 'wallet'`;
  const { body } = await ann.post<Wallet>("/api/admin/wallets", { currency: "ETH", network: "ERC-20", walletAddress: address(), isActive });
  await app.sql`update signature_rules set is_on = true where deed = 'wallet'`;
  return body;
}

test("what takes one alone is not done alone to what takes two by the time it is written", async () => {
  const made = await wallet(false);
  // Of a wallet that is not offered anybody changes the address; offered meanwhile, it is another's to sign.
  const alone = await overtaken(
    holdWallets,
    async () => (await ann.patch(`/api/admin/wallets/${made.id}`, { walletAddress: address() })) as unknown as Said,
    (sql) => sql`update deposit_wallets set is_active = true where id = ${made.id}`,
  );
  expect(alone).toMatchObject({ status: 409, body: { message: "This wallet was changed meanwhile. Look at it again before you change it." } });
  expect(await addressOf(made.id)).toBe(made.walletAddress);
});
