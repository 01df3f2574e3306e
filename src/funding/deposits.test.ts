import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Answer, type TestApp, testApp } from "../testing/app";
import { nextMillisecond, setRole } from "../testing/scenarios";
import { counted, deposit, fresh, fundedTrader, type Signed, times, wallet } from "../testing/money";
import type { Deposit, Referrals, StaffDeposit } from "./schema";

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

const approve = (id: string, by = admin, over = {}) => by.post<StaffDeposit>(`/api/admin/deposits/${id}/approve`, { notes: "seen", ...over });
const reject = (id: string, by = admin) => by.post<StaffDeposit>(`/api/admin/deposits/${id}/reject`, { reason: "Not received" });
const cancel = (id: string, by: Signed) => by.post<Deposit>(`/api/deposits/${id}/cancel`);
const made = async (person: Signed, over: Record<string, unknown> = {}) => (await deposit(person, over)).body.id;
const walletOf = (person: Signed) => wallet(person);

describe("a deposit", () => {
  test("belongs to who is signed in, and waits", async () => {
    const other = await app.trader();
    const { status, body } = await deposit(tess, { amount: 250.5, userId: other.id, status: "approved", credited: "1000.00" });
    expect(status).toBe(201);
    expect(body).toMatchObject({ userId: tess.id, amount: "250.50", currency: "USD", method: "bank", status: "pending", credited: null, bonusApplied: "0.00" });
    expect((await other.get<Deposit[]>("/api/deposits")).body).toEqual([]);
    expect(await walletOf(tess)).toBe("0.00");
    expect((await app.stranger().post("/api/deposits", { amount: 1, currency: "USD", method: "bank" })).status).toBe(401);
  });

  test("takes the names of the mobile flow, and of the crypto portal", async () => {
    await nextMillisecond(app.sql);
    const mobile = await deposit(tess, { currency: "EUR", method: "credit_card" });
    expect(mobile.body).toMatchObject({ currency: "EUR", method: "card", cryptoType: null });
    await nextMillisecond(app.sql);
    const portal = await tess.post<Deposit>("/api/deposit-requests", {
      method: "cryptocurrency",
      amount: "300",
      currency: "BTC",
      userId: "placeholder",
      walletUsed: null,
      notes: "",
    });
    expect(portal.status).toBe(201);
    expect(portal.body).toMatchObject({ userId: tess.id, method: "crypto", cryptoType: "BTC", network: "Mainnet", notes: "BTC deposit of $300 via Mainnet" });
    const ids = (await tess.get<Deposit[]>("/api/deposit-requests")).body.map(({ id }) => id);
    expect(ids).toEqual((await tess.get<Deposit[]>("/api/deposits")).body.map(({ id }) => id));
    expect(ids.slice(0, 2)).toEqual([portal.body.id, mobile.body.id]);
  });

  test("in the crypto portal is at least $300", async () => {
    const { status, body } = await tess.post("/api/deposit-requests", { method: "cryptocurrency", amount: 299.99, currency: "BTC", walletUsed: null });
    expect({ status, body }).toEqual({
      status: 422,
      body: { message: "Minimum deposit amount is $300", code: "minimum_deposit", fields: { amount: "Minimum deposit amount is $300" } },
    });
  });

  test.each([
    [{}, { amount: "Amount is required", currency: "Currency is required", method: "Payment method is required" }],
    [
      { amount: 1, currency: "XYZ", method: "gold" },
      { currency: "Please choose from the list.", method: "Please choose from the list." },
    ],
  ])("says what is missing in %j", async (body, fields) => {
    const answer = await tess.post("/api/deposits", body);
    expect(answer.status).toBe(400);
    expect(answer.body.fields).toEqual(fields);
  });

  test("shows nobody else's", async () => {
    const id = await made(tess);
    const other = await app.trader();
    for (const answer of [await cancel(id, other), await cancel(crypto.randomUUID(), other)])
      expect([answer.status, answer.body as unknown]).toEqual([404, { message: "Not found.", code: "not_found" }]);
  });
});

describe("approval", () => {
  test("credits once, whoever races", async () => {
    const ann = await app.trader();
    const id = await made(ann, { amount: 750 });
    const second = await app.admin();
    const answers = await times(20, (n) => approve(id, n % 2 ? admin : second));
    expect(counted(answers)).toEqual({ 200: 1, 409: 19 });
    expect(await walletOf(ann)).toBe("750.00");
    expect((await reject(id)).status).toBe(409);
    expect((await cancel(id, ann)).status).toBe(409);
    expect(await walletOf(ann)).toBe("750.00");
  });

  test("does not follow a rejection", async () => {
    const ann = await app.trader();
    const id = await made(ann);
    expect((await reject(id)).body).toMatchObject({ status: "rejected", rejectionReason: "Not received" });
    expect((await approve(id)).body).toMatchObject({ code: "conflict", message: "This deposit is already rejected." } as never);
    expect(await walletOf(ann)).toBe("0.00");
    expect((await ann.get<Deposit[]>("/api/deposits")).body[0]).toMatchObject({ status: "rejected", rejectionReason: "Not received" });
  });

  test("races with rejection and the owner's cancel: one winner, and the money agrees", async () => {
    const ann = await app.trader();
    let expected = 0;
    for (let round = 0; round < 8; round++) {
      const id = await made(ann, { amount: 10 });
      const answers = await Promise.all([approve(id), reject(id), cancel(id, ann), cancel(id, ann), reject(id), approve(id)]);
      expect(counted(answers)).toEqual({ 200: 1, 409: 5 });
      const state = answers.find(({ status }) => status === 200)?.body.status;
      expect((await ann.get<Deposit[]>("/api/deposits")).body.find((each) => each.id === id)?.status).toBe(state as never);
      if (state === "approved") expected += 10;
    }
    expect(await walletOf(ann)).toBe(`${expected}.00`);
  });

  test("is in the audit book, with who it was and from where", async () => {
    const id = await made(tess, { amount: 12.5 });
    await approve(id);
    const rows = await app.sql<{ details: { depositId: string; creditedUsd: string } }[]>`
      select details from admin_actions where action = 'deposit.approve' and admin_user_id = ${admin.id} and target_user_id = ${tess.id} order by id desc limit 1
    `;
    expect(rows[0]?.details).toMatchObject({ depositId: id, creditedUsd: "12.50" });
  });

  test("is told to the owner, and the queue to staff", async () => {
    const heard: unknown[] = [];
    const stops = [app.context.bus.subscribe("notice", (notice) => heard.push(notice)), app.context.bus.subscribe("request", (told) => heard.push(told))];
    const id = await made(tess, { amount: 20 });
    await approve(id);
    stops.forEach((stop) => stop());
    expect(heard).toEqual([
      { kind: "deposit", id, status: "pending" },
      { kind: "deposit", id, status: "approved" },
      { userId: tess.id, kind: "info", title: "Deposit approved", message: "$20.00 was added to your wallet.", topic: "money" },
    ]);
  });

  test("is not for its own maker, nor for who is no administrator any more", async () => {
    const [id, other] = [(await deposit(admin, { amount: 100 })).body.id, await made(tess)];
    expect((await approve(id)).status).toBe(403);
    expect((await reject(id)).status).toBe(403);
    expect((await admin.get<Deposit[]>("/api/deposits")).body[0]?.status).toBe("pending");
    const former = await app.admin();
    await setRole(app.sql, former.id, "user");
    const command = app.sql`select deposit_approve(${former.id}, ${other}, 1, '', '', '')`;
    expect(await command.catch((error: Error) => error.message)).toBe("Administrators only.");
  });

  test("of euros credits dollars by the live mid price, shown beforehand; a stale price stops it", async () => {
    const ann = await app.trader();
    const id = await made(ann, { amount: 100, currency: "EUR", method: "bank_transfer" });
    app.pass(60_000);
    const queued = async () => (await admin.get<StaffDeposit[]>("/api/admin/deposits/pending")).body.find((each) => each.id === id)?.creditsUsd;
    expect(await queued()).toBeNull();
    expect((await approve(id)).body).toMatchObject({ code: "stale_price" } as never);
    await app.quote("EUR/USD", "1.10000", "1.10003");
    expect(await queued()).toBe("110.00");
    expect((await approve(id)).body).toMatchObject({ rate: "1.10001500", credited: "110.00", status: "approved", creditsUsd: null });
    expect(await walletOf(ann)).toBe("110.00");
  });
});

describe("what the site promises", () => {
  test("$5,000 in Bitcoin brings both bonuses, once", async () => {
    const ann = await app.trader();
    const { body } = await ann.post<Deposit>("/api/deposit-requests", { method: "cryptocurrency", amount: 5000, currency: "BTC", walletUsed: null, notes: "" });
    expect((await approve(body.id)).body).toMatchObject({ credited: "5000.00", bonusApplied: "600.00" });
    expect(await walletOf(ann)).toBe("5600.00");
    const second = await made(ann, { amount: 9000, currency: "BTC", method: "crypto" });
    expect((await approve(second, admin, { confirmAmount: 9000 })).body.bonusApplied).toBe("0.00");
    expect(await walletOf(ann)).toBe("14600.00");
  });

  test("$5,000 otherwise brings one, and Bitcoin later none; a cent less brings none", async () => {
    const ann = await app.trader();
    await approve(await made(ann, { amount: 4999.99, currency: "BTC", method: "crypto" }));
    expect(await walletOf(ann)).toBe("4999.99");
    await approve(await made(ann, { amount: 5000 }));
    await approve(await made(ann, { amount: 5000, currency: "BTC", method: "crypto" }));
    expect(await walletOf(ann)).toBe("15499.99");
  });

  test("several large deposits approved at once bring one bonus", async () => {
    const ann = await app.trader();
    const ids = await times(6, () => made(ann, { amount: 5000, currency: "BTC", method: "crypto" }));
    expect(counted(await Promise.all(ids.map((id) => approve(id))))).toEqual({ 200: 6 });
    expect(await walletOf(ann)).toBe("30600.00");
  });

  test("is what the table says, in the text and in the crediting", async () => {
    await app.sql`update promotions set amount = 77 where id = 'deposit_bonus'`;
    const { body } = await app.stranger().get<{ id: string; amount: string }[]>("/api/promotions");
    expect(body.find(({ id }) => id === "deposit_bonus")?.amount).toBe("77.00");
    const ann = await app.trader();
    await approve(await made(ann, { amount: 5000 }));
    expect(await walletOf(ann)).toBe("5077.00");
    await app.sql`update promotions set amount = 500 where id = 'deposit_bonus'`;
  });

  test("who refers a person is paid on that person's first approved deposit of $100 or more, once", async () => {
    const ann = await app.trader();
    const { code, link } = (await ann.get<Referrals>("/api/referrals")).body;
    expect(link).toBe(`/register?ref=${code}`);
    const bob = await app.trader({ firstName: "Bob", lastName: "Bell", referralCode: code.toLowerCase() });
    expect((await ann.get<Referrals>("/api/referrals")).body.referrals).toMatchObject([{ name: "Bob B.", status: "pending", bonusAmount: "0.00" }]);
    await approve(await made(bob, { amount: 99.99 }));
    expect(await walletOf(ann)).toBe("0.00");
    const ids = await times(5, () => made(bob, { amount: 100 }));
    await Promise.all(ids.map((id) => approve(id)));
    expect(await walletOf(ann)).toBe("50.00");
    const after = (await ann.get<Referrals>("/api/referrals")).body;
    expect(after).toMatchObject({ earned: "50.00", bonus: "50.00", referrals: [{ name: "Bob B.", status: "paid", bonusAmount: "50.00" }] });
    expect(JSON.stringify(after)).not.toContain("Bell");
  });

  test("who referred a person does not approve the deposit that pays for it, however often and beside whom", async () => {
    const referrer = await app.admin();
    const { code } = (await referrer.get<Referrals>("/api/referrals")).body;
    const bob = await app.trader({ referralCode: code });
    const [first, small] = [await made(bob, { amount: 300 }), await made(bob, { amount: 50 })];
    expect(await approve(first, referrer)).toMatchObject({
      status: 403,
      body: { code: "forbidden", message: "Approving this deposit pays you the bonus for referring its owner. Ask another administrator." },
    });
    expect([await walletOf(bob), await walletOf(referrer)]).toEqual(["0.00", "0.00"]);
    // Among many selected it is refused, too, and stops none of the others; what pays no bonus is decided as by anybody.
    const together = await referrer.post("/api/admin/deposits/approve", {
      requests: [
        { id: first, amount: "300.00" },
        { id: small, amount: "50.00" },
      ],
    });
    expect(together.text).toContain("Ask another administrator.");
    expect([await walletOf(bob), await walletOf(referrer)]).toEqual(["50.00", "0.00"]);
    const answers = await times(10, (n) => approve(first, n % 2 ? admin : referrer));
    expect(counted(answers)).toMatchObject({ 200: 1 });
    expect(answers.filter(({ status }) => status === 200).map(({ body }) => body.decidedBy)).toEqual([admin.email]);
    expect([await walletOf(bob), await walletOf(referrer)]).toEqual(["350.00", "50.00"]);
    expect((await approve(await made(bob, { amount: 300 }), referrer)).status).toBe(200);
  });

  test("nobody refers himself, nor by a code that is not known", async () => {
    const email = `self-${crypto.randomUUID()}@t.test`;
    const body = { firstName: "A", lastName: "B", email, password: "Corr3ct-horse", referralCode: "NOSUCHCODE" };
    expect((await app.stranger().post("/api/auth/register", body)).body.fields).toHaveProperty("referralCode");
    const ann = await app.trader();
    const change = app.sql`update users set referred_by = id where id = ${ann.id}`;
    expect(await change.catch((error: { code: string }) => error.code)).toBe("23514");
  });
});

describe("a transaction on a chain", () => {
  const paid = (person: Signed, over: Record<string, unknown>) => deposit(person, { currency: "BTC", method: "crypto", amount: 10, ...over });
  const hash = () => crypto.randomUUID().replaceAll("-", "").repeat(2);

  test("backs one deposit, in whatever case it is written and whoever claims it", async () => {
    const transactionHash = hash();
    const ann = await app.trader();
    const answers = await times(10, (n) => paid(n % 2 ? ann : tess, { transactionHash: n % 3 ? transactionHash : transactionHash.toUpperCase() }));
    expect(counted(answers)).toEqual({ 201: 1, 409: 9 });
    expect(answers.find(({ status }) => status === 409)?.body as unknown).toMatchObject({
      message: "This transaction is already claimed by another deposit.",
      fields: { transactionHash: "This transaction is already claimed by another deposit." },
    });
  });

  test("may pay two deposits by two outputs", async () => {
    const transactionHash = hash();
    expect((await paid(tess, { transactionHash, outputIndex: 0 })).status).toBe(201);
    expect((await paid(tess, { transactionHash, outputIndex: 1 })).status).toBe(201);
    expect((await paid(tess, { transactionHash, outputIndex: 1 })).status).toBe(409);
  });

  test("on Ethereum is the same with 0x and without, and by both names of its network", async () => {
    const transactionHash = hash();
    expect((await paid(tess, { currency: "ETH", transactionHash: `0x${transactionHash}` })).status).toBe(201);
    expect((await paid(tess, { currency: "ETH", network: "Mainnet", transactionHash })).status).toBe(409);
  });

  test("is free again once its deposit was rejected", async () => {
    const transactionHash = hash();
    const { body } = await paid(tess, { transactionHash });
    await reject(body.id);
    expect((await paid(tess, { transactionHash })).status).toBe(201);
  });
});

describe("a repeated request", () => {
  test("with the same key makes one deposit and hears the same answer", async () => {
    const headers = fresh();
    const body = { amount: 33, currency: "USD", method: "bank" };
    const answers = await times(8, () => tess.post<Deposit>("/api/deposits", body, headers));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(counted(answers)).toEqual({ 201: 8 });
    const other = await tess.post("/api/deposits", { ...body, amount: 34 }, headers);
    expect(other.status).toBe(409);
  });

  test("of an approval credits once and hears the same answer", async () => {
    const ann = await app.trader();
    const id = await made(ann, { amount: 40 });
    const headers = fresh();
    const answers = await times(5, () => admin.post(`/api/admin/deposits/${id}/approve`, {}, headers));
    expect(counted(answers)).toEqual({ 200: 5 });
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await walletOf(ann)).toBe("40.00");
  });
});

describe("the queue", () => {
  test("finds by name, address and state, page after page", async () => {
    const person = await fundedTrader(app, admin, 10);
    const ids = await times(5, () => made(person));
    const seen: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const page: Answer<StaffDeposit[]> = await admin.get(`/api/admin/deposits?status=pending&limit=2&q=${person.email}${cursor && `&cursor=${cursor}`}`);
      seen.push(...page.body.map(({ id }) => id));
      cursor = page.headers.get("x-next-cursor");
    }
    expect(seen.toSorted()).toEqual(ids.toSorted());
    const { body } = await admin.get<StaffDeposit[]>(`/api/admin/deposits?status=approved&q=${person.email.toUpperCase()}`);
    expect(body).toMatchObject([{ email: person.email, firstName: "Tess", credited: "10.00", decidedBy: admin.email }]);
    expect((await admin.get("/api/admin/deposits?cursor=nonsense")).status).toBe(400);
    expect((await admin.get("/api/admin/deposits?q=%25")).body as unknown).toEqual([]);
  });
});
