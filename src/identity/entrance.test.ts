import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type TestApp, testApp } from "../testing/app";
import { handHeld, until, waiting } from "../testing/scenarios";
import type { User } from "./schema";

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

const PASSWORD = "Corr3ct-horse";
let serial = 0;
const form = (over: object = {}) => ({ firstName: "Ada", lastName: "Lane", email: `ada${++serial}@t.test`, password: PASSWORD, referralCode: "", ...over });
const register = (over: object = {}) => app.stranger().post<{ user: User; message: string; fields: Record<string, string> }>("/api/auth/register", form(over));
/** Forgets failed sign-ins, which all come from one network here. */
const forgetFailures = () => app.sql`delete from throttles`;
const signIn = async (email: string, password: string) => {
  await forgetFailures();
  return app.stranger().post<{ user: User; message: string; code: string }>("/api/auth/login", { email, password });
};

describe("registration", () => {
  test("answers the person as pending with a session, and opens a demo account with 10,000.00", async () => {
    const visitor = app.stranger();
    const made = await visitor.post<{ user: User }>("/api/auth/register", form());
    expect(made.status).toBe(201);
    expect(made.body.user).toMatchObject({
      firstName: "Ada",
      registrationStatus: "pending",
      accountStatus: "active",
      role: "user",
      accountBalance: "0.00",
      tradingBalance: "0.00",
    });
    const cookie = made.headers.getSetCookie();
    expect(cookie).toHaveLength(2);
    expect(cookie[0]).toMatch(/^sid=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000$/);
    expect(cookie[1]).toMatch(/^device=/);
    const { body, status } = await visitor.get<User>("/api/auth/user");
    expect([status, body]).toEqual([200, made.body.user]);
    for (const secret of ["password", "approvedBy", "suspensionReason"]) expect(body).not.toHaveProperty(secret);
    expect(made.text + JSON.stringify(body)).not.toContain("argon2");
    expect((await visitor.get("/api/trading-accounts")).body).toMatchObject([{ isDemo: true, accountTypeId: "starter", balance: "10000.00" }]);
  });

  test("knows an address whatever its case, also when two come at once", async () => {
    const email = `Race${++serial}@T.test`;
    const answers = await Promise.all([email, email.toLowerCase(), email.toUpperCase()].map((each) => register({ email: each })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.message).toBe("An account with this email already exists.");
    expect((await signIn(email.toUpperCase(), PASSWORD)).status).toBe(200);
    // Losers of the race leave nothing behind.
    expect(
      await app.sql`select 1 from ledger_accounts a join users u on u.id = a.owner_id where lower(u.email) = ${email.toLowerCase()} and kind = 'wallet'`,
    ).toHaveLength(1);
  });

  test.each([
    ["firstName", "", "First name is required"],
    ["firstName", "   ", "First name is required"],
    ["lastName", undefined, "Last name is required"],
    ["lastName", "x".repeat(101), "At most 100 characters."],
    ["email", "no-address", "Please enter a valid email address"],
    ["email", "a@b", "Please enter a valid email address"],
    ["email", "аda@t.test", "Please enter a valid email address"],
    ["email", ["a@b.test"], "Please enter a valid email address"],
    ["password", "five5", "Password must be at least 6 characters"],
    ["password", "x".repeat(201), "Password must be at most 200 characters"],
    ["password", "password123", "This password is among the most common ones. Please choose another."],
    ["referralCode", "NOSUCHCODE", "This referral code is not known. Check it, or leave the field empty."],
    ["firstName", "a\u0000b", "Some characters in this text are not allowed."],
    ["lastName", "a\u202enimdA", "Some characters in this text are not allowed."],
    ["password", "      ", "A password of spaces alone is easily guessed. Please choose another."],
    ["password", "aaaaaa", "Repeated or consecutive characters are easily guessed. Please choose another password."],
    ["password", "iloveyou1", "This password is among the most common ones. Please choose another."],
    ["password", "ADA LANE", "This is your own name or address, which is easily guessed. Please choose another password."],
  ])("refuses %s %p on its field", async (field, value, message) => {
    const { status, body, text } = await register({ [field]: value });
    expect([status, body.fields?.[field]]).toEqual([400, message]);
    if (typeof value === "string" && value.trim().length > 4) expect(text).not.toContain(value);
  });

  test("takes no role, balance, id or status from the client", async () => {
    const forged = {
      role: "admin",
      accountBalance: "1000000",
      registrationStatus: "approved",
      accountStatus: "active",
      id: crypto.randomUUID(),
      isVip: true,
      kycStatus: "verified",
    };
    const { body } = await register({ ...forged, approvedBy: forged.id, approved_by: forged.id, __proto__: { role: "admin" } });
    expect(body.user).toMatchObject({
      role: "user",
      accountBalance: "0.00",
      registrationStatus: "pending",
      isVip: false,
      kycStatus: "pending",
      approvedAt: null,
    });
    expect(body.user.id).not.toBe(forged.id);
  });

  test("remembers who referred", async () => {
    const { body: first } = await register();
    const { body: second } = await register({ referralCode: first.user.referralCode.toLowerCase() });
    expect(second.user).toMatchObject({ referredBy: first.user.id, registrationSource: "referral" });
  });
});

describe("signing in", () => {
  test("answers alike for an unknown address and a wrong password", async () => {
    const { body } = await register();
    const [wrong, unknown] = [await signIn(body.user.email, "Wr0ng-horse"), await signIn("nobody@t.test", "Wr0ng-horse")];
    expect([wrong.status, wrong.body]).toEqual([401, { message: "Invalid email or password", code: "invalid_credentials" } as never]);
    expect([unknown.status, unknown.body]).toEqual([wrong.status, wrong.body]);
    const names = ({ headers }: { headers: Headers }) => [...headers.keys()].toSorted();
    expect(names(unknown)).toEqual(names(wrong));
    expect(wrong.headers.getSetCookie()).toEqual([]);
  });

  test("takes a password composed or decomposed as the same", async () => {
    const { body } = await register({ password: "caf\u00e9-noir" });
    expect((await signIn(body.user.email, "cafe\u0301-noir")).status).toBe(200);
    const { body: other } = await register({ password: "cafe\u0301-au-lait" });
    expect((await signIn(other.user.email, "caf\u00e9-au-lait")).status).toBe(200);
    expect((await signIn(other.user.email, "cafe-au-lait")).status).toBe(401);
  });

  test("says why a rejected, suspended or banned person may not, to who knows the password alone", async () => {
    for (const [column, code] of [
      ["registration_status = 'rejected', registration_reason = 'No papers'", "registration_rejected"],
      ["account_status = 'suspended', suspension_reason = 'A check', suspended_until = now() + interval '1 day'", "account_suspended"],
      ["account_status = 'banned', suspension_reason = 'Fraud'", "account_banned"],
    ] as const) {
      const { body } = await register();
      await app.sql.unsafe(`update users set ${column} where id = '${body.user.id}'`);
      const refused = await signIn(body.user.email, PASSWORD);
      expect([refused.status, refused.body.code]).toEqual([403, code]);
      expect(refused.body.message).toMatch(/No papers|A check|Fraud/);
      expect(refused.headers.getSetCookie()).toEqual([]);
      expect((await signIn(body.user.email, "Wr0ng-horse")).status).toBe(401);
    }
  });

  test("never lifts a ban that comes while the password is checked", async () => {
    const { body } = await register();
    const hand = await handHeld(app.db);
    try {
      await hand.sql`update users set account_status = 'banned', suspension_reason = 'Fraud' where id = ${body.user.id}`;
      const entering = signIn(body.user.email, PASSWORD);
      await until("the sign-in waits for the ban", async () => (await waiting(app.sql)) === 1);
      await hand.commit();
      expect(await entering).toMatchObject({ status: 403, body: { code: "account_banned" } });
    } finally {
      await hand.end();
    }
    const [row] = await app.sql<{ status: string }[]>`select account_status as status from users where id = ${body.user.id}`;
    expect(row?.status).toBe("banned");
  });

  test("opens no session by a password that was changed while it was checked", async () => {
    const { body } = await register();
    const other = await register();
    const hand = await handHeld(app.db);
    try {
      await hand.sql`update users set password = (select password from users where id = ${other.body.user.id}) where id = ${body.user.id}`;
      await hand.sql`delete from sessions where user_id = ${body.user.id}`;
      const entering = signIn(body.user.email, PASSWORD);
      await until("the sign-in waits for the change", async () => (await waiting(app.sql)) === 1);
      await hand.commit();
      expect(await entering).toMatchObject({ status: 401, body: { message: "Invalid email or password" } });
    } finally {
      await hand.end();
    }
    expect(await app.sql`select 1 from sessions where user_id = ${body.user.id}`).toHaveLength(0);
  });

  test("keeps secrets out of the log", () => {
    const log = app.lines.join("\n");
    for (const secret of [PASSWORD, "Wr0ng-horse", "argon2"]) expect(log).not.toContain(secret);
  });
});

describe("changing and confirming a password", () => {
  test("needs the current one; other sessions end, this one stays", async () => {
    const visitor = app.stranger();
    const { body } = await visitor.post<{ user: User }>("/api/auth/register", form());
    await forgetFailures();
    const elsewhere = app.stranger();
    await elsewhere.post("/api/auth/login", { email: body.user.email, password: PASSWORD });
    const change = (currentPassword: string, newPassword: string) => visitor.post("/api/auth/password", { currentPassword, newPassword });
    expect(await change("Wr0ng-horse", "N3w-password")).toMatchObject({ status: 403, body: { fields: { currentPassword: expect.any(String) } } });
    expect(await change(PASSWORD, "password123")).toMatchObject({ status: 400, body: { fields: { newPassword: expect.any(String) } } });
    expect(await change(PASSWORD, "short")).toMatchObject({ status: 400, body: { fields: { newPassword: expect.any(String) } } });
    expect((await elsewhere.get("/api/auth/user")).status).toBe(200);
    expect((await change(PASSWORD, "N3w-password")).status).toBe(204);
    expect([(await visitor.get("/api/auth/user")).status, (await elsewhere.get("/api/auth/user")).status]).toEqual([200, 401]);
    expect((await signIn(body.user.email, PASSWORD)).status).toBe(401);
    expect((await signIn(body.user.email, "N3w-password")).status).toBe(200);
  });

  test("is not for a session that was ended while the password was checked", async () => {
    const tess = await app.trader();
    await forgetFailures();
    const hand = await handHeld(app.db);
    try {
      await hand.sql`select from users where id = ${tess.id} for update`;
      await hand.sql`delete from sessions where user_id = ${tess.id}`;
      const changing = tess.post("/api/auth/password", { currentPassword: PASSWORD, newPassword: "N3w-password" });
      await until("the change waits", async () => (await waiting(app.sql)) === 1);
      await hand.commit();
      expect((await changing).status).toBe(401);
    } finally {
      await hand.end();
    }
    expect((await signIn(tess.email, PASSWORD)).status).toBe(200);
  });

  test("confirming renews the moment of proof, and only with the right password", async () => {
    const tess = await app.trader();
    await forgetFailures();
    await app.sql`update sessions set confirmed_at = now() - interval '1 hour' where user_id = ${tess.id}`;
    const age = async () =>
      (await app.sql<{ old: boolean }[]>`select confirmed_at < now() - interval '15 minutes' as old from sessions where user_id = ${tess.id}`)[0]?.old;
    expect((await tess.post("/api/auth/confirm", { password: "Wr0ng-horse" })).status).toBe(403);
    expect(await age()).toBe(true);
    expect((await tess.post("/api/auth/confirm", { password: PASSWORD })).status).toBe(204);
    expect(await age()).toBe(false);
  });

  test("an administrator's new password has twelve characters", async () => {
    await forgetFailures();
    const admin = await app.admin();
    const change = (newPassword: string) => admin.post("/api/auth/password", { currentPassword: "Corr3ct-horse-battery", newPassword });
    expect(await change("elevenchars")).toMatchObject({
      status: 400,
      body: { fields: { newPassword: "Administrators need a password of at least 12 characters" } },
    });
    expect((await change("twelve-chars")).status).toBe(204);
  });
});
