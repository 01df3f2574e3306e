import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { Referrals, Wallet } from "../funding/schema";
import type { Signature, SignatureRule, WaitingSignature } from "../identity/schema_signatures";
import { type Answer, type Person, type TestApp, testApp } from "../testing/app";
import { counted, deposit, times, wallet as walletOf } from "../testing/money";
import { onlyTwo, setRole, tamper } from "../testing/scenarios";

/** Deeds that take a second person: asked for, signed once, declined, over after a day; one queue for all of them. */

let app: TestApp;
type Admin = Awaited<ReturnType<TestApp["admin"]>>;
let ann: Admin, bob: Admin;
type Said = Answer<WaitingSignature & Wallet & { message: string; code: string }>;

beforeAll(async () => {
  app = await testApp();
});
beforeEach(async () => {
  [ann, bob] = await onlyTwo(app);
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

const inRole = async (role: string): Promise<Admin> => {
  const person = await app.admin();
  await app.sql`update users set staff_role = ${role} where id = ${person.id}`;
  await app.sql`update users set admin_since = null where id = ${person.id}`;
  return person;
};
let wallets = 0;
const address = () => `0x${(++wallets).toString(16).padStart(40, "0")}`;
const add = (by: Admin, walletAddress = address()) =>
  by.post("/api/admin/wallets", { currency: "ETH", network: "ERC-20", walletAddress }) as unknown as Promise<Said>;
const change = (by: Admin, id: string, body: object) => by.call("PATCH", `/api/admin/wallets/${id}`, { body }) as unknown as Promise<Said>;
const sign = (by: Admin, id: string) => by.post<Wallet & { message: string }>(`/api/admin/signatures/${id}/sign`);
const decline = (by: Admin, id: string, reason = "No") => by.post<{ message: string }>(`/api/admin/signatures/${id}/decline`, { reason });
const queue = async (by: Admin, status = "pending") => (await by.get<Signature[]>(`/api/admin/signatures?status=${status}`)).body;
const walletsOf = async () => (await ann.get<Wallet[]>("/api/admin/wallets")).body;
const setRules = (by: Admin, rules: object[]) => by.call<WaitingSignature>("PUT", "/api/admin/signature-rules", { body: { rules, reason: "House rules" } });
/** Makes a wallet as a lone owner does. */
const wallet = async (): Promise<Wallet> => {
  await app.sql`update users set account_status = 'banned' where id = ${bob.id}`;
  const made = await add(ann);
  expect(made.status).toBe(201);
  await app.sql`update users set account_status = 'active' where id = ${bob.id}`;
  return made.body;
};
const actions = async () => (await app.sql<{ action: string }[]>`select action from admin_actions order by id desc limit 2`).map(({ action }) => action);

describe("the address that depositors pay to", () => {
  test("is changed by two: asked for with its difference, told, and done when somebody else signs", async () => {
    const before = await wallet();
    const walletAddress = address();
    const { status, body } = await change(ann, before.id, { walletAddress });
    expect([status, body]).toMatchObject([202, { status: "pending_second_approval", deed: "wallet" }]);
    expect((await walletsOf()).find(({ id }) => id === before.id)?.walletAddress).toBe(before.walletAddress);
    expect(await actions()).toEqual(["signature.ask", "wallet.create"]);
    expect((await change(ann, before.id, { walletAddress: address() })).status).toBe(409);
    const [row] = await queue(bob);
    expect(row).toMatchObject({
      id: body.id,
      deed: "wallet",
      status: "pending",
      adminUserId: ann.id,
      before: { walletAddress: before.walletAddress },
      after: { walletAddress },
    });
    expect(Date.parse(row?.expiresAt ?? "") - Date.parse(row?.createdAt ?? "")).toBe(86_400_000);
    const own = await sign(ann, body.id);
    expect([own.status, own.body.message]).toEqual([403, "You asked for this. Somebody else signs it."]);
    const done = await sign(bob, body.id);
    expect([done.status, done.body.walletAddress]).toEqual([200, walletAddress]);
    expect(await actions()).toEqual(["signature.sign", "wallet.change"]);
    for (const again of [await sign(bob, body.id), await decline(bob, body.id)]) expect(again.status).toBe(409);
    expect(await queue(bob)).toEqual([]);
    expect((await queue(bob, "signed"))[0]).toMatchObject({ id: body.id, decidedBy: "Site Administrator" });
    expect(
      await app.sql`select from notification_outbox where related_id = ${body.id} union all select from admin_notifications where related_id = ${body.id}`,
    ).toHaveLength(1);
  });

  test("of a new wallet, of one that is offered again, and of the bank takes two; a description or the end of one does not", async () => {
    const made = await wallet();
    expect((await change(ann, made.id, { description: "The cold one" })).status).toBe(200);
    expect((await ann.post(`/api/admin/wallets/${made.id}/deactivate`)).status).toBe(200);
    // Who looked at what does not stand any more waits for nobody.
    expect((await change(ann, made.id, { isActive: true, version: made.version })).status).toBe(409);
    expect((await change(ann, made.id, { isActive: true })).status).toBe(202);
    const added = await add(ann);
    expect(added.status).toBe(202);
    expect((await sign(bob, added.body.id)).status).toBe(200);
    const bank = { accountName: "Halyard", bankName: "Bank", accountNumber: "DE02120300000000202051", bic: "", link: "", instructions: "" };
    expect((await ann.post("/api/admin/payment-details/bank", { ...bank, version: "0123456789abcdef" })).status).toBe(409);
    const [{ version }] = (await ann.get<[{ version: string }]>("/api/admin/payment-details")).body;
    const asked = await ann.post<WaitingSignature>("/api/admin/payment-details/bank", { ...bank, version });
    expect(asked.status).toBe(202);
    expect((await sign(bob, asked.body.id)).body).toMatchObject({ accountNumber: "DE02120300000000202051" });
    const refused = await ann.post("/api/admin/wallets", { currency: "BTC", network: "Mainnet", walletAddress: "0xnot" });
    expect(refused.status).toBe(400);
  });

  test("is signed once by twenty at once", async () => {
    const signers = await Promise.all(Array.from({ length: 4 }, () => app.admin()));
    const { body } = await add(ann);
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => sign(signers[n % 4] as Admin, body.id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
    const mixed = await add(ann);
    const words = await Promise.all(Array.from({ length: 20 }, (_, n) => (n % 2 ? sign : decline)(signers[n % 4] as Admin, mixed.body.id)));
    expect(words.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
  });

  test("is asked for once by twelve at once", async () => {
    const made = await wallet();
    const walletAddress = address();
    const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => change(n % 2 ? ann : bob, made.id, { walletAddress })));
    expect(answers.map(({ status }) => status).sort()).toEqual([202, ...Array.from({ length: 11 }, () => 409)]);
  });

  test("stays where it is declined, where nobody signs within a day, or where it is another by then", async () => {
    const made = await wallet();
    const no = await change(ann, made.id, { walletAddress: address() });
    expect((await decline(bob, no.body.id)).status).toBe(200);
    expect(await actions()).toEqual(["signature.decline", "signature.ask"]);
    const late = await change(ann, made.id, { walletAddress: address() });
    await app.sql.unsafe("alter table signatures disable trigger user");
    await app.sql`update signatures set expires_at = now() where id = ${late.body.id}`;
    await app.sql.unsafe("alter table signatures enable trigger user");
    const over = await sign(bob, late.body.id);
    expect([over.status, over.body.message]).toEqual([409, "Nobody signed this within a day, so it is over. It can be asked for again."]);
    expect((await queue(bob, "expired")).map(({ id }) => id)).toContain(late.body.id);
    const next = await change(ann, made.id, { walletAddress: address() });
    expect(next.status).toBe(202);
    await app.sql`update deposit_wallets set is_active = false where id = ${made.id}`;
    expect(await sign(bob, next.body.id)).toMatchObject({
      status: 409,
      body: { message: "What this would change is another by now. Decline it, and ask again." },
    });
    expect((await walletsOf()).find(({ id }) => id === made.id)?.walletAddress).toBe(made.walletAddress);
  });

  test("is signed by nobody without the permission, nor by or for whoever is new, nor for whoever may no more", async () => {
    const [dealing, finance] = [await inRole("dealing"), await inRole("finance")];
    const { body } = await add(finance);
    const refused = await sign(dealing, body.id);
    expect([refused.status, refused.body.message]).toEqual([403, "You may not change where depositors pay to. Ask an owner."]);
    expect(await queue(dealing)).toEqual([]);
    const puppet = await app.trader({ password: "Corr3ct-horse-battery" });
    await setRole(app.sql, puppet.id, "admin");
    await app.sql`update users set registration_status = 'approved' where id = ${puppet.id}`;
    expect(await sign(puppet as Admin, body.id)).toMatchObject({ status: 403, body: { message: expect.stringContaining("less than 24 hours ago") } });
    await app.sql`update users set staff_role = 'support' where id = ${finance.id}`;
    await app.sql`update users set admin_since = null where id = ${finance.id}`;
    expect((await sign(bob, body.id)).status).toBe(409);
  });

  test("is one person's alone where nobody else may change it", async () => {
    await app.sql`update users set account_status = 'banned' where id = ${bob.id}`;
    await inRole("support");
    expect((await add(ann)).status).toBe(201);
  });
});

describe("the rules", () => {
  test("are listed with who may sign, and take two themselves", async () => {
    const { body } = await ann.get<SignatureRule[]>("/api/admin/signature-rules");
    expect(body.find(({ deed }) => deed === "wallet")).toMatchObject({ deed: "wallet", isOn: true, above: null, fixed: false, signers: 2 });
    expect(body.filter(({ fixed }) => fixed).map(({ deed }) => deed)).toEqual(["correction", "role", "rules"]);
    const off = await setRules(ann, [{ deed: "wallet", isOn: false }]);
    expect(off.status).toBe(202);
    expect((await add(ann)).status).toBe(202);
    expect((await sign(ann, off.body.id)).status).toBe(403);
    expect((await decline(bob, off.body.id)).status).toBe(200);
    expect((await (await inRole("auditor")).call("PUT", "/api/admin/signature-rules", { body: {} })).status).toBe(403);
    expect((await setRules(ann, [{ deed: "role", isOn: false }])).status).toBe(400);
  });

  test("of deposits and withdrawals begin above an amount, for one and for many, under the caller's key", async () => {
    const on = await setRules(ann, [{ deed: "deposit", isOn: true, above: "1000" }]);
    expect((await sign(bob, on.body.id)).status).toBe(200);
    const tess = await app.trader();
    await app.sql`update users set registration_status = 'approved' where id = ${tess.id}`;
    const ask = async (amount: number) => String((await tess.post("/api/deposits", { amount, currency: "USD", method: "card", notes: "" })).body.id);
    const [small, large, third] = [await ask(1000), await ask(1000.01), await ask(2000)];
    expect((await ann.post(`/api/admin/deposits/${small}/approve`, {})).status).toBe(200);
    const key = { "Idempotency-Key": crypto.randomUUID() };
    const asked = await ann.post<WaitingSignature>(`/api/admin/deposits/${large}/approve`, { notes: "Seen" }, key);
    expect([asked.status, asked.body.deed]).toEqual([202, "deposit"]);
    expect(await ann.post<WaitingSignature>(`/api/admin/deposits/${large}/approve`, { notes: "Seen" }, key)).toMatchObject({
      status: 202,
      body: { id: asked.body.id },
    });
    const balance = async () =>
      (await app.sql<{ balance: string }[]>`select balance::text as balance from ledger_accounts where owner_id = ${tess.id} and kind = 'wallet'`)[0]?.balance;
    expect(await balance()).toBe("1000.00");
    const many = await ann.post<{ id: string; code: string | null }[]>("/api/admin/deposits/approve", { requests: [{ id: third, amount: "2000.00" }] });
    expect(many.body).toMatchObject([{ id: third, code: "second_approval" }]);
    const done = await sign(bob, asked.body.id);
    expect([done.status, (done.body as unknown as { status: string }).status, await balance()]).toEqual([200, "approved", "2000.01"]);
    const off = await setRules(ann, [{ deed: "deposit", isOn: false }]);
    expect((await sign(bob, off.body.id)).status).toBe(200);
    expect((await ann.post(`/api/admin/deposits/${third}/approve`, {})).status).toBe(200);
  });

  test("count nobody among the two whom the deposit is of, or pays for referring its owner", async () => {
    await app.sql`update signature_rules set is_on = true, above = 1000 where deed = 'deposit'`;
    const cleo = await app.admin();
    const { code } = (await ann.get<Referrals>("/api/referrals")).body;
    const made = async (person: Person) => (await deposit(person, { amount: 2000 })).body.id;
    const approve = (by: Admin, id: string) => by.post<WaitingSignature & { message: string }>(`/api/admin/deposits/${id}/approve`, { confirmAmount: 2000 });
    const tess = await app.trader({ referralCode: code });
    const first = await made(tess);
    const pays = "Approving this deposit pays you the bonus for referring its owner. Ask another administrator.";
    expect(await approve(ann, first)).toMatchObject({ status: 403, body: { message: pays } });
    const { status, body } = await approve(cleo, first);
    expect(status).toBe(202);
    expect(await sign(ann, body.id)).toMatchObject({ status: 403, body: { message: pays } });
    expect([await walletOf(tess), await walletOf(ann)]).toEqual(["0.00", "0.00"]);
    const answers = await times(10, (n) => sign(n % 2 ? ann : bob, body.id));
    expect(counted(answers)).toMatchObject({ 200: 1 });
    expect([await walletOf(tess), await walletOf(ann)]).toEqual(["2000.00", "50.00"]);
    // What pays no referral more she asks for as anybody does.
    expect((await approve(ann, await made(tess))).status).toBe(202);

    // It counts what it pays when it is signed, whatever it was when it was asked for.
    const later = await app.trader();
    const asked = await approve(ann, await made(later));
    expect(asked.status).toBe(202);
    await tamper(app.sql, (tx) => tx`update users set referred_by = ${ann.id} where id = ${later.id}`);
    expect(await sign(bob, asked.body.id)).toMatchObject({
      status: 403,
      body: { message: "This would pay who asked for it. Decline it, and ask for it yourself." },
    });
    expect([await walletOf(later), await walletOf(ann)]).toEqual(["0.00", "50.00"]);
    expect((await queue(bob)).map(({ id }) => id)).toContain(asked.body.id);

    expect(await approve(ann, await made(ann))).toMatchObject({ status: 403, body: { message: "This is about yourself. Somebody else asks for it." } });
    // With nobody left who may sign, who may decide decides alone, and who is paid still does not.
    await app.sql`update users set account_status = 'banned' where role = 'admin' and id not in (${ann.id}, ${bob.id})`;
    const last = await made(await app.trader({ referralCode: code }));
    expect(await approve(ann, last)).toMatchObject({ status: 403, body: { message: pays } });
    expect((await approve(bob, last)).status).toBe(200);
    await app.sql`update signature_rules set is_on = false where deed = 'deposit'`;
  });

  test("of countries and levels wait like the others", async () => {
    const on = await setRules(ann, [{ deed: "compliance", isOn: true }]);
    expect((await sign(bob, on.body.id)).status).toBe(200);
    const rules = { country: "FR", isServed: "yes", leverageMajor: "30", leverageMinor: "", leverageCrypto: "", promotions: "no", warning: "" };
    // Who looked at what does not stand any more waits for nobody.
    expect((await ann.post("/api/admin/jurisdictions", { ...rules, version: "0123456789abcdef" })).status).toBe(409);
    const asked = await ann.post<WaitingSignature>("/api/admin/jurisdictions", { ...rules, version: "none" });
    expect(asked.status).toBe(202);
    expect((await ann.get<unknown[]>("/api/admin/jurisdictions")).body).toEqual([]);
    expect((await sign(bob, asked.body.id)).body).toMatchObject([{ country: "FR", leverageMajor: 30 }]);
    const LEVEL = { liveTrading: "no", bankDeposits: "yes", cardDeposits: "yes", cryptoDeposits: "yes", withdrawnDay: "", withdrawnMonth: "" };
    const [{ version }] = (await ann.get<[{ version: string }]>("/api/admin/verification-levels")).body;
    const level = await ann.post<WaitingSignature>("/api/admin/verification-levels/0", { ...LEVEL, version });
    expect(level.status).toBe(202);
    expect((await ann.post("/api/admin/verification-levels/1", { ...LEVEL, version: "0123456789abcdef" })).status).toBe(409);
    expect((await sign(bob, level.body.id)).body).toMatchObject([{ level: 0, liveTrading: false }, {}, {}, {}]);
    expect((await ann.post("/api/admin/jurisdictions/remove", { country: "FR", version: "none" })).status).toBe(409);
    await app.sql`update signature_rules set is_on = false where deed = 'compliance'`;
    expect((await ann.post("/api/admin/jurisdictions/remove", { country: "FR" })).status).toBe(200);
  });
});

test("the one queue holds roles and corrections too, and signs them by their own rules", async () => {
  const tess = await app.trader({ password: "Corr3ct-horse-battery" });
  await app.sql`update users set registration_status = 'approved' where id = ${tess.id}`;
  const asked = await ann.post<{ id: string }>(`/api/admin/users/${tess.id}/role`, { role: "admin", staffRole: "support", reason: "Joins" });
  expect(asked.status).toBe(202);
  const [row] = await queue(bob);
  expect(row).toMatchObject({ id: asked.body.id, deed: "role", title: "Make Tess Trader: Support", before: { role: "user" }, after: { role: "support" } });
  expect((await queue(await inRole("finance"))).map(({ id }) => id)).not.toContain(asked.body.id);
  expect((await sign(await inRole("compliance"), asked.body.id)).status).toBe(403);
  expect((await sign(ann, asked.body.id)).status).toBe(403);
  expect((await sign(bob, asked.body.id)).status).toBe(200);
  expect((await sign(bob, crypto.randomUUID())).status).toBe(404);
});
