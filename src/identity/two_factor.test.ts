import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type Person, type TestApp, testApp } from "../testing/app";
import { codeIn, holdHalfMinute } from "../testing/codes";
import { waitsLast, whileWaitsLast } from "../testing/scenarios";
import { spendCode } from "./commands_codes";
import { resetAdminTwoFactor } from "./commands_two_factor";

const PASSWORD = "Corr3ct-horse";
let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.end());
afterAll(holdHalfMinute());
beforeEach(async () => {
  await app.sql`delete from throttles`;
});

const login = (body: object) => app.stranger().post<{ code: string; fields?: Record<string, string>; user?: { id: string } }>("/api/auth/login", body);
const statuses = async (answers: Promise<{ status: number }>[]) => (await Promise.all(answers)).map(({ status }) => status).toSorted();

/** Switches it on for a person, and gives back what an app and a drawer would hold. */
async function setUp(person: Person, password = PASSWORD) {
  const { body, status } = await person.post<{ secret: string }>("/api/auth/two-factor", { password });
  expect(status).toBe(200);
  const done = await person.post<{ recoveryCodes: string[] }>("/api/auth/two-factor/confirm", { code: codeIn(body.secret, -1) });
  expect(done.status).toBe(200);
  return { secret: body.secret, recoveryCodes: done.body.recoveryCodes };
}
async function guarded() {
  const person = await app.trader();
  return { person, email: person.email, ...(await setUp(person)) };
}

describe("signing in", () => {
  test("without a second factor is as it was, whatever a form sends along", async () => {
    const { email } = await app.trader();
    for (const code of [undefined, "", "123456"]) expect((await login({ email, password: PASSWORD, code })).status).toBe(200);
    const wrong = await login({ email, password: "Wr0ng-horse", code: "123456" });
    expect([wrong.status, wrong.body as object]).toEqual([401, { code: "invalid_credentials", message: "Invalid email or password" }]);
  });

  test("asks for the code only after the right password", async () => {
    const { email, secret } = await guarded();
    const asked = await login({ email, password: PASSWORD });
    const message = "Enter the code from your authenticator app.";
    expect([asked.status, asked.body as object]).toEqual([401, { code: "two_factor_required", message, fields: { code: message } }]);
    expect(asked.headers.getSetCookie()).toEqual([]);
    for (const code of [undefined, codeIn(secret)])
      expect((await login({ email, password: "Wr0ng-horse", code })).body as object).toEqual({
        code: "invalid_credentials",
        message: "Invalid email or password",
      });
    expect((await login({ email, password: PASSWORD, code: codeIn(secret) })).status).toBe(200);
  });

  test("takes a code as it is read: in two groups, or with spaces round it", async () => {
    const { email, secret } = await guarded();
    const code = codeIn(secret);
    expect((await login({ email, password: PASSWORD, code: ` ${code.slice(0, 3)} ${code.slice(3)} ` })).status).toBe(200);
  });

  test("takes a code once, nor one from before it", async () => {
    const { email, secret } = await guarded();
    const [earlier, later] = [codeIn(secret, 0), codeIn(secret, 1)];
    expect((await login({ email, password: PASSWORD, code: later })).status).toBe(200);
    for (const code of [later, earlier]) {
      const refused = await login({ email, password: PASSWORD, code });
      expect([refused.status, refused.body.code, Object.keys(refused.body.fields ?? {})]).toEqual([401, "invalid_credentials", ["code"]]);
    }
  });

  test("of twenty at once with one code one gets in", async () => {
    const { email, secret, person } = await guarded();
    const code = codeIn(secret, 1);
    const answers = await statuses(Array.from({ length: 20 }, () => login({ email, password: PASSWORD, code })));
    expect(answers.filter((status) => status === 200)).toHaveLength(1);
    const id = (await person.get<{ id: string }>("/api/auth/user")).body.id;
    const next = await guarded();
    const userId = (await next.person.get<{ id: string }>("/api/auth/user")).body.id;
    const spent = await Promise.all(Array.from({ length: 20 }, () => spendCode(app.sql, userId, codeIn(next.secret, 1))));
    expect(spent.filter(Boolean)).toHaveLength(1);
    expect(await spendCode(app.sql, id, codeIn(next.secret, 1))).toBe(false);
  });

  test("takes each recovery code once, of twenty at once too", async () => {
    const { email, recoveryCodes, person } = await guarded();
    expect(new Set(recoveryCodes).size).toBe(10);
    const [first = "", second = "", third = ""] = recoveryCodes;
    expect((await login({ email, password: PASSWORD, code: first })).status).toBe(200);
    expect((await login({ email, password: PASSWORD, code: first })).status).toBe(401);
    expect((await login({ email, password: PASSWORD, code: second.toLowerCase().replaceAll("-", " ") })).status).toBe(200);
    const { body: me } = await person.get<{ id: string }>("/api/auth/user");
    const spent = await Promise.all(Array.from({ length: 20 }, () => spendCode(app.sql, me.id, third.replaceAll("-", ""))));
    expect(spent.filter(Boolean)).toHaveLength(1);
    expect((await person.get("/api/auth/two-factor")).body).toMatchObject({ recoveryCodes: 7 });
  });

  test("somebody else's codes are worth nothing", async () => {
    const [ours, theirs] = await Promise.all([guarded(), guarded()]);
    for (const code of [codeIn(theirs.secret), theirs.recoveryCodes[0]])
      expect((await login({ email: ours.email, password: PASSWORD, code })).status).toBe(401);
  });

  test("a banned person hears why with a code alone", async () => {
    const [{ person, email, secret }, admin] = await Promise.all([guarded(), app.admin()]);
    const { body: me } = await person.get<{ id: string }>("/api/auth/user");
    await admin.post(`/api/admin/users/${me.id}/ban`, { reason: "Fraud" });
    expect((await login({ email, password: PASSWORD })).body.code).toBe("two_factor_required");
    expect((await login({ email, password: PASSWORD, code: codeIn(secret) })).body.code).toBe("account_banned");
  });
});

describe("codes can't be guessed", () => {
  test("wrong ones count as failures of the account, and the right password wipes nothing", async () => {
    const { email, secret } = await guarded();
    const right = codeIn(secret);
    const wrong = right === "000000" ? "000001" : "000000";
    for (let tries = 0; tries < 5; tries++) expect((await login({ email, password: PASSWORD, code: wrong })).status).toBe(401);
    await waitsLast(app.sql);
    expect((await login({ email, password: PASSWORD, code: right })).status).toBe(429);
    expect((await login({ email, password: PASSWORD })).status).toBe(429);
  });

  test("nor in parallel", async () => {
    const { email } = await guarded();
    const guess = (letter: string) => login({ email, password: PASSWORD, code: `AAAAAAAAAAAAAA${letter}A` });
    const answers = await whileWaitsLast(app.sql, () => statuses([..."ABCDEFGHIJKLMNOPQRST"].map(guess)));
    expect(answers).toEqual([...Array<number>(5).fill(401), ...Array<number>(15).fill(429)]);
  });

  test("nor by somebody at an open browser who knows the password", async () => {
    const { person } = await guarded();
    const code = "AAAAAAAAAAAAAAAA";
    for (let tries = 0; tries < 5; tries++) {
      expect((await person.post("/api/auth/two-factor/off", { password: PASSWORD, code })).status).toBe(403);
      // The right password wipes the count of the password.
      expect((await person.post("/api/auth/confirm", { password: PASSWORD })).body.code).toBe("code_required");
    }
    await waitsLast(app.sql);
    expect((await person.post("/api/auth/two-factor/off", { password: PASSWORD, code })).status).toBe(429);
  });

  test("asking for the code is a try of the account until the code comes", async () => {
    const { email, secret } = await guarded();
    for (let tries = 0; tries < 4; tries++) expect((await login({ email, password: PASSWORD })).status).toBe(401);
    expect((await login({ email, password: PASSWORD, code: codeIn(secret) })).status).toBe(200);
    expect((await login({ email, password: PASSWORD })).status).toBe(401);
  });
});

describe("what is no code", () => {
  test.each([
    [["123456"]],
    [{ a: 1 }],
    [123456],
    [true],
    [null],
    ["1234567"],
    ["12345"],
    ["１２３４５６"],
    ["١٢٣٤٥٦"],
    ["12345a"],
    ["0".repeat(5000)],
    ["123456\u0000"],
  ])("%j is refused on its field", async (code) => {
    const person = await app.trader();
    const answers = await Promise.all([
      login({ email: person.email, password: PASSWORD, code }),
      person.post("/api/auth/two-factor/confirm", { code }),
      person.post("/api/auth/two-factor/off", { password: PASSWORD, code }),
      person.post("/api/auth/two-factor/recovery-codes", { password: PASSWORD, code }),
    ]);
    for (const { status, body } of answers) {
      expect(status).toBe(400);
      expect(body).toMatchObject(String(code).includes("\u0000") ? { code: "invalid" } : { fields: { code: expect.any(String) } });
    }
  });
});

describe("setting it up", () => {
  test("needs the password, then a code, and counts from then on alone", async () => {
    const person = await app.trader();
    expect((await person.get("/api/auth/two-factor")).body).toEqual({ since: null, recoveryCodes: 0 });
    expect((await person.post("/api/auth/two-factor/confirm", { code: "123456" })).status).toBe(409);
    expect((await person.post("/api/auth/two-factor", { password: "Wr0ng-horse" })).status).toBe(403);
    const { body } = await person.post<{ secret: string; address: string }>("/api/auth/two-factor", { password: PASSWORD });
    expect(body.address).toContain(`secret=${body.secret}`);
    expect((await login({ email: person.email, password: PASSWORD })).status).toBe(200);
    expect((await person.post("/api/auth/two-factor/confirm", { code: codeIn(body.secret, 5) })).status).toBe(400);
    expect((await person.post("/api/auth/two-factor/confirm", { code: codeIn(body.secret) })).status).toBe(200);
    expect((await login({ email: person.email, password: PASSWORD })).status).toBe(401);
    expect((await login({ email: person.email, password: PASSWORD, code: codeIn(body.secret) })).status).toBe(401);
    expect((await person.get("/api/auth/two-factor")).body).toMatchObject({ recoveryCodes: 10, since: expect.any(String) });
    expect((await person.post("/api/auth/two-factor", { password: PASSWORD })).status).toBe(409);
  });

  test("is done once by many at once", async () => {
    const person = await app.trader();
    const { body } = await person.post<{ secret: string }>("/api/auth/two-factor", { password: PASSWORD });
    const code = codeIn(body.secret);
    const done = await statuses(Array.from({ length: 20 }, () => person.post("/api/auth/two-factor/confirm", { code })));
    expect(done).toEqual([200, ...Array<number>(19).fill(409)]);
    const [count] = await app.sql<{ n: number }[]>`select count(*)::integer as n from recovery_codes where user_id = ${person.id}`;
    expect(count?.n).toBe(10);
  });

  test("ends the other sessions and tells the person", async () => {
    const person = await app.trader();
    const other = app.stranger();
    await other.post("/api/auth/login", { email: person.email, password: PASSWORD });
    const told: string[] = [];
    const stop = app.context.bus.subscribe("notice", ({ userId, title, topic }) => userId === person.id && told.push(`${topic}: ${title}`));
    await setUp(person);
    stop();
    expect(told).toEqual(["security: Two-factor sign-in is on"]);
    expect((await other.get("/api/auth/user")).status).toBe(401);
    expect((await person.get("/api/auth/user")).status).toBe(200);
  });

  test("keeps of the recovery codes a hash alone", async () => {
    const { recoveryCodes } = await guarded();
    const rows = await app.sql<{ hash: string }[]>`select code_hash as hash from recovery_codes limit 1000`;
    for (const code of recoveryCodes) expect(JSON.stringify(rows)).not.toContain(code.replaceAll("-", ""));
    expect(app.lines.join("\n")).not.toContain(recoveryCodes[0] ?? "none");
  });
});

describe("changing it", () => {
  test("new recovery codes take the place of the old", async () => {
    const { person, email, secret, recoveryCodes } = await guarded();
    expect((await person.post("/api/auth/two-factor/recovery-codes", { password: "Wr0ng-horse", code: recoveryCodes[1] })).status).toBe(403);
    const { body } = await person.post<{ recoveryCodes: string[] }>("/api/auth/two-factor/recovery-codes", { password: PASSWORD, code: codeIn(secret) });
    expect(body.recoveryCodes).toHaveLength(10);
    expect((await login({ email, password: PASSWORD, code: recoveryCodes[1] })).status).toBe(401);
    expect((await login({ email, password: PASSWORD, code: body.recoveryCodes[1] })).status).toBe(200);
  });

  test("off takes password and code, ends the other sessions, and the password is enough again", async () => {
    const { person, email, secret, recoveryCodes } = await guarded();
    const other = app.stranger();
    expect((await other.post("/api/auth/login", { email, password: PASSWORD, code: recoveryCodes[0] })).status).toBe(200);
    expect((await person.post("/api/auth/two-factor/off", { password: PASSWORD, code: "AAAAAAAAAAAAAAAA" })).status).toBe(403);
    expect((await person.post("/api/auth/two-factor/off", { password: PASSWORD, code: codeIn(secret) })).status).toBe(204);
    expect((await other.get("/api/auth/user")).status).toBe(401);
    expect((await login({ email, password: PASSWORD })).status).toBe(200);
    expect((await person.post("/api/auth/two-factor/off", { password: PASSWORD, code: recoveryCodes[1] })).status).toBe(409);
  });

  test("each step is a line of the log, with who and from where", async () => {
    const { person, recoveryCodes } = await guarded();
    await person.post("/api/auth/two-factor/recovery-codes", { password: PASSWORD, code: recoveryCodes[0] });
    const told = app.lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const changed = { level: "info", requestId: expect.stringMatching(/^\w+-\w+$/) as string, network: expect.any(String) as string };
    expect(told.filter((line) => line.msg === "second factor changed" && line.person === person.id)).toMatchObject([
      { ...changed, command: "two_factor.on" },
      { ...changed, command: "two_factor.new_codes" },
    ]);
  });

  test("what staff do with their own is in the audit book", async () => {
    const admin = await app.admin();
    const { secret } = await setUp(admin, "Corr3ct-horse-battery");
    await admin.post("/api/auth/two-factor/off", { password: "Corr3ct-horse-battery", code: codeIn(secret) });
    const entries = await app.sql<
      { action: string }[]
    >`select action from admin_actions where admin_user_id = ${admin.id} and target_user_id = ${admin.id} order by id`;
    expect(entries.map(({ action }) => action)).toEqual(["two_factor.on", "two_factor.off"]);
    expect(await app.faults()).toEqual([]);
  });
});

describe("a reset", () => {
  test("by staff lets in by password, ends sessions, and is audited", async () => {
    const [{ person, email }, admin] = await Promise.all([guarded(), app.admin()]);
    const { body: me } = await person.get<{ id: string }>("/api/auth/user");
    expect((await admin.get(`/api/admin/users/${me.id}`)).body.twoFactor).toBe(true);
    const path = `/api/admin/users/${me.id}/two-factor/reset`;
    expect((await admin.post(path, { reason: "" })).status).toBe(400);
    const done = await statuses(Array.from({ length: 20 }, () => admin.post(path, { reason: "Lost phone" })));
    expect(done).toEqual([200, ...Array<number>(19).fill(409)]);
    expect((await person.get("/api/auth/user")).status).toBe(401);
    expect((await login({ email, password: PASSWORD })).status).toBe(200);
    const [entry] = await app.sql`select action, reason from admin_actions where target_user_id = ${me.id} order by id desc limit 1`;
    expect({ ...entry }).toEqual({ action: "user.two_factor_reset", reason: "Lost phone" });
    const told = app.lines.find((line) => line.includes("second factor reset by staff"));
    expect(JSON.parse(told ?? "{}")).toMatchObject({ personId: me.id, adminId: admin.id });
  });

  test("is refused for oneself, for nobody, and where nothing is on", async () => {
    const [admin, trader] = await Promise.all([app.admin(), app.trader()]);
    await setUp(admin, "Corr3ct-horse-battery");
    const reset = (id: string) => admin.post(`/api/admin/users/${id}/two-factor/reset`, { reason: "Lost phone" });
    expect((await reset(admin.id)).status).toBe(409);
    expect((await reset(crypto.randomUUID())).status).toBe(404);
    expect((await reset(trader.id)).status).toBe(409);
    expect((await trader.post(`/api/admin/users/${admin.id}/two-factor/reset`, { reason: "Mine" })).status).toBe(403);
    expect((await admin.get("/api/auth/two-factor")).body.recoveryCodes).toBe(10);
  });

  test("by the operator is for administrators", async () => {
    const [{ email }, admin] = await Promise.all([guarded(), app.admin()]);
    await setUp(admin, "Corr3ct-horse-battery");
    expect(await resetAdminTwoFactor(app.sql, admin.email.toUpperCase())).toEqual({ email: admin.email });
    expect((await admin.get("/api/auth/user")).status).toBe(401);
    expect((await login({ email: admin.email, password: "Corr3ct-horse-battery" })).status).toBe(200);
    for (const other of [email, admin.email]) await expect(resetAdminTwoFactor(app.sql, other)).rejects.toThrow();
    expect(await app.faults()).toEqual([]);
  });
});
