import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type TestApp, testApp } from "../testing/app";
import { deposit, fresh, fundedTrader, type Signed, withdrawal } from "../testing/money";
import type { StaffDeposit, StaffWithdrawal } from "./schema";

/** The names that deposits and withdrawals have by the specification's entities, in lists and in the answers of decisions alike. */

let app: TestApp;
let ann: Awaited<ReturnType<TestApp["admin"]>>;
let tess: Signed;
beforeAll(async () => {
  app = await testApp();
  ann = await app.admin();
  tess = await fundedTrader(app, ann, 900);
});
afterAll(() => app.end());

const listed = async <R extends { id: string }>(what: string, id: string) =>
  (await ann.get<R[]>(`/api/admin/${what}?q=${id}`)).body.find((each) => each.id === id) as R;

describe("who decided is named by what was decided", () => {
  test.each(["deposits", "withdrawals"] as const)("of %s", async (what) => {
    const asked = async () => (await (what === "deposits" ? deposit(tess, { amount: 21 }) : withdrawal(tess))).body.id;
    const [yes, no] = [await asked(), await asked()];
    const approved = (await ann.post<StaffDeposit>(`/api/admin/${what}/${yes}/approve`, {})).body;
    const rejected = (await ann.post<StaffDeposit>(`/api/admin/${what}/${no}/reject`, { reason: "Never came" })).body;
    expect([approved.approvedBy, approved.rejectedBy, approved.decidedBy]).toEqual([ann.email, null, ann.email]);
    expect([rejected.approvedBy, rejected.rejectedBy, rejected.decidedBy]).toEqual([null, ann.email, ann.email]);
    expect(await listed(what, yes)).toMatchObject({ approvedBy: ann.email, rejectedBy: null });
    expect(await listed(what, no)).toMatchObject({ approvedBy: null, rejectedBy: ann.email });
  });

  test("in what is heard again under one key, and of many that are approved together", async () => {
    const { body } = await deposit(tess, { amount: 22 });
    const key = fresh();
    const answers = [];
    for (let n = 0; n < 2; n++) answers.push((await ann.post<StaffDeposit>(`/api/admin/deposits/${body.id}/approve`, {}, key)).body.approvedBy);
    expect(answers).toEqual([ann.email, ann.email]);
    const { body: other } = await withdrawal(tess);
    const all = await ann.post<{ done: StaffWithdrawal }[]>("/api/admin/withdrawals/approve", { requests: [{ id: other.id, amount: other.amount }] });
    expect(all.body[0]?.done).toMatchObject({ approvedBy: ann.email, rejectedBy: null, processedBy: ann.email });
  });

  test("and nobody while it waits, or where its owner took it back", async () => {
    const { body } = await withdrawal(tess);
    expect(await listed("withdrawals", body.id)).toMatchObject({ approvedBy: null, rejectedBy: null, processedBy: null, completedAt: null });
    await tess.post(`/api/withdrawals/${body.id}/cancel`);
    expect(await listed("withdrawals", body.id)).toMatchObject({ status: "cancelled", approvedBy: null, rejectedBy: null });
  });
});

test("a withdrawal leaves no account, names where a bank pays, who paid, and when it was over", async () => {
  const { body } = await withdrawal(tess, { walletAddress: "DE02 1203 0000 0000 2020 51" });
  const paid = (await ann.post<StaffWithdrawal>(`/api/admin/withdrawals/${body.id}/approve`, {})).body;
  for (const each of [paid, await listed<StaffWithdrawal>("withdrawals", body.id)]) {
    expect(each).toMatchObject({ accountId: null, bankDetails: "DE02 1203 0000 0000 2020 51", processedBy: ann.email });
    expect([each.completedAt, each.completedAt === null]).toEqual([each.processedAt, false]);
  }
  const own = (await tess.get<StaffWithdrawal[]>("/api/withdrawals")).body.find(({ id }) => id === body.id);
  expect(own).toMatchObject({ accountId: null, bankDetails: "DE02 1203 0000 0000 2020 51", completedAt: paid.completedAt });
  expect(own).not.toHaveProperty("processedBy");
});
