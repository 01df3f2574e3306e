import { afterAll, beforeAll, expect, test } from "bun:test";
import { type TestApp, testApp } from "../testing/app";
import { rowsCounted, tamper } from "../testing/scenarios";
import { staffDeposits, staffWithdrawals } from "./queries";

let app: TestApp;
beforeAll(async () => void (app = await testApp()));
// Its books are not asked: the requests were written by hand, without their money.
afterAll(() => app.end());

test("a page of staff's requests is read by an index in each of its orders, however many of them are equal", async () => {
  const people = await Promise.all(["Ottilie", "Wanda", "Xaver"].map((firstName) => app.trader({ firstName })));
  const owners = people.map(({ id }) => id);
  await tamper(app.sql, async (tx) => {
    await tx`
      insert into deposits (user_id, amount, currency, method, status, decided_at, created_at)
      select (${owners}::uuid[])[1 + n % 3], 500, 'USD', 'bank', case when n % 1000 = 0 then 'pending' else 'rejected' end,
        case when n % 1000 <> 0 then now() - n * interval '1 minute' end, now() - n * interval '2 minutes'
      from generate_series(1, 5000) n
    `;
    await tx`
      insert into withdrawals (user_id, amount, currency, method, wallet_address, status, decided_at, created_at)
      select user_id, amount, currency, method, 'AT61 1904', status, decided_at, created_at from deposits
    `;
  });
  await app.sql`analyze deposits, withdrawals`;
  const lists = {
    deposits: (tx: Parameters<typeof staffDeposits>[0], search: Parameters<typeof staffDeposits>[1]) => staffDeposits(tx, search, { EUR: null, GBP: null }),
    withdrawals: staffWithdrawals,
  };
  for (const [table, list] of Object.entries(lists))
    for (const status of ["all", "decided", "pending"])
      for (const sort of ["-created", "-decided", "decided", "-amount", "amount", "-status", "status"] as const) {
        if (status === "pending" && sort.endsWith("decided")) continue;
        const what = `${table}, ${status} by ${sort}`;
        const read = await app.sql.begin(async (tx) => {
          const before = await rowsCounted(tx, table);
          expect([what, (await list(tx, { q: "", status, sort, limit: 20 })).length]).toEqual([what, status === "pending" ? 5 : 20]);
          return (await rowsCounted(tx, table)) - before;
        });
        // All of them, decided or not, are in the order of a decision by no index: nobody asks for that list.
        if (status !== "all" || !sort.endsWith("decided")) expect([what, read < 200]).toEqual([what, true]);
      }
});
