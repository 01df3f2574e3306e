import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { Person, TestApp } from "../testing/app";
import { approvedWithMoney, isIn, type Letters, type Mailbox, NEXT, openLetters, PASSWORD, statuses, type Trader, withdrawal } from "../testing/letters";
import { linkIn } from "../testing/mail_server";
import { until } from "../testing/scenarios";

/** Another address, which its owner can take back; and 'this was not me'. */

let site: Letters;
let server: Letters["server"];
let app: TestApp;
let box: Mailbox;
let login: Letters["login"];
beforeAll(async () => {
  site = await openLetters();
  ({ server, app, box, login } = site);
});
afterAll(() => site.close());
beforeEach(async () => {
  await app.sql`delete from throttles`;
});

describe("another address", () => {
  const change = (who: Person, email: string, password = PASSWORD) => who.post<{ pending: boolean; code?: string }>("/api/auth/email", { email, password });

  test("counts when the new one confirms it; the old one is told, and takes it back within seven days", async () => {
    const tess = await app.trader();
    const next = `new-${tess.email}`;
    expect((await change(tess, next, "Wr0ng-horse")).status).toBe(403);
    expect((await change(tess, next)).body).toEqual({ pending: true });
    expect((await tess.get("/api/auth/user")).body).toMatchObject({ email: tess.email });
    const confirm = await box.tokenTo(next, "/verify-email");
    const { body } = await app.stranger().post<{ user: object }>("/api/auth/verify-email", { token: confirm });
    expect(body.user).toMatchObject({ email: next, isEmailVerified: true });
    expect([(await login(tess.email, PASSWORD)).status, (await login(next, PASSWORD)).status]).toEqual([401, 200]);
    const back = await box.letterTo(tess.email, "/take-back-email");
    expect(back.text).toContain(next);
    const token = linkIn(back, "/take-back-email").split("token=")[1] ?? "";
    const [{ days = 0 } = {}] = await app.sql<{ days: number }[]>`
      select extract(epoch from max(expires_at) - now()) / 86400 as days from letter_links where user_id = ${tess.id} and purpose = 'take_back'
    `;
    expect(Number(days)).toBeGreaterThan(6.9);
    expect((await app.stranger().post("/api/auth/take-back-email", { token })).status).toBe(204);
    expect([(await login(tess.email, PASSWORD)).status, (await login(next, PASSWORD)).status]).toEqual([200, 401]);
    expect(await isIn(tess)).toBe(false);
    // Who changed it knew the password: the way to another one follows.
    expect((await app.stranger().post("/api/auth/reset", { token: await box.tokenTo(tess.email, "/reset-password"), password: NEXT })).status).toBe(204);
    expect((await app.stranger().post("/api/auth/take-back-email", { token })).status).toBe(404);
  });

  test("that was taken back is not taken again by who had it meanwhile, not even by a letter that was still on its way", async () => {
    const tess = await app.trader();
    const [evil, worse] = [`evil-${tess.email}`, `worse-${tess.email}`];
    await change(tess, evil);
    await app.stranger().post("/api/auth/verify-email", { token: await box.tokenTo(evil, "/verify-email") });
    await change(tess, worse);
    await app.stranger().post("/api/auth/verify-email", { token: await box.tokenTo(worse, "/verify-email") });
    const theirs = await box.tokenTo(evil, "/take-back-email");
    const own = await box.tokenTo(tess.email, "/take-back-email");
    await app.follow();
    await app.stranger().post("/api/auth/forgot", { email: worse });
    await app.sql`select resets_take()`;
    expect((await app.stranger().post("/api/auth/take-back-email", { token: own })).status).toBe(204);
    expect((await app.stranger().post("/api/auth/take-back-email", { token: theirs })).status).toBe(404);
    expect((await app.stranger().post("/api/auth/freeze", { token: await tokenOf(evil, "/freeze") })).status).toBe(404);
    await app.retake();
    await app.mailer.wake();
    expect(server.to(worse).filter(({ text }) => text.includes("/reset-password"))).toEqual([]);
    expect((await login(tess.email, PASSWORD)).status).toBe(200);
  });
  const tokenOf = async (address: string, page: string) =>
    linkIn(server.to(address).find(({ text }) => text.includes(page)) as never, page).split("token=")[1] ?? "";

  test("is nobody else's, whoever is first", async () => {
    const [tess, una] = [await app.trader(), await app.trader()];
    expect((await change(tess, una.email)).status).toBe(409);
    const wanted = `wanted-${tess.email}`;
    expect((await statuses([change(tess, wanted), change(una, wanted)])).every((status) => status === 200)).toBe(true);
    await box.letterTo(wanted, "/verify-email", 2);
    const tokens = server.to(wanted).map((letter) => linkIn(letter, "/verify-email").split("token=")[1] ?? "");
    expect(await statuses(tokens.map((token) => app.stranger().post("/api/auth/verify-email", { token })))).toEqual([200, 409]);
  });

  test("asked for twice is the second one's", async () => {
    const tess = await app.trader();
    await change(tess, `a-${tess.email}`);
    const first = await box.tokenTo(`a-${tess.email}`, "/verify-email");
    await change(tess, `b-${tess.email}`);
    expect((await app.stranger().post("/api/auth/verify-email", { token: first })).status).toBe(404);
    expect((await app.stranger().post("/api/auth/verify-email", { token: await box.tokenTo(`b-${tess.email}`, "/verify-email") })).status).toBe(200);
  });
});

describe("'This was not me'", () => {
  /** Signs in from a browser that was never seen, and gives the freeze link of the letter that tells of it. */
  async function noticed(who: Trader) {
    expect((await login(who.email, PASSWORD)).status).toBe(200);
    const letter = await box.letterTo(who.email, "/freeze");
    expect(letter.subject).toBe("Sign-in from a new device");
    return linkIn(letter, "/freeze").split("token=")[1] ?? "";
  }

  test("ends the sessions and blocks withdrawals, changes of address and new devices, until a new password", async () => {
    const [tess, admin] = [await app.trader(), await app.admin()];
    await approvedWithMoney(app, tess, "500.00");
    await app.sql`update users set is_email_verified = true where id = ${tess.id}`;
    const { body: waiting } = await tess.post<{ id: string }>("/api/withdrawals", withdrawal);
    await tess.post("/api/auth/email", { email: `evil-${tess.email}`, password: PASSWORD });
    const pending = await box.tokenTo(`evil-${tess.email}`, "/verify-email");
    const token = await noticed(tess);
    expect((await app.stranger().get(`/freeze?token=${token}`)).status).toBe(200);
    expect(await isIn(tess)).toBe(true);
    const ended: unknown[] = [];
    const stop = app.context.bus.subscribe("sessions", (message) => void ended.push(message));
    expect((await app.stranger().post("/api/auth/freeze", { token })).status).toBe(204);
    stop();
    // Streams end by this word, as with a new password.
    expect(ended).toEqual([{ userId: tess.id, sessionId: null }]);
    expect(await isIn(tess)).toBe(false);
    const refused = await login(tess.email, PASSWORD);
    expect([refused.status, refused.body.code]).toEqual([403, "account_frozen"]);
    // In the browser that was trusted before, too: all devices were forgotten.
    expect((await tess.post("/api/auth/login", { email: tess.email, password: PASSWORD })).status).toBe(403);
    expect((await app.stranger().post("/api/auth/verify-email", { token: pending })).status).toBe(404);
    expect((await admin.post(`/api/admin/withdrawals/${waiting.id}/approve`)).status).toBe(409);
    expect((await app.stranger().post("/api/auth/freeze", { token })).status).toBe(404);
    const book = await app.sql<{ action: string }[]>`select action from admin_actions where target_user_id = ${tess.id} order by id`;
    expect(book.map(({ action }) => action)).toEqual(["user.freeze"]);
    await until("staff are told", async () => (await admin.get("/api/admin/notifications")).text.includes("frozen by its owner"));
    expect((await admin.get(`/admin/users/${tess.id}`)).text).toContain("frozen by its owner");
    const reset = await box.tokenTo(tess.email, "/reset-password");
    expect((await app.stranger().post("/api/auth/reset", { token: reset, password: NEXT })).status).toBe(204);
    expect((await login(tess.email, NEXT)).status).toBe(200);
    expect((await tess.post("/api/auth/login", { email: tess.email, password: NEXT })).status).toBe(200);
    await app.sql`update sessions set confirmed_at = now()`;
    expect((await tess.post("/api/withdrawals", withdrawal)).status).toBe(201);
  });

  test("blocks what goes on in a session that another program opened meanwhile", async () => {
    const tess = await app.trader();
    await approvedWithMoney(app, tess, "500.00");
    await app.sql`update users set is_email_verified = true, frozen_at = now() where id = ${tess.id}`;
    expect((await tess.post("/api/withdrawals", withdrawal)).body.code).toBe("account_frozen");
    expect((await tess.post("/api/auth/email", { email: `x-${tess.email}`, password: PASSWORD })).body.code).toBe("account_frozen");
  });

  test("is ended by an administrator, with a reason, in the book; nobody ends one's own", async () => {
    const [tess, admin] = [await app.trader(), await app.admin()];
    expect((await admin.post(`/api/admin/users/${tess.id}/release`, { reason: "Called" })).status).toBe(409);
    await app.stranger().post("/api/auth/freeze", { token: await noticed(tess) });
    expect((await admin.post(`/api/admin/users/${tess.id}/release`, { reason: "" })).status).toBe(400);
    const answers = await statuses(Array.from({ length: 5 }, () => admin.post(`/api/admin/users/${tess.id}/release`, { reason: "Called" })));
    expect(answers).toEqual([200, 409, 409, 409, 409]);
    expect((await login(tess.email, PASSWORD)).status).toBe(200);
    const book = await app.sql<{ action: string }[]>`select action from admin_actions where target_user_id = ${tess.id} order by id`;
    expect(book.map(({ action }) => action)).toEqual(["user.freeze", "user.release"]);
    expect((await admin.post(`/api/admin/users/${admin.id}/release`, { reason: "Me" })).status).toBe(409);
  });

  test("pressed in the letter to the old address takes the address back: the way out must not go to who changed it", async () => {
    const tess = await app.trader();
    const earlier = await noticed(tess);
    const evil = `evil-${tess.email}`;
    await tess.post("/api/auth/email", { email: evil, password: PASSWORD });
    await app.stranger().post("/api/auth/verify-email", { token: await box.tokenTo(evil, "/verify-email") });
    expect((await app.stranger().post("/api/auth/freeze", { token: earlier })).status).toBe(204);
    const [user] = await app.sql<{ email: string; frozen: boolean }[]>`select email, frozen_at is not null as frozen from users where id = ${tess.id}`;
    expect(user).toEqual({ email: tess.email, frozen: true });
    await box.tokenTo(tess.email, "/reset-password");
    expect(server.to(evil).filter(({ text }) => text.includes("/reset-password"))).toEqual([]);
  });
});
