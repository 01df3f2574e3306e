import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { GroupTerms, GroupVersion } from "../accounts/schema_groups";
import type { Signature, WaitingSignature } from "../identity/schema_signatures";
import type { StaffInstrument } from "../trading/schema_instruments";
import { type Answer, type TestApp, testApp } from "../testing/app";
import { holdFirst } from "../testing/instruments";
import { counted } from "../testing/money";
import { onlyTwo, withoutGuard } from "../testing/scenarios";

/** Changes of what an account costs, and of margin, that take a second person: where the house says so, and for a swap beyond 100 % a year always. */

let app: TestApp;
type Admin = Awaited<ReturnType<TestApp["admin"]>>;
let ann: Admin, bob: Admin;
type Said = Answer<GroupTerms & StaffInstrument & WaitingSignature & { code: string; message: string; fields?: Record<string, string> }>;
beforeAll(async () => {
  app = await testApp();
  await app.quote("EUR/USD", "1.10000", "1.10002");
});
beforeEach(async () => {
  [ann, bob] = await onlyTwo(app);
  await app.sql`update users set admin_since = null where role = 'admin'`;
  await app.sql`update signature_rules set is_on = deed in ('costs', 'margin') where deed in ('costs', 'margin')`;
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
  holdFirst();
});

const newest = async (id = "gold") => (await ann.get<GroupVersion[]>("/api/admin/groups")).body.find((group) => group.id === id) as GroupVersion;
const change = async (by: Admin, body: object, id = "gold") =>
  (await by.patch("/api/admin/groups", { id, version: (await newest(id)).version, reason: "A test", ...body })) as unknown as Said;
const dealt = async (by: Admin, body: object) => (await by.patch("/api/admin/instruments/EUR%2FUSD", { reason: "A test", ...body })) as unknown as Said;
const sign = (by: Admin, id: string) => by.post<GroupTerms & { message: string; code: string }>(`/api/admin/signatures/${id}/sign`);
const queue = async () => (await bob.get<Signature[]>("/api/admin/signatures?status=pending")).body;
const rule = (deed: string, isOn: boolean) => app.sql`update signature_rules set is_on = ${isOn} where deed = ${deed}`;

describe("a group's costs and leverage", () => {
  test("change when somebody else signs; the difference is in the queue, and what costs nothing is changed alone", async () => {
    const before = await newest();
    const asked = await change(ann, { commission: "3.50", spreads: "EUR/USD 0.8 fixed" });
    expect([asked.status, asked.body]).toMatchObject([
      202,
      { status: "pending_second_approval", deed: "costs", title: `Costs of the group gold, after version ${before.version}` },
    ]);
    expect((await newest()).version).toBe(before.version);
    const [row] = await queue();
    expect(row).toMatchObject({
      ...{ deed: "costs", permission: "groups.change", reason: "A test" },
      before: { Version: before.version, Commission: "none", "Spread by instrument": "none" },
      after: { Commission: "$3.50 a side for each $100,000", "Spread by instrument": "EUR/USD 0.8 fixed" },
    });
    expect((await change(ann, { commission: "9" })).status).toBe(409);
    expect((await sign(ann, asked.body.id)).status).toBe(403);
    // Of many who sign it one does.
    const both = await Promise.all(Array.from({ length: 6 }, () => sign(bob, asked.body.id)));
    expect(counted(both)).toEqual({ 200: 1, 409: 5 });
    expect(await newest()).toMatchObject({ version: before.version + 1, commission: "3.50", reason: "A test" });
    const renamed = await change(ann, { name: "Golden", commission: "3.50" });
    expect([renamed.status, renamed.body.name]).toEqual([200, "Golden"]);

    const leverage = await change(ann, { leverage: 50 });
    expect([leverage.status, leverage.body.deed]).toEqual([202, "margin"]);
    expect((await bob.post(`/api/admin/signatures/${leverage.body.id}/decline`, { reason: "No" })).status).toBe(200);
    await rule("margin", false);
    expect((await change(ann, { leverage: 60 })).status).toBe(200);
  });

  test("are not signed over what somebody else changed meanwhile, nor after a day", async () => {
    const asked = await change(ann, { commission: "4.00" });
    expect(asked.status).toBe(202);
    await change(ann, { name: "Gold again" });
    const late = await sign(bob, asked.body.id);
    expect([late.status, late.body.message]).toEqual([409, "What this would change is another by now. Decline it, and ask again."]);
    const again = await change(bob, { commission: "4.00" });
    expect(again.status).toBe(409);
    expect((await bob.post(`/api/admin/signatures/${asked.body.id}/decline`, { reason: "No" })).status).toBe(200);
    const last = await change(ann, { commission: "4.00" });
    await app.sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx`update signatures set expires_at = now() where id = ${last.body.id}`;
    });
    expect((await sign(bob, last.body.id)).body.message).toBe("Nobody signed this within a day, so it is over. It can be asked for again.");
    expect((await change(ann, { commission: "4.00" })).status).toBe(202);
  });

  test("come in a file only where one may change them alone, by row", async () => {
    const csv = `Group,Version,Commission\ngold,${(await newest()).version},8`;
    const { body } = await ann.post<{ faults: { row: number; message: string }[] }>("/api/admin/groups/preview", { csv });
    expect(body.faults).toMatchObject([{ row: 2, message: "This takes a second signature. Do it by itself, and somebody else signs." }]);
    await rule("costs", false);
    expect((await ann.post<{ faults: object[] }>("/api/admin/groups/preview", { csv })).body.faults).toEqual([]);
  });

  test("whoever has no second person decides alone", async () => {
    await app.sql`update users set account_status = 'banned' where id = ${bob.id}`;
    expect((await change(ann, { commission: "1.00" })).status).toBe(200);
  });
});

type Refused = { code: string; fields?: Record<string, string> };
const fresh = (id: string) => ({
  ...{ id, name: `The ${id}`, spreadPips: "1.0", commission: "0", minimumDeposit: 0, leverage: 100, isOpen: false, reason: "A test" },
});
describe("a swap of more than 100 % a year", () => {
  const beyond = { swaps: [{ for: "forex-major", unit: "percent", long: "-120", short: "1" }] };
  test("is refused alone, whatever the rules say, and done when somebody else signs", async () => {
    await rule("costs", false);
    const asked = await change(ann, beyond, "silver");
    expect([asked.status, asked.body.deed]).toEqual([202, "costs"]);
    expect((await sign(bob, asked.body.id)).status).toBe(200);
    expect((await newest("silver")).swaps).toMatchObject([{ long: "-120" }]);
    // What was signed stays, whoever changes something else.
    expect((await change(ann, { name: "Silver plus" }, "silver")).status).toBe(200);
    await app.sql`update users set account_status = 'banned' where id = ${bob.id}`;
    const alone = await change(ann, beyond, "bronze");
    expect([alone.status, alone.body.code, Object.keys(alone.body.fields ?? {})]).toEqual([422, "swap_limit", ["swaps.0.long"]]);
    const fee = await change(ann, { swapFreeFee: "277.78" }, "bronze");
    expect([fee.status, Object.keys(fee.body.fields ?? {})]).toEqual([422, ["swapFreeFee"]]);
    const opened = await ann.post<Refused>("/api/admin/groups", { ...fresh("dear"), ...beyond });
    expect([opened.status, opened.body.code, Object.keys(opened.body.fields ?? {})]).toEqual([422, "swap_limit", ["swaps.0.long"]]);
    const putBack = await withoutGuard(app.sql, "group_set", "perform refuse_swaps(after.swaps, after.swap_fee);");
    expect((await change(ann, beyond, "bronze")).status).toBe(200);
    await putBack();
  });

  test("is a new group's, too, once somebody else signs it, whoever else does at that moment; a group without one is opened alone", async () => {
    const asked = await ann.post<WaitingSignature>("/api/admin/groups", { ...fresh("steep"), ...beyond });
    expect([asked.status, asked.body]).toMatchObject([202, { deed: "costs", title: "A new group steep, with a swap beyond 100 % a year" }]);
    expect((await queue())[0]).toMatchObject({
      ...{ permission: "groups.change", reason: "A test", before: {} },
      after: { Name: "The steep", Commission: "none", Swap: expect.stringContaining("-120") },
    });
    expect(await newest("steep")).toBeUndefined();
    expect((await ann.post("/api/admin/groups", { ...fresh("steep"), ...beyond })).status).toBe(409);
    expect((await sign(ann, asked.body.id)).status).toBe(403);
    const both = await Promise.all(Array.from({ length: 6 }, () => sign(bob, asked.body.id)));
    expect(counted(both)).toEqual({ 200: 1, 409: 5 });
    expect(await newest("steep")).toMatchObject({ version: 1, swaps: [{ long: "-120" }] });
    expect((await ann.post("/api/admin/groups", { ...fresh("steep"), ...beyond })).body).toMatchObject({ message: "There is a group of this id already." });
    expect((await ann.post("/api/admin/groups", fresh("plain"))).status).toBe(201);
    const fee = await ann.post<WaitingSignature>("/api/admin/groups", { ...fresh("free"), swapFreeFee: "277.78" });
    expect(fee.status).toBe(202);
    expect((await bob.post(`/api/admin/signatures/${fee.body.id}/decline`, { reason: "No" })).status).toBe(200);
    expect(await newest("free")).toBeUndefined();
    // One that somebody opened meanwhile is not opened again.
    const late = await ann.post<WaitingSignature>("/api/admin/groups", { ...fresh("late"), ...beyond });
    expect((await ann.post("/api/admin/groups", fresh("late"))).status).toBe(201);
    expect((await sign(bob, late.body.id)).body.message).toBe("There is a group of this id already.");
  });
});

test("an instrument's mark-up and margin change when somebody else signs", async () => {
  const asked = await dealt(ann, { markup: "0.5", marginPercent: "5" });
  expect([asked.status, asked.body]).toMatchObject([202, { deed: "costs", title: "Mark-up of EUR/USD" }]);
  expect((await queue())[0]).toMatchObject({ before: { markup: null }, after: { markup: "0.5" } });
  expect((await sign(bob, asked.body.id)).status).toBe(200);
  expect((await dealt(ann, { markup: "0.5", marginPercent: "5", maximum: "5000" })).status).toBe(200);
  const margin = await dealt(ann, { marginPercent: "6" });
  expect([margin.status, margin.body]).toMatchObject([202, { deed: "margin", title: "Margin of EUR/USD" }]);
  expect((await sign(bob, margin.body.id)).status).toBe(200);
  const row = (await ann.get<StaffInstrument[]>("/api/admin/instruments")).body.find(({ symbol }) => symbol === "EUR/USD");
  expect(row).toMatchObject({ markup: "0.5", marginPercent: "6.00", maximum: "5000.00" });
});
