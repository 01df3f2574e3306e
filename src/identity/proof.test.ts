import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type TestApp, testApp } from "../testing/app";
import { codeIn, holdHalfMinute } from "../testing/codes";
import { waitsLast, whileWaitsLast } from "../testing/scenarios";

const PASSWORD = "Corr3ct-horse-battery";
let app: TestApp;
beforeAll(async () => {
  app = await testApp({ ADVERSE_CORRECTIONS: "four-eyes" });
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});
afterAll(holdHalfMinute());
/** As after so many minutes, by the database's clock. */
const age = (userId: string, minutes: number) =>
  app.sql`update sessions set confirmed_at = now() - make_interval(mins => ${minutes}) where user_id = ${userId}`;

describe("a decision of staff", () => {
  const nobody = crypto.randomUUID();
  const wallet = { currency: "BTC", network: "Bitcoin", address: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", label: "x" };

  test.each([
    ["POST", `/api/admin/deposits/${nobody}/approve`, {}],
    ["POST", `/api/admin/deposits/${nobody}/reject`, { reason: "x" }],
    ["POST", `/api/admin/withdrawals/${nobody}/approve`, {}],
    ["POST", `/api/admin/withdrawals/${nobody}/reject`, { reason: "x" }],
    ["POST", `/api/admin/trades/${nobody}/force-win`, { profit: "1.00", reason: "x" }],
    ["POST", `/api/admin/trades/${nobody}/force-loss`, { loss: "1.00", reason: "x" }],
    ["POST", `/api/admin/corrections/${nobody}/confirm`, {}],
    ["POST", `/api/admin/corrections/${nobody}/decline`, {}],
    ["POST", "/api/admin/wallets", wallet],
    ["PATCH", "/api/admin/wallets", { id: nobody, isActive: false }],
    ["PATCH", `/api/admin/wallets/${nobody}`, { isActive: false }],
    ["POST", `/api/admin/wallets/${nobody}/deactivate`, {}],
    ["POST", `/api/admin/users/${nobody}/role`, { role: "admin", reason: "x" }],
    ["POST", `/api/admin/users/${nobody}/two-factor/reset`, { reason: "x" }],
    ["PATCH", "/api/admin/settings", {}],
  ])("%s %s is asked for a fresh proof after 15 minutes, and taken with one", async (method, path, body) => {
    const admin = await app.admin();
    await age(admin.id, 14);
    expect((await admin.call(method, path, { body })).body.code).not.toBe("reauth_required");
    await age(admin.id, 16);
    const refused = await admin.call(method, path, { body });
    expect([refused.status, refused.body.code]).toEqual([403, "reauth_required"]);
    expect((await admin.post("/api/auth/confirm", { password: PASSWORD })).status).toBe(204);
    expect((await admin.call(method, path, { body })).body.code).not.toBe("reauth_required");
  });

  test("is repeated under its key once it was proved, and asks nobody who may not decide", async () => {
    const [admin, trader] = [await app.admin(), await app.trader()];
    const { body: deposit } = await trader.post<{ id: string }>("/api/deposits", { amount: "100.00", currency: "USD", method: "bank" });
    await age(admin.id, 16);
    await age(trader.id, 16);
    const path = `/api/admin/deposits/${deposit.id}/reject`;
    const key = { "idempotency-key": "proof-1" };
    expect((await admin.post(path, { reason: "No such payment" }, key)).body.code).toBe("reauth_required");
    expect((await trader.post(path, { reason: "No such payment" }, key)).body.code).toBe("forbidden");
    await admin.post("/api/auth/confirm", { password: PASSWORD });
    expect((await admin.post(path, { reason: "No such payment" }, key)).status).toBe(200);
  });

  test("reads are never asked", async () => {
    const admin = await app.admin();
    await age(admin.id, 60);
    for (const path of ["/api/admin/deposits", "/api/admin/wallets", "/api/admin/users"]) expect((await admin.get(path)).status).toBe(200);
  });
});

describe("who has a second factor", () => {
  const guarded = async () => {
    const admin = await app.admin();
    const { body } = await admin.post<{ secret: string }>("/api/auth/two-factor", { password: PASSWORD });
    const code = (step: number) => codeIn(body.secret, step);
    const { body: on } = await admin.post<{ recoveryCodes: string[] }>("/api/auth/two-factor/confirm", { code: code(-1) });
    return { admin, code, recoveryCodes: on.recoveryCodes };
  };

  test("proves it with the code too", async () => {
    const { admin, code, recoveryCodes } = await guarded();
    await age(admin.id, 16);
    const reject = async () => (await admin.post(`/api/admin/deposits/${crypto.randomUUID()}/reject`, { reason: "x" })).body.code;
    const asked = await admin.post("/api/auth/confirm", { password: PASSWORD });
    expect([asked.status, asked.body]).toEqual([403, { code: "code_required", message: expect.any(String), fields: { code: expect.any(String) } } as never]);
    expect((await admin.post("/api/auth/confirm", { password: PASSWORD, code: "AAAAAAAAAAAAAAAA" })).body).toMatchObject({
      code: "forbidden",
      fields: { code: expect.any(String) },
    });
    expect(await reject()).toBe("reauth_required");
    expect((await admin.post("/api/auth/confirm", { password: PASSWORD, code: code(0) })).status).toBe(204);
    expect(await reject()).toBe("not_found");
    await age(admin.id, 16);
    expect((await admin.post("/api/auth/confirm", { password: PASSWORD, code: recoveryCodes[0] })).status).toBe(204);
  });

  test("changes the password with it", async () => {
    const { admin, recoveryCodes } = await guarded();
    const change = (code?: string) =>
      admin.post("/api/auth/password", { currentPassword: PASSWORD, newPassword: "An0ther-horse-battery", ...(code ? { code } : {}) });
    expect((await change()).body.code).toBe("code_required");
    expect((await change("BBBBBBBBBBBBBBBB")).status).toBe(403);
    expect((await change(recoveryCodes[0])).status).toBe(204);
  });

  test("is not outrun by guesses at the code", async () => {
    const { admin, recoveryCodes } = await guarded();
    const guess = async () => (await admin.post("/api/auth/confirm", { password: PASSWORD, code: "AAAAAAAAAAAAAAAA" })).status;
    const tries = await whileWaitsLast(app.sql, () => Promise.all(Array.from({ length: 12 }, guess)));
    expect(tries.toSorted()).toEqual([...Array<number>(5).fill(403), ...Array<number>(7).fill(429)]);
    await waitsLast(app.sql);
    expect((await admin.post("/api/auth/confirm", { password: PASSWORD, code: recoveryCodes[0] })).status).toBe(429);
  });
});
