import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { AuditEntry } from "../audit/schema";
import { LiveStream } from "../testing/live_stream";
import { deposit, fresh, fundedTrader, withdrawal } from "../testing/money";
import { type TestApp, testApp } from "../testing/app";
import { handHeld, nextMillisecond, setRole, until, waiting } from "../testing/scenarios";
import type { Claim, Settings, StaffNote } from "./schema";

/** What administrators leave for each other, and what the stream tells them. */

let app: TestApp;
let ann: Awaited<ReturnType<TestApp["admin"]>>;
let bob: Awaited<ReturnType<TestApp["admin"]>>;
let base = "";
beforeAll(async () => {
  app = await testApp();
  await app.quote("EUR/USD", "1.08000", "1.08020");
  [ann, bob] = await Promise.all([app.admin(), app.admin()]);
  app.router.listen({ port: 0, hostname: "127.0.0.1", reusePort: false, idleTimeout: 30 });
  base = `http://127.0.0.1:${app.router.server?.port}`;
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  void app.router.server?.stop(true);
  await app.end();
});

describe("claims", () => {
  const object = () => crypto.randomUUID();
  const claims = async () => (await bob.get<Claim[]>("/api/admin/claims")).body;

  test("say who looks at what, to all, until they are let go or fade", async () => {
    const [one, two] = [object(), object()];
    const { body } = await ann.post<Claim[]>("/api/admin/claims", { kind: "deposit", objectId: one });
    expect(body).toMatchObject([{ kind: "deposit", objectId: one, adminId: ann.id, name: "Site Administrator" }]);
    await ann.post("/api/admin/claims", { kind: "withdrawal", objectId: two });
    await bob.post("/api/admin/claims", { kind: "deposit", objectId: one });
    expect((await claims()).map(({ objectId, adminId }) => [objectId, adminId])).toEqual(
      expect.arrayContaining([
        [one, ann.id],
        [two, ann.id],
        [one, bob.id],
      ]),
    );
    expect((await ann.call("DELETE", `/api/admin/claims/${one}`)).status).toBe(204);
    expect((await claims()).some(({ objectId, adminId }) => objectId === one && adminId === ann.id)).toBe(false);
    await app.sql`update claims set expires_at = now() - interval '1 second' where object_id = ${two}`;
    expect((await claims()).some(({ objectId }) => objectId === two)).toBe(false);
  });

  test("are renewed by saying them again, once each, however often at once", async () => {
    const id = object();
    const answers = await Promise.all(Array.from({ length: 8 }, () => ann.post("/api/admin/claims", { kind: "correction", objectId: id })));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect((await claims()).filter(({ objectId }) => objectId === id)).toHaveLength(1);
  });

  test("lapse five minutes after they were last touched, however often they are renewed", async () => {
    const id = object();
    const say = async (who: typeof ann, idle?: number) => {
      const { body } = await who.post<Claim[]>("/api/admin/claims", { kind: "ticket", objectId: id, ...(idle === undefined ? {} : { idle }) });
      const own = body.find(({ adminId }) => adminId === who.id);
      if (!own) return null;
      const [now] = await app.sql<{ ms: number }[]>`select extract(epoch from clock_timestamp())::float8 * 1000 as ms`;
      const seconds = (iso: string) => Math.round((Date.parse(iso) - (now?.ms ?? 0)) / 1000);
      return [seconds(own.touchedAt), seconds(own.expiresAt)];
    };
    const near = (said: number[] | null, touched: number, over: number) => {
      expect(Math.abs((said?.[0] ?? NaN) - touched)).toBeLessThan(20);
      expect(Math.abs((said?.[1] ?? NaN) - over)).toBeLessThan(20);
    };
    near(await say(ann, 240), -240, 45);
    near(await say(ann, 200), -200, 45);
    // Another page of hers, left alone, takes nothing back.
    near(await say(ann, 290), -200, 45);
    near(await say(bob, 280), -280, 20);
    expect(await say(await app.admin(), 300)).toBeNull();
    // Touched once, and renewed by a page that nobody touches: its own last touch ends it.
    await app.sql`update claims set touched_at = clock_timestamp() - interval '299 seconds' where object_id = ${id} and admin_id = ${bob.id}`;
    expect(((await say(bob, 299)) ?? [0, 99])[1]).toBeLessThan(5);
    await app.sql`delete from claims`;
    for (const idle of [-1, 301, 1.5, "5"]) expect((await ann.post("/api/admin/claims", { kind: "ticket", objectId: id, idle })).status).toBe(400);
  });

  test("lead staff who ask at once for the next conversation to one each, which nobody else is at", async () => {
    const next = async (who: typeof ann, body = {}) =>
      (await who.post<{ next: { id: string; kind: string } | null }>("/api/admin/support-inbox/next", body)).body.next;
    const three = await Promise.all(Array.from({ length: 3 }, () => app.admin()));
    const others = [ann, bob, ...three];
    const tess = await app.trader();
    const ask = async (who: typeof tess, subject: string, priority: string) =>
      (await who.post<{ id: string }>("/api/support/tickets", { subject, message: "Please", category: "general", priority })).body.id;
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.push(await ask(tess, `Wait ${n}`, "low"));
    const given = await Promise.all(others.map((who) => next(who)));
    expect(given.map((row) => row?.id).toSorted()).toEqual(ids.toSorted());
    expect((await claims()).filter(({ kind }) => kind === "ticket")).toHaveLength(5);
    // One's own claims stand in nobody's own way; others' do, and what is one's own is never the next.
    expect((await next(ann))?.id).toBe(given[0]?.id);
    const [six] = three as [(typeof three)[0]];
    const own = await ask(six, "My own", "urgent");
    expect((await next(six))?.id).toBe(given[2]?.id);
    expect((await next(ann))?.id).toBe(own);
    expect(await next(await app.admin())).toBeNull();
    // What the filter leaves out is not the next, and from a later page it goes on there, then from the first.
    expect(await next(bob, { kind: "chat" })).toBeNull();
    const [, second] = (await ann.get<{ id: string; place: number }[]>("/api/admin/support-inbox?kind=ticket&priority=low")).body;
    await app.sql`delete from claims`;
    expect((await next(bob, { priority: "low", cursor: `${second?.place}_${second?.id}` }))?.id).toBe(ids[2]);
    await app.sql`delete from claims`;
    expect((await next(bob, { priority: "low", cursor: `${Number.MAX_SAFE_INTEGER}_${second?.id}` }))?.id).toBe(ids[0]);
    expect((await tess.post("/api/admin/support-inbox/next", {})).status).toBe(403);
  });

  test("are refused for what is no request, and for who is no administrator", async () => {
    expect((await ann.post("/api/admin/claims", { kind: "ticket?", objectId: object() })).status).toBe(400);
    expect((await ann.post("/api/admin/claims", { kind: "deposit", objectId: "5" })).status).toBe(400);
    const tess = await app.trader();
    expect((await tess.post("/api/admin/claims", { kind: "deposit", objectId: object() })).status).toBe(403);
  });
});

describe("the amount that is typed", () => {
  test("is a setting that any administrator changes, with a line in the book", async () => {
    expect((await ann.get<Settings>("/api/admin/settings")).body).toEqual({ confirmAbove: "5000.00" });
    expect((await ann.call("PATCH", "/api/admin/settings", { body: { confirmAbove: "750" } })).body).toEqual({ confirmAbove: "750.00" });
    const [entry] = (await bob.get<AuditEntry[]>("/api/admin/audit-trail?status=setting")).body;
    expect(entry).toMatchObject({ admin: ann.email, previousState: { confirmAbove: "5000.00" }, newState: { confirmAbove: "750.00" } });
    for (const confirmAbove of ["-1", "1e3", "NaN", null])
      expect((await ann.call("PATCH", "/api/admin/settings", { body: { confirmAbove } })).status).toBe(400);
    await ann.call("PATCH", "/api/admin/settings", { body: { confirmAbove: 5000 } });
  });

  test("is not changed, nor a note written, by who ceases to be an administrator at that moment", async () => {
    const eve = await app.admin();
    const hand = await handHeld(app.db);
    try {
      await setRole(hand.sql, eve.id, "user");
      const commands = [
        eve.call("PATCH", "/api/admin/settings", { body: { confirmAbove: 1 } }),
        eve.post(`/api/admin/users/${ann.id}/notes`, { body: "One last word" }),
      ];
      await until("both commands wait", async () => (await waiting(app.sql)) === 2);
      await hand.commit();
      expect((await Promise.all(commands)).map(({ status }) => status)).toEqual([403, 403]);
    } finally {
      await hand.end();
    }
    expect((await ann.get<Settings>("/api/admin/settings")).body).toEqual({ confirmAbove: "5000.00" });
    expect((await ann.get<StaffNote[]>(`/api/admin/users/${ann.id}/notes`)).text).not.toContain("One last word");
  });

  test("is checked where it is sent, for deposits and withdrawals; below the threshold a script needs none", async () => {
    const tess = await fundedTrader(app, ann, 900);
    const { body: asked } = await deposit(tess, { amount: 120.5 });
    const wrong = await ann.post(`/api/admin/deposits/${asked.id}/approve`, { notes: "", confirmAmount: "12.50" });
    expect([wrong.status, wrong.body.code]).toEqual([422, "amount_mismatch"]);
    expect(await ann.post(`/api/admin/deposits/${asked.id}/approve`, { confirmAmount: 120.5 })).toMatchObject({ status: 200 });
    const { body: paid } = await withdrawal(tess, { amount: 60 });
    expect((await ann.post(`/api/admin/withdrawals/${paid.id}/approve`, { confirmAmount: "60.01" })).status).toBe(422);
    expect((await ann.post(`/api/admin/withdrawals/${paid.id}/approve`, { confirmAmount: "60" })).status).toBe(200);
    const { body: plain } = await deposit(tess, { amount: 5000 });
    expect((await ann.post(`/api/admin/deposits/${plain.id}/approve`, { notes: "by a script" })).status).toBe(200);
  });
});

describe("notes", () => {
  test("a note whose answer was lost is sent again and stands once; sent at the same moment, too", async () => {
    const tess = await app.trader();
    const key = fresh();
    const notes = `/api/admin/users/${tess.id}/notes`;
    const [one, other] = await Promise.all([ann.post(notes, { body: "Called back" }, key), ann.post(notes, { body: "Called back" }, key)]);
    const again = await ann.post(notes, { body: "Called back" }, key);
    expect([one, other, again].map(({ status }) => status)).toEqual([201, 201, 201]);
    expect([other.text, again.text]).toEqual([one.text, one.text]);
    expect((await bob.get<StaffNote[]>(notes)).body).toHaveLength(1);
    expect((await bob.get<AuditEntry[]>(`/api/admin/audit-trail?target=${tess.id}&action=user.note`)).body).toHaveLength(1);
  });

  test("are added with their author, paged, audited, and never changed", async () => {
    const tess = await app.trader();
    for (const body of ["First", "Second <script>", "Third"]) {
      expect((await ann.post(`/api/admin/users/${tess.id}/notes`, { body })).status).toBe(201);
      await nextMillisecond(app.sql);
    }
    const first = await bob.get<StaffNote[]>(`/api/admin/users/${tess.id}/notes?limit=2`);
    expect(first.body.map(({ body }) => body)).toEqual(["Third", "Second <script>"]);
    expect(first.body[0]?.administrator).toBe(`Site Administrator (${ann.email})`);
    const rest = await bob.get<StaffNote[]>(`/api/admin/users/${tess.id}/notes?limit=2&cursor=${first.headers.get("x-next-cursor")}`);
    expect(rest.body.map(({ body }) => body)).toEqual(["First"]);
    expect(async () => await app.sql`update staff_notes set body = 'Another'`).toThrow("append-only");
    const [entry] = (await bob.get<AuditEntry[]>(`/api/admin/audit-trail?target=${tess.id}&action=user.note`)).body;
    expect(entry).toMatchObject({ action: "user.note", details: { note: "Third" } });
    expect((await ann.post(`/api/admin/users/${crypto.randomUUID()}/notes`, { body: "Nobody" })).status).toBe(404);
    expect((await tess.get(`/api/admin/users/${tess.id}/notes`)).status).toBe(403);
  });
});

describe("the stream", () => {
  const open = (cookie: string) => LiveStream.open(`${base}/api/stream`, { cookie });

  test("tells administrators which list changed, and others nothing", async () => {
    const tess = await app.trader();
    const [staff, own] = await Promise.all([open(ann.cookie), open(tess.cookie)]);
    await deposit(tess, { amount: 77 });
    await staff.has('event: desk\ndata: {"changed":["deposit"');
    await app.trader();
    await staff.has("person");
    await bob.post("/api/admin/claims", { kind: "deposit", objectId: crypto.randomUUID() });
    await staff.has("claim");
    await tess.post("/api/trading/positions", { symbol: "EUR/USD", type: "buy", amount: 100 });
    await staff.has("trade");
    expect(own.text).not.toContain("desk");
    staff.close();
    own.close();
  });

  test("closes when its administrator is demoted", async () => {
    const cat = await app.admin();
    const staff = await open(cat.cookie);
    expect((await ann.post(`/api/admin/users/${cat.id}/role`, { role: "user", reason: "Left" })).status).toBe(200);
    await staff.ended;
  });
});

describe("the audit trail", () => {
  const trail = async (query: string) => (await ann.get<AuditEntry[]>(`/api/admin/audit-trail?${query}`)).body;

  test("is filtered by who, whom, action and days, alone and together", async () => {
    const tess = await app.trader();
    await bob.post(`/api/admin/users/${tess.id}/kyc`, { status: "verified", reason: "Seen" });
    const today = new Date().toISOString().slice(0, 10);
    for (const query of [
      `admin=${bob.email}`,
      `admin=${bob.id}`,
      "action=user.kyc",
      `target=${tess.email}`,
      `target=${tess.id}&action=user.kyc&from=${today}&to=${today}&admin=${bob.id}`,
    ])
      expect((await trail(query)).map(({ reason }) => reason)).toContain("Seen");
    expect(await trail(`admin=${ann.id}&target=${tess.id}`)).toEqual([]);
    expect(await trail(`target=${tess.id}&to=2020-01-01`)).toEqual([]);
    expect((await ann.get("/api/admin/audit-trail?from=21.11.2026")).status).toBe(400);
    expect((await ann.get("/api/admin/audit-trail?from=2026-02-31")).status).toBeOneOf([200, 400]);
  });

  test("comes as a file", async () => {
    const { text, headers } = await ann.get("/api/admin/audit-trail?format=csv&action=user.kyc");
    expect(headers.get("content-disposition")).toContain("audit-trail.csv");
    expect(text).toContain('"user.kyc"');
    const ids = (await trail("sort=created")).map(({ id }) => Number(id));
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    expect(text.trim().split("\r\n").length).toBe(1 + (await trail("action=user.kyc")).length);
  });
});
