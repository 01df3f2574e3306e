import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Outcome } from "../lib/outcome";
import { type TestApp, testApp } from "../testing/app";
import { deposit, fresh, fundedTrader, type Signed, wallet, withdrawal } from "../testing/money";
import { withoutGuard } from "../testing/scenarios";
import type { StaffDeposit } from "./schema";

/** Several requests decided in one call: one transaction each, what is refused keeps its reason, and a repeat does nothing twice. */

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

type Selected = { id: string; amount: string };
const PATH = "/api/admin/deposits/approve";
const together = (by: Admin, requests: Selected[], headers = {}) => by.post<Outcome<StaffDeposit>[]>(PATH, { requests, notes: "seen" }, headers);
async function asked(person: Signed, amounts: number[]): Promise<Selected[]> {
  const made: Selected[] = [];
  for (const amount of amounts) made.push({ id: (await deposit(person, { amount })).body.id, amount: `${amount}.00` });
  return made;
}
const codes = (outcomes: Outcome<unknown>[]) => outcomes.map(({ done, code }) => (done ? "done" : code));
const linesOf = async (ids: string[]) =>
  (await app.sql`select from admin_actions where action = 'deposit.approve' and details ->> 'depositId' = any(${ids})`).length;

describe("approve together", () => {
  test("decides each by itself; what is refused says why and stops none of the others", async () => {
    const [tess, own] = [await app.trader(), await app.admin()];
    const [one, two, three] = (await asked(tess, [10, 20, 30])) as [Selected, Selected, Selected];
    const [mine] = (await asked(own as unknown as Signed, [40])) as [Selected];
    await ann.post(`/api/admin/deposits/${two.id}/reject`, { reason: "Never came" });
    const unknown = { id: crypto.randomUUID(), amount: "1.00" };
    const { status, body } = await together(own, [one, two, { ...three, amount: "31.00" }, mine, unknown, three]);
    expect(status).toBe(200);
    expect(codes(body)).toEqual(["done", "conflict", "amount_mismatch", "forbidden", "not_found", "done"]);
    expect(body[1]?.message).toBe("This deposit is already rejected.");
    expect(body[0]?.done).toMatchObject({ status: "approved", credited: "10.00" });
    expect(await wallet(tess)).toBe("40.00");
    expect(await linesOf([one.id, two.id, three.id, mine.id])).toBe(2);
  });

  test("the amount that was shown counts as typed; another one is refused though it is small", async () => {
    const tess = await app.trader();
    const [large] = (await asked(tess, [7500])) as [Selected];
    expect((await ann.post(`/api/admin/deposits/${large.id}/approve`, {})).status).toBe(400);
    expect(codes((await together(ann, [{ ...large, amount: "75.00" }])).body)).toEqual(["amount_mismatch"]);
    expect(codes((await together(ann, [large])).body)).toEqual(["done"]);
  });

  test("pressed twice, also at once, under one key: done once, and both hear the same", async () => {
    const tess = await app.trader();
    const requests = await asked(tess, [10, 20, 30, 40]);
    const key = fresh();
    const answers = await Promise.all([together(ann, requests, key), together(ann, requests, key), together(ann, requests, key)]);
    for (const { status, body } of answers) expect([status, codes(body)]).toEqual([200, ["done", "done", "done", "done"]]);
    expect((await together(ann, requests, key)).body).toEqual(answers[0]?.body as never);
    expect(await wallet(tess)).toBe("100.00");
    expect(await linesOf(requests.map(({ id }) => id))).toBe(4);
    // The owner is told once of each.
    const told: string[] = [];
    app.context.bus.subscribe("notice", ({ userId, title }) => userId === tess.id && told.push(title));
    await together(ann, requests, key);
    expect(told).toEqual([]);
    expect(codes((await together(ann, requests)).body)).toEqual(["conflict", "conflict", "conflict", "conflict"]);
  });

  test("a call that was cut off goes on where it ended", async () => {
    const tess = await app.trader();
    const requests = await asked(tess, [10, 20, 30]);
    const key = fresh();
    // The last one fails by a fault of the database's, which is no refusal.
    const last = requests[2] as Selected;
    await app.sql.unsafe(`
      create function cut_off() returns trigger language plpgsql as $$ begin if new.id = '${last.id}' then raise exception 'cut off'; end if; return new; end $$;
      create trigger cut_off before update on deposits for each row execute function cut_off();
    `);
    expect((await together(ann, requests, key)).status).toBe(500);
    await app.sql.unsafe("drop function cut_off() cascade");
    expect(await wallet(tess)).toBe("30.00");
    expect(codes((await together(ann, requests, key)).body)).toEqual(["done", "done", "done"]);
    expect(await wallet(tess)).toBe("60.00");
    expect(await linesOf(requests.map(({ id }) => id))).toBe(3);
  });

  test("two administrators with overlapping selections: one winner each, and the other hears why", async () => {
    for (let round = 0; round < 4; round++) {
      const tess = await app.trader();
      const all = await asked(tess, [1, 2, 4, 8, 16, 32, 64, 128, 256]);
      const [first, second] = [all.slice(0, 6), all.slice(3).reverse()];
      const [one, two] = await Promise.all([together(ann, first), together(bea, second)]);
      const won = [...one.body, ...two.body].filter(({ done }) => done).map(({ id }) => id);
      expect(won.toSorted()).toEqual(all.map(({ id }) => id).toSorted());
      expect([...codes(one.body), ...codes(two.body)].filter((code) => code !== "done")).toEqual(["conflict", "conflict", "conflict"]);
      expect(await wallet(tess)).toBe("511.00");
    }
  });

  test("beside single rejections: one winner each, and the money agrees", async () => {
    const tess = await app.trader();
    const all = await asked(tess, [1, 2, 4, 8, 16, 32, 64, 128]);
    const reject = ({ id }: Selected) => bea.post(`/api/admin/deposits/${id}/reject`, { reason: "No" });
    const [{ body }, ...rejections] = await Promise.all([together(ann, all), ...all.toReversed().map(reject)]);
    const approved = body.filter(({ done }) => done).map(({ id }) => id);
    expect(approved.length + rejections.filter(({ status }) => status === 200).length).toBe(all.length);
    const sum = all.filter(({ id }) => approved.includes(id)).reduce((total, { amount }) => total + Number(amount), 0);
    expect(await wallet(tess)).toBe(`${sum}.00`);
  });

  test("without the guard on the state the loser of the race hears no reason: the test above can fail", async () => {
    const all = await asked(await app.trader(), [10]);
    const putBack = await withoutGuard(app.sql, "deposit_end", "where id = of_deposit and status = 'pending'", "where id = of_deposit");
    const answers = await Promise.all([together(ann, all), together(bea, all)]).finally(putBack);
    // Then only the table's own rule, that a decided request keeps its terms, stands in the way.
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 500]);
  });

  test("of an administrator who is none any more nothing is approved", async () => {
    const eve = await app.admin();
    const tess = await app.trader();
    const all = await asked(tess, [10, 20]);
    await app.sql`update users set account_status = 'suspended', suspended_until = null where id = ${eve.id}`;
    expect((await together(eve, all)).status).toBeGreaterThanOrEqual(401);
    expect(await wallet(tess)).toBe("0.00");
  });

  test.each([{ requests: [] }, { requests: [{ id: "5", amount: "1.00" }] }, { requests: [{ id: crypto.randomUUID() }] }, {}])("refuses %j", async (body) => {
    expect((await ann.post(PATH, body)).status).toBe(400);
  });

  test("takes a hundred at most, and staff alone", async () => {
    const many = Array.from({ length: 101 }, () => ({ id: crypto.randomUUID(), amount: "1.00" }));
    expect((await together(ann, many)).status).toBe(400);
    const tess = await app.trader();
    expect((await tess.post(PATH, { requests: many.slice(0, 1) })).status).toBe(403);
  });
});

describe("withdrawals together", () => {
  test("pay out what is held, each once, beside an owner's cancel and a colleague's set", async () => {
    const tess = await fundedTrader(app, ann, 450);
    const all: Selected[] = [];
    for (const amount of [50, 60, 70, 80]) {
      const { body } = await withdrawal(tess, { amount });
      if (body.id) all.push({ id: body.id, amount: `${amount}.00` });
      else {
        await tess.post("/api/auth/confirm", { password: "Corr3ct-horse" });
        all.push({ id: (await withdrawal(tess, { amount })).body.id, amount: `${amount}.00` });
      }
    }
    const pay = (by: Admin, requests: Selected[]) => by.post<Outcome<{ id: string }>[]>("/api/admin/withdrawals/approve", { requests });
    const last = all[3] as Selected;
    const [one, two, cancelled] = await Promise.all([pay(ann, all), pay(bea, all.toReversed()), tess.post(`/api/withdrawals/${last.id}/cancel`)]);
    const paid = [...one.body, ...two.body].filter(({ done }) => done).map(({ id }) => id);
    expect(new Set(paid).size).toBe(paid.length);
    expect(paid.length + (cancelled.status === 200 ? 1 : 0)).toBe(4);
    expect(await wallet(tess)).toBe(cancelled.status === 200 ? "270.00" : "190.00");
  });
});

describe("registrations together", () => {
  const PEOPLE = "/api/admin/registrations/approve";
  const approve = (by: Admin, ids: string[], headers = {}) => by.post<Outcome<{ id: string }>[]>(PEOPLE, { ids }, headers);
  const linesFor = async (ids: string[]) =>
    (await app.sql`select from admin_actions where action = 'registration.approve' and target_user_id = any(${ids})`).length;

  test("two administrators and one rejection at once: one winner each", async () => {
    const ids: string[] = [];
    for (let n = 0; n < 6; n++) ids.push((await app.trader()).id);
    const [one, two, rejected] = await Promise.all([
      approve(ann, ids),
      approve(bea, ids.toReversed()),
      ann.post(`/api/admin/reject-registration/${ids[3]}`, { reason: "No" }),
    ]);
    const won = [...one.body, ...two.body].filter(({ done }) => done).map(({ id }) => id);
    expect(new Set(won).size).toBe(won.length);
    expect(won.length + (rejected.status === 200 ? 1 : 0)).toBe(6);
    expect(await linesFor(ids)).toBe(won.length);
  });

  test("repeated under its key, it is done once; oneself is refused and stops nobody", async () => {
    const person = await app.trader();
    const key = fresh();
    const first = await approve(ann, [ann.id, person.id], key);
    expect(codes(first.body)).toEqual(["conflict", "done"]);
    expect((await approve(ann, [ann.id, person.id], key)).body).toEqual(first.body);
    expect(await linesFor([person.id])).toBe(1);
    expect(codes((await approve(bea, [person.id])).body)).toEqual(["conflict"]);
  });
});
