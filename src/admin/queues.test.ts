import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type TestApp, testApp } from "../testing/app";
import type { Outcome } from "../lib/outcome";
import { waitingDocument } from "../testing/files";
import { deposit, fresh, fundedTrader, withdrawal } from "../testing/money";
import type { Waiting } from "./schema";
import type { Evidence, SavedFilter, Snooze } from "./schema_queues";

let app: TestApp;
type Admin = Awaited<ReturnType<TestApp["admin"]>>;
let ann: Admin;
let bea: Admin;
beforeAll(async () => {
  app = await testApp();
  [ann, bea] = await Promise.all([app.admin(), app.admin()]);
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

describe("a request that is put away", () => {
  const snoozes = async (by: Admin) => (await by.get<Snooze[]>("/api/admin/snoozes")).body;
  const putAway = (by: Admin, objectId: string, until: string) => by.post<Snooze>("/api/admin/snoozes", { kind: "deposit", objectId, until });

  test("is known to all, with who and until when, and counts as before", async () => {
    const tess = await app.trader();
    const { id } = (await deposit(tess)).body;
    const before = (await ann.get<Waiting>("/api/admin/waiting")).body;
    const until = inHours(2);
    expect((await putAway(ann, id, until)).body).toMatchObject({ objectId: id, adminId: ann.id, until });
    expect(await snoozes(bea)).toContainEqual(expect.objectContaining({ objectId: id, adminId: ann.id, name: expect.any(String), until }));
    expect((await bea.get<Waiting>("/api/admin/waiting")).body).toEqual(before);
    const listed = async (by: Admin) => (await by.get<{ id: string }[]>("/api/admin/deposits?status=pending")).body.some((each) => each.id === id);
    expect([await listed(ann), await listed(bea)]).toEqual([true, true]);
    // Each has a time of one's own; said again, it is until the later one.
    const later = inHours(3);
    await putAway(bea, id, later);
    await putAway(ann, id, later);
    expect((await snoozes(ann)).filter(({ objectId }) => objectId === id).map((each) => each.until)).toEqual([later, later]);
    expect((await ann.call("DELETE", `/api/admin/snoozes/${id}`)).status).toBe(204);
    expect((await snoozes(ann)).filter(({ objectId }) => objectId === id).map(({ adminId }) => adminId)).toEqual([bea.id]);
  });

  test("comes back by the database's clock", async () => {
    const { id } = (await deposit(await app.trader())).body;
    await putAway(ann, id, inHours(1));
    await app.sql`update snoozes set until = now() - interval '1 second' where object_id = ${id}`;
    expect((await snoozes(ann)).filter(({ objectId }) => objectId === id)).toEqual([]);
  });

  test("by presses at the same moment is put away once", async () => {
    const { id } = (await deposit(await app.trader())).body;
    const until = inHours(1);
    const answers = await Promise.all(Array.from({ length: 8 }, () => putAway(ann, id, until)));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect((await snoozes(ann)).filter(({ objectId }) => objectId === id)).toHaveLength(1);
  });

  test.each(["2020-01-01T00:00:00.000Z", inHours(24 * 32), "tomorrow", ""])("is not put away until '%s'", async (until) => {
    const answer = await putAway(ann, crypto.randomUUID(), until);
    expect([answer.status, Object.keys((answer.body as { fields?: object }).fields ?? {})]).toEqual([400, ["until"]]);
  });

  test("is decided by anybody all the same", async () => {
    const { id } = (await deposit(await app.trader())).body;
    await putAway(ann, id, inHours(1));
    expect((await bea.post(`/api/admin/deposits/${id}/approve`, {})).status).toBe(200);
  });
});

describe("a saved filter", () => {
  const list = async (by: Admin, queue = "deposits") => (await by.get<SavedFilter[]>(`/api/admin/saved-filters?queue=${queue}`)).body;
  const save = (by: Admin, name: string, query: string, queue = "deposits") => by.post<SavedFilter>("/api/admin/saved-filters", { queue, name, query });

  test("is its administrator's own, by list and by name", async () => {
    const { body } = await save(ann, "Large", "sort=-amount");
    await save(ann, "Large", "sort=name", "withdrawals");
    expect(await list(ann)).toEqual([body]);
    expect(await list(bea)).toEqual([]);
    // The same name again is the same filter.
    expect((await save(ann, "large", "sort=-amount&q=smith")).body).toEqual({ id: body.id, queue: "deposits", name: "large", query: "sort=-amount&q=smith" });
    await bea.call("DELETE", `/api/admin/saved-filters/${body.id}`);
    expect(await list(ann)).toHaveLength(1);
    expect((await ann.call("DELETE", `/api/admin/saved-filters/${body.id}`)).status).toBe(204);
    expect(await list(ann)).toEqual([]);
  });

  test("is one of fifty at most, whoever races", async () => {
    const eve = await app.admin();
    for (let n = 0; n < 48; n++) await save(eve, `Filter ${n}`, "q=a");
    const answers = await Promise.all(Array.from({ length: 6 }, (_, n) => save(eve, `Racing ${n}`, "q=b")));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(4);
    expect(await list(eve)).toHaveLength(50);
    expect((await save(eve, "Filter 3", "q=c")).status).toBe(200);
  });

  test.each([
    { name: "", query: "q=a" },
    { name: "A", query: "" },
    { name: "A", query: "q=a", queue: "../users" },
  ])("is refused as %j", async (body) => {
    expect((await ann.post("/api/admin/saved-filters", { queue: "deposits", ...body })).status).toBe(400);
  });

  test.each([
    ["deposits", "from=2026-03-01"],
    ["withdrawals", "q=tess"],
    ["users", "kyc=pending"],
    ["trades", "status=disputes&from=2026-03-01"],
    ["trades", "status=exceptions&review=open"],
    ["trades", "status=waiting&q=tess"],
    ["visitors", "from=2026-03-01"],
    ["kyc", "status=approved&q=tess"],
    ["audit", "action=user.ban"],
  ])("of %s stands in its tab, for its owner alone", async (queue, query) => {
    const name = `Mine of ${queue}: ${query.length}`;
    await ann.post("/api/admin/saved-filters", { queue, name, query });
    const shows = async (by: Admin, tab: string) => (await by.get(`/admin?tab=${tab}`)).text.includes(name);
    expect([await shows(ann, queue), await shows(bea, queue), await shows(ann, queue === "users" ? "audit" : "users")]).toEqual([true, false, false]);
    expect((await ann.get(`/admin?tab=${queue}&${query}`)).status).toBe(200);
  });
});

describe("evidence", () => {
  const of = async (kind: string, id: string) => (await ann.get<Evidence>(`/api/admin/evidence/${kind}/${id}`)).body;

  test("says what a withdrawal should rest on", async () => {
    const tess = await fundedTrader(app, ann, 400);
    const eve = await fundedTrader(app, ann, 100);
    const address = "IBAN DE02 1203 0000 0000 2020 51";
    for (const person of [tess, eve]) await person.post("/api/auth/confirm", { password: "Corr3ct-horse" });
    const first = (await withdrawal(tess, { amount: 50, walletAddress: address })).body.id;
    expect((await of("withdrawal", first)).address).toEqual({ paidBefore: 0, others: 0 });
    await ann.post(`/api/admin/withdrawals/${first}/approve`, {});
    const lost = (await deposit(tess, { amount: 30 })).body.id;
    await ann.post(`/api/admin/deposits/${lost}/reject`, { reason: "No" });
    const waits = (await deposit(tess, { amount: 25, currency: "EUR" })).body.id;
    await withdrawal(eve, { amount: 50, walletAddress: address });
    const ticket = (await tess.post<{ id: string }>("/api/support/tickets", { subject: "Where is it?", message: "Please", category: "financial" })).body.id;
    await ann.post(`/api/admin/users/${tess.id}/notes`, { body: "Called us" });
    const second = (await withdrawal(tess, { amount: 60, walletAddress: address })).body.id;
    expect(await of("withdrawal", second)).toEqual({
      person: expect.objectContaining({ id: tess.id, email: tess.email, registrationStatus: "approved", kycStatus: "pending", accountStatus: "active" }),
      level: null,
      wallet: "290.00",
      deposits: { count: 1, usd: "400.00" },
      withdrawals: { count: 1, usd: "50.00" },
      rejected: 1,
      corrections: 0,
      disputes: 0,
      address: { paidBefore: 1, others: 1 },
      open: [{ kind: "deposit", id: waits, amount: "25.00", currency: "EUR", createdAt: expect.any(String) }],
      tickets: [{ id: ticket, subject: "Where is it?", createdAt: expect.any(String) }],
      history: [
        expect.objectContaining({ id: lost, status: "rejected", amount: "30.00" }),
        expect.objectContaining({ id: first, kind: "withdrawal", status: "approved" }),
        expect.objectContaining({ kind: "deposit", amount: "400.00", status: "approved" }),
      ],
      notes: [{ body: "Called us", administrator: expect.any(String), createdAt: expect.any(String) }],
    });
    expect((await of("deposit", waits)).address).toBeNull();
    expect((await of("registration", tess.id)).deposits.count).toBe(1);
  });

  test("of a document is about whose it is", async () => {
    const tess = await app.trader();
    const id = await waitingDocument(app.sql, tess.id);
    expect((await of("document", id)).person.id).toBe(tess.id);
  });

  test("is staff's alone, and of what is there", async () => {
    const tess = await app.trader();
    const { id } = (await deposit(tess)).body;
    expect((await tess.get(`/api/admin/evidence/deposit/${id}`)).status).toBe(403);
    for (const path of [`deposit/${crypto.randomUUID()}`, `withdrawal/${id}`, `deposit/5`, `ticket/${id}`])
      expect((await ann.get(`/api/admin/evidence/${path}`)).status).toBe(404);
  });
});

describe("documents that are accepted together", () => {
  type Outcomes = Outcome<{ id: string; userId: string }>[];
  const accept = (by: Admin, ids: string[], headers = {}) => by.post<Outcomes>("/api/admin/kyc/approve", { ids }, headers);
  const standing = async (ids: string[]) =>
    (await app.sql<{ status: string }[]>`select status from documents where id = any(${ids}) order by status`).map(({ status }) => status);
  const lines = async (ids: string[]) =>
    (await app.sql`select from admin_actions where action = 'document.approve' and details ->> 'documentId' = any(${ids})`).length;

  test("are each a decision of its own: what can't be stops none of the others, and one's own is refused", async () => {
    const tess = await app.trader();
    const ids = [
      await waitingDocument(app.sql, tess.id, { side: "front" }),
      await waitingDocument(app.sql, tess.id, { side: "back" }),
      await waitingDocument(app.sql, ann.id),
    ];
    const decided = await waitingDocument(app.sql, tess.id, { kind: "address" });
    expect((await bea.post(`/api/admin/kyc/documents/${decided}/reject`, { reason: "too_old" })).status).toBe(200);
    const { status, body } = await accept(ann, [...ids, decided, crypto.randomUUID()]);
    expect([status, body.map(({ code }) => code)]).toEqual([200, [null, null, "forbidden", "conflict", "not_found"]]);
    expect(await standing([...ids, decided])).toEqual(["approved", "approved", "pending", "rejected"]);
    expect((await tess.get<{ identity: string }>("/api/kyc")).body.identity).toBe("verified");
    expect((await accept(ann, [])).status).toBe(400);
    expect((await accept(tess as unknown as Admin, ids)).status).toBe(403);
  });

  test("by two windows at one moment each have one winner, one line in the book and one letter; a repeat hears the same", async () => {
    const tess = await app.trader();
    const ids: string[] = [];
    for (let n = 0; n < 6; n++) ids.push(await waitingDocument(app.sql, tess.id, { kind: "other" }));
    const key = fresh();
    const answers = await Promise.all([accept(ann, ids, key), accept(bea, ids), accept(bea, ids.toReversed()), accept(ann, ids, key)]);
    expect(answers[3]?.body).toEqual(answers[0]?.body as Outcomes);
    const winners = answers.slice(0, 3).flatMap(({ body }) => body.filter(({ code }) => code === null).map(({ id }) => id));
    expect(winners.toSorted()).toEqual(ids.toSorted());
    expect([await standing(ids), await lines(ids)]).toEqual([Array(6).fill("approved"), 6]);
    expect(await app.sql`select from letters where user_id = ${tess.id} and kind = 'document_decided'`).toHaveLength(6);
    expect((await accept(ann, ids, key)).body).toEqual(answers[0]?.body as Outcomes);
  });

  test("and are put away and claimed as any request", async () => {
    const id = await waitingDocument(app.sql, (await app.trader()).id);
    expect((await bea.post("/api/admin/snoozes", { kind: "document", objectId: id, until: inHours(1) })).status).toBe(200);
    expect((await bea.post("/api/admin/claims", { kind: "document", objectId: id })).status).toBe(200);
    expect((await ann.get<{ documents: number }>("/api/admin/waiting")).body.documents).toBeGreaterThan(0);
  });
});
