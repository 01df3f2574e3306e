import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type TestApp, testApp } from "../testing/app";
import { order, until } from "../testing/scenarios";
import type { Position } from "../trading/schema";

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

type Someone = Awaited<ReturnType<TestApp["trader"]>>;
const PASSWORD = "Corr3ct-horse";
const isIn = async (person: Someone) => (await person.get("/api/auth/user")).status === 200;
const signIn = (person: Someone) => app.stranger().post<{ user: { accountStatus: string } }>("/api/auth/login", { email: person.email, password: PASSWORD });
const commandsOn = (id: string) =>
  app.sql<{ admin: string; action: string; reason: string; before: object; after: object }[]>`
    select admin_user_id as admin, action, reason, previous_state as before, new_state as after from admin_actions where target_user_id = ${id} order by id
  `;
const statuses = (answers: readonly { status: number }[]) => answers.map(({ status }) => status).toSorted();

describe("suspension, ban and rejection", () => {
  test.each([
    ["suspend", (id: string) => `/api/admin/users/${id}/suspend`, "account_suspended"],
    ["ban", (id: string) => `/api/admin/users/${id}/ban`, "account_banned"],
    ["reject", (id: string) => `/api/admin/reject-registration/${id}`, "registration_rejected"],
  ] as const)("%s: every session and stream ends at once, and signing in says why", async (_command, path, code) => {
    const [admin, tess] = [await app.admin(), await app.trader()];
    await app.quote("EUR/USD", "1.10000", "1.10002");
    const { body: position } = await tess.post<Position>("/api/trading/positions", { ...order, stopLoss: 1.09 });
    const stream = await tess.fetch("GET", "/api/stream");
    expect(await admin.post(path(tess.id), { reason: "Under review" })).toMatchObject({ status: 200 });
    // Resolves, because the server ends the stream.
    await stream.text();
    expect(await isIn(tess)).toBe(false);
    expect((await tess.post("/api/trading/positions", order)).status).toBe(401);
    expect(await app.sql`select 1 from sessions where user_id = ${tess.id}`).toHaveLength(0);
    const refused = await signIn(tess);
    expect([refused.status, refused.body]).toEqual([403, { code, message: expect.stringContaining("Under review") } as never]);
    // What was open stays in the engine's care.
    await app.quote("EUR/USD", "1.08000", "1.08002");
    const [row] = await app.sql<{ reason: string }[]>`select close_reason as reason from positions where id = ${position.id}`;
    expect(row?.reason).toBe("stop_loss");
  });

  test("a suspension ends by itself when its time has passed", async () => {
    const [admin, tess] = [await app.admin(), await app.trader()];
    const suspendUntil = new Date(Date.now() + 86_400_000).toISOString();
    expect((await admin.post(`/api/admin/users/${tess.id}/suspend`, { reason: "A pause", suspendUntil })).body.user).toMatchObject({
      accountStatus: "suspended",
      suspendedUntil: suspendUntil,
    });
    const refused = await signIn(tess);
    expect([refused.status, refused.text.includes(suspendUntil.slice(0, 10))]).toEqual([403, true]);
    await app.sql`update users set suspended_until = now() - interval '1 second' where id = ${tess.id}`;
    expect(await signIn(tess)).toMatchObject({ status: 200, body: { user: { accountStatus: "active" } } });
  });

  test("an administrator's activation lifts both", async () => {
    const [admin, tess] = [await app.admin(), await app.trader()];
    await admin.post(`/api/admin/users/${tess.id}/ban`, { reason: "Mistaken" });
    expect((await admin.post(`/api/admin/users/${tess.id}/suspend`, { reason: "Milder" })).status).toBe(409);
    expect((await admin.post(`/api/admin/users/${tess.id}/activate`)).body.user).toMatchObject({ accountStatus: "active", suspendedUntil: null });
    expect((await signIn(tess)).status).toBe(200);
    expect((await commandsOn(tess.id)).map(({ action, after }) => [action, after])).toEqual([
      ["user.ban", { account_status: "banned", suspended_until: null, suspension_reason: "Mistaken" }],
      ["user.activate", { account_status: "active", suspended_until: null, suspension_reason: null }],
    ]);
  });
});

describe("a command that looks its session up in its own statement", () => {
  const open = () => app.quote("EUR/USD", "1.10000", "1.10002");
  const made = async (id: string) =>
    (await app.sql`select id from positions where user_id = ${id} union all select id from transfers where user_id = ${id}`).length;
  /** What a person who may no longer act is answered to an order, to a transfer, and to a body that is no order. */
  const refusals = async (person: Someone) => [
    await person.post("/api/trading/positions", order),
    await person.post("/api/transfers", { fromAccountId: null, toAccountId: crypto.randomUUID(), amount: "1.00" }),
    await person.post("/api/trading/positions", { symbol: "nothing" }),
    await person.post("/api/trading/positions", order, { "Idempotency-Key": crypto.randomUUID() }),
  ];

  test.each([
    ["suspended", (id: string) => app.sql`update users set account_status = 'suspended', suspended_until = now() + interval '1 hour' where id = ${id}`],
    ["banned", (id: string) => app.sql`update users set account_status = 'banned' where id = ${id}`],
    ["rejected", (id: string) => app.sql`update users set registration_status = 'rejected' where id = ${id}`],
    ["signed out", (id: string) => app.sql`delete from sessions where user_id = ${id}`],
    ["expired", (id: string) => app.sql`update sessions set expire = now() where user_id = ${id}`],
  ] as const)("is refused for one who is %s, though the session be there, and does nothing", async (_standing, become) => {
    const tess = await app.trader();
    await open();
    await become(tess.id);
    expect(await refusals(tess)).toEqual(Array(4).fill(expect.objectContaining({ status: 401, body: { message: "Unauthorized", code: "unauthorized" } })));
    expect(await made(tess.id)).toBe(0);
    expect(await app.sql`select from idempotency where user_id = ${tess.id}`).toHaveLength(0);
  });

  test("is done again when a suspension is over, and notes the session's use", async () => {
    const tess = await app.trader();
    await open();
    await app.sql`update users set account_status = 'suspended', suspended_until = now() - interval '1 second' where id = ${tess.id}`;
    await app.sql`update sessions set seen_at = now() - interval '2 minutes', expire = now() + interval '1 minute' where user_id = ${tess.id}`;
    expect((await tess.post("/api/trading/positions", order)).status).toBe(201);
    await until(
      "the use is noted",
      async () => (await app.sql`select from sessions where user_id = ${tess.id} and expire > now() + interval '6 days'`).length === 1,
    );
    expect(await made(tess.id)).toBe(1);
  });

  test("remembers its refusal under the caller's key", async () => {
    const tess = await app.trader();
    await open();
    const key = { "Idempotency-Key": crypto.randomUUID() };
    const first = await tess.post("/api/trading/positions", { ...order, amount: 100_000_000 }, key);
    expect(first).toMatchObject({ status: 422, body: { code: "insufficient_margin" } });
    expect((await tess.post("/api/trading/positions", { ...order, amount: 100_000_000 }, key)).body).toEqual(first.body);
  });
});

describe("decisions made on what was shown", () => {
  test("of many at once one is taken, and the others are told", async () => {
    const [admins, tess] = [await Promise.all([app.admin(), app.admin(), app.admin(), app.admin()]), await app.trader()];
    const answers = await Promise.all(admins.map((admin, n) => admin.post(`/api/admin/users/${tess.id}/suspend`, { reason: `Reason ${n}`, shown: "active" })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ message: "This account is suspended already." });
    expect(await commandsOn(tess.id)).toHaveLength(1);
  });

  test("a ban or an activation that comes too late changes nothing; a suspension that is over counts as none", async () => {
    const [admin, tess] = [await app.admin(), await app.trader()];
    const decide = (command: string, shown: string) => admin.post(`/api/admin/users/${tess.id}/${command}`, { reason: "Late", shown });
    expect([(await decide("activate", "banned")).status, (await decide("ban", "suspended")).status]).toEqual([409, 409]);
    await app.sql`update users set account_status = 'suspended', suspended_until = now() - interval '1 second' where id = ${tess.id}`;
    expect([(await decide("ban", "suspended")).status, (await decide("ban", "active")).status]).toEqual([409, 200]);
  });
});

describe("the audit book", () => {
  test("has one line for each command, with who, whom, why, before and after", async () => {
    const [admin, tess] = [await app.admin(), await app.trader()];
    await admin.post(`/api/admin/users/${tess.id}/ban`, { reason: "Fraud" });
    expect([...(await commandsOn(tess.id))]).toEqual([
      {
        admin: admin.id,
        action: "user.ban",
        reason: "Fraud",
        before: { account_status: "active", suspended_until: null, suspension_reason: null },
        after: { account_status: "banned", suspended_until: null, suspension_reason: "Fraud" },
      },
    ]);
  });

  test("and the command stand or fall together", async () => {
    const [admin, tess] = [await app.admin(), await app.trader()];
    await app.sql`alter table admin_actions add constraint sabotage check (action <> 'user.ban') not valid`;
    const broken = await admin.post(`/api/admin/users/${tess.id}/ban`, { reason: "Fraud" });
    await app.sql`alter table admin_actions drop constraint sabotage`;
    expect([broken.status, broken.text.includes("sabotage")]).toEqual([500, false]);
    expect([await isIn(tess), (await commandsOn(tess.id)).length]).toEqual([true, 0]);
  });

  test("keeps one chain though many write at once", async () => {
    const admins = await Promise.all([app.admin(), app.admin(), app.admin()]);
    const people = await Promise.all(Array.from({ length: 6 }, () => app.trader()));
    const commands = admins.flatMap((admin) => people.map((person) => admin.post(`/api/admin/users/${person.id}/kyc`, { status: "verified", reason: "Seen" })));
    expect(new Set(statuses(await Promise.all(commands)))).toEqual(new Set([200]));
    expect(await app.faults()).toEqual([]);
  });
});

describe("a registration", () => {
  test("that is approved is told to who waits for it", async () => {
    const [admin, tess] = [await app.admin(), await app.trader()];
    const told: string[] = [];
    const stop = app.context.bus.subscribe("notice", ({ userId, title }) => userId === tess.id && told.push(title));
    await admin.post(`/api/admin/approve-registration/${tess.id}`);
    stop();
    expect(told).toEqual(["Registration approved"]);
  });

  test("is decided once, however many decide at once", async () => {
    const [admin, tess] = [await app.admin(), await app.trader()];
    const decisions = Array.from({ length: 20 }, (_, i) =>
      i % 2 ? admin.post(`/api/admin/approve-registration/${tess.id}`) : admin.post(`/api/admin/reject-registration/${tess.id}`, { reason: "No" }),
    );
    expect(statuses(await Promise.all(decisions))).toEqual([200, ...Array<number>(19).fill(409)]);
    const commands = await commandsOn(tess.id);
    expect(commands).toHaveLength(1);
    const [row] = await app.sql<{ status: string }[]>`select registration_status as status from users where id = ${tess.id}`;
    expect(commands[0]?.action).toBe(row?.status === "approved" ? "registration.approve" : "registration.reject");
  });
});

describe("an administrator", () => {
  test("can't decide about himself", async () => {
    const admin = await app.admin();
    for (const command of ["suspend", "ban", "activate", "kyc"])
      expect((await admin.post(`/api/admin/users/${admin.id}/${command}`, { reason: "Me", status: "verified" })).status).toBe(409);
    expect((await admin.post(`/api/admin/approve-registration/${admin.id}`)).status).toBe(409);
    expect([await isIn(admin), (await commandsOn(admin.id)).map(({ action }) => action)]).toEqual([true, ["user.create_admin"]]);
  });

  test("who bans the other in the same moment: one stays", async () => {
    for (let round = 0; round < 5; round++) {
      const [ann, bob] = [await app.admin(), await app.admin()];
      const answers = await Promise.all([
        ann.post(`/api/admin/users/${bob.id}/ban`, { reason: "He" }),
        bob.post(`/api/admin/users/${ann.id}/ban`, { reason: "She" }),
      ]);
      expect(statuses(answers)[0]).toBe(200);
      expect([401, 403]).toContain(statuses(answers)[1] as number);
      const [row] = await app.sql<
        { active: number }[]
      >`select count(*)::integer as active from users where id in (${ann.id}, ${bob.id}) and account_status = 'active'`;
      expect(row?.active).toBe(1);
    }
  });

  test("gives reasons of at most 500 characters, and ends of suspensions in the future", async () => {
    const [admin, tess] = [await app.admin(), await app.trader()];
    const suspend = async (body: object) => (await admin.post(`/api/admin/users/${tess.id}/suspend`, body)).status;
    for (const body of [{}, { reason: "" }, { reason: " " }, { reason: "x".repeat(501) }, { reason: ["a"] }]) expect(await suspend(body)).toBe(400);
    for (const suspendUntil of ["yesterday", "2020-01-01T00:00:00Z", "2099-13-01T00:00:00Z", "infinity", 4e12, "9999-12-31T00:00:00Z"])
      expect(await suspend({ reason: "A pause", suspendUntil })).toBe(400);
    expect(await isIn(tess)).toBe(true);
    for (const id of [crypto.randomUUID(), "1", "me"]) expect((await admin.post(`/api/admin/users/${id}/ban`, { reason: "Nobody" })).status).toBe(404);
  });

  test("changes by a command what the command is for and nothing else", async () => {
    const [admin, tess] = [await app.admin(), await app.trader()];
    const forged = { role: "admin", accountBalance: "5000", registrationStatus: "approved", id: admin.id, isVip: true, is_vip: true };
    const { body } = await admin.post(`/api/admin/users/${tess.id}/kyc`, { status: "verified", reason: "Seen", ...forged });
    expect(body.user).toMatchObject({ id: tess.id, kycStatus: "verified", role: "user", accountBalance: "0.00", registrationStatus: "pending", isVip: false });
  });
});

test("staff's routes are shut to everybody else, and do nothing", async () => {
  const [tess, una] = [await app.trader(), await app.trader()];
  for (const [person, status] of [
    [app.stranger(), 401],
    [una, 403],
  ] as const) {
    for (const path of [
      `users/${tess.id}/ban`,
      `users/${tess.id}/suspend`,
      `users/${tess.id}/kyc`,
      `approve-registration/${tess.id}`,
      `reject-registration/${tess.id}`,
    ])
      expect((await person.post(`/api/admin/${path}`, { reason: "Mine", status: "verified" })).status).toBe(status);
    expect((await person.get("/api/admin/users")).text).not.toContain(tess.email);
  }
  expect([await isIn(tess), (await commandsOn(tess.id)).length]).toEqual([true, 0]);
});
