import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Answer, type TestApp, testApp } from "../testing/app";
import { deposit, fundedTrader, type Signed, withdrawal } from "../testing/money";
import { heldTo, requestsFound } from "./queries_found";
import { sentBy } from "../testing/statements";
import type { StaffDeposit } from "./schema";

let app: TestApp;
let admin: Awaited<ReturnType<TestApp["admin"]>>;
let ann: Signed;
let asked: { deposit: string; withdrawal: string };
beforeAll(async () => {
  app = await testApp();
  admin = await app.admin();
  ann = await fundedTrader(app, admin, 700);
  const made = await deposit(ann, { amount: 321.5, currency: "BTC", method: "crypto", transactionHash: "c0ffee".repeat(11).slice(0, 64) });
  const taken = await withdrawal(ann);
  asked = { deposit: made.body.id, withdrawal: taken.body.id };
  if (!asked.deposit || !asked.withdrawal) throw new Error(`nothing was asked for: ${made.text} ${taken.text}`);
});
afterAll(() => app.end());

const inEach = async (table: "deposits" | "withdrawals", q: string) =>
  (
    await app.sql<{ id: string }[]>`select r.id from ${app.sql(table)} r join users u on u.id = r.user_id where true ${heldTo(app.sql, q, null)} order by r.id`
  ).map(({ id }) => id);

test("indexes find what a look at each row does", async () => {
  const words = [
    "tess",
    "TESS er",
    ann.email,
    ann.email.slice(2, 9),
    "te",
    "321.50",
    "$321.5",
    "ffeec0ff",
    "de02 1203",
    "IBAN",
    "nobody at all",
    "zz",
    "%",
    "_",
    "'",
  ];
  for (const table of ["deposits", "withdrawals"] as const) {
    for (const q of words.filter((word) => !/de02/.test(word))) {
      const found = await requestsFound(app.sql, table, q);
      expect([table, q, found?.toSorted()]).toEqual([table, q, await inEach(table, q)]);
    }
  }
  expect(await requestsFound(app.sql, "deposits", "c0ffeec0ffee")).toEqual([asked.deposit]);
  expect(await requestsFound(app.sql, "deposits", `DEP-${asked.deposit.replaceAll("-", "").slice(0, 10)}`)).toEqual([asked.deposit]);
  expect(await requestsFound(app.sql, "withdrawals", asked.withdrawal.toUpperCase())).toEqual([asked.withdrawal]);
  const [account] = await app.sql<{ number: string }[]>`select account_number as number from trading_accounts where user_id = ${ann.id}`;
  expect(await requestsFound(app.sql, "withdrawals", account?.number.toLowerCase() ?? "")).toEqual([asked.withdrawal]);
});

test("of more than a thousand none is left out, page after page", async () => {
  const bob = await app.trader();
  await app.sql`update users set last_name = 'Manifold' where id = ${bob.id}`;
  await app.sql`insert into deposits (user_id, amount, currency, method, created_at) select ${bob.id}, n, 'USD', 'bank', now() - n * interval '1 minute' from generate_series(1, 1200) n`;
  expect(await requestsFound(app.sql, "deposits", "manifold")).toBeNull();
  const seen = new Set<string>();
  for (let cursor: string | null = ""; cursor !== null;) {
    const page: Answer<StaffDeposit[]> = await admin.get(`/api/admin/deposits?q=manifold&limit=100${cursor && `&cursor=${cursor}`}`);
    for (const { id } of page.body) seen.add(id);
    cursor = page.headers.get("x-next-cursor");
  }
  expect(seen.size).toBe(1200);
});

/** The statements that the queue itself is read by, for a search. */
const listed = async (table: "deposits" | "withdrawals", q: string) => {
  const sent = await sentBy(app.sql, async () => expect((await admin.get(`/api/admin/${table}?q=${encodeURIComponent(q)}`)).status).toBe(200));
  return sent.map(({ text }) => text).filter((text) => text.includes(`from ${table} r join users u`));
};

test("of what a search did not find no list is asked for", async () => {
  for (const table of ["deposits", "withdrawals"] as const) {
    expect([table, (await listed(table, "nobody at all")).length]).toEqual([table, 0]);
    expect([table, (await listed(table, ann.email)).length]).toEqual([table, 1]);
  }
});

test("the queue of deposits makes each one's JSON once, and says what the commands say", async () => {
  const [list = ""] = await listed("deposits", ann.email);
  expect(list.match(/deposit_json\(/g)).toHaveLength(1);
  // Its text would be read as JSON again in each row.
  expect(list).not.toContain("deposit_staff_json");
  const { body } = await admin.get<StaffDeposit[]>(`/api/admin/deposits?q=${asked.deposit}`);
  const [known] = await app.sql<{ item: StaffDeposit }[]>`select deposit_staff_json(r) as item from deposits r where id = ${asked.deposit}`;
  expect(body).toMatchObject([{ ...(known as { item: StaffDeposit }).item, creditsUsd: "321.50", claims: [] }]);
});
