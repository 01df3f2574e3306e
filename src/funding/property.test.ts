import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { type Answer, type TestApp, testApp } from "../testing/app";
import { fundedTrader, type Signed } from "../testing/money";
import "../testing/seed";
import type { Deposit, StaffDeposit, Withdrawal } from "./schema";

/** Random money operations by several people and administrators at once: the books stay whole, and hold what was answered. */

let app: TestApp;
let admins: Awaited<ReturnType<TestApp["admin"]>>[];
let traders: (Signed & { account: string; deposits: string[]; withdrawals: string[] })[];

beforeAll(async () => {
  app = await testApp();
  await app.quote("EUR/USD", "1.10000", "1.10002");
  admins = [await app.admin(), await app.admin()];
  traders = await Promise.all(
    [0, 1, 2, 3].map(async () => {
      const person = await fundedTrader(app, admins[0] as Signed, 2000);
      const { body } = await person.post<{ id: string }>("/api/trading-accounts", { accountTypeId: "starter", isDemo: false });
      return Object.assign(person, { account: body.id, deposits: [], withdrawals: [] });
    }),
  );
  await app.sql`update users set referred_by = ${traders[0]?.id ?? ""} where id = ${traders[1]?.id ?? ""}`;
});
afterAll(() => app.end());

const kinds = [
  ...["deposit", "approve deposit", "approve deposit", "reject deposit", "cancel deposit", "withdraw", "withdraw", "pay", "refuse", "take back"],
  ...["fund", "fund", "unfund", "balance screen", "trade", "close", "price"],
] as const;
const operation = fc.record({
  kind: fc.constantFrom(...kinds),
  who: fc.nat(3),
  by: fc.nat(1),
  which: fc.nat(7),
  cents: fc.oneof(fc.integer({ min: 1, max: 30_000 }), fc.constantFrom(1, 5_000, 500_000, 600_000)),
  currency: fc.constantFrom("USD", "BTC", "EUR"),
  twice: fc.boolean(),
});
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

/** One of the newest few, so that several commands meet at one request. */
const chosen = (list: readonly string[], which: number) => list.at(-1 - (which % Math.min(4, list.length || 1))) ?? crypto.randomUUID();
const amountOf = (cents: number) => (cents / 100).toFixed(2);

function ask({ kind, who, by, which, cents, currency }: Operation, headers: Record<string, string>): Promise<Answer> {
  const trader = traders[who] as (typeof traders)[number];
  const admin = admins[by] as (typeof admins)[number];
  const amount = amountOf(cents);
  const decide = (queue: "deposits" | "withdrawals", command: "approve" | "reject") =>
    admin.post(`/api/admin/${queue}/${chosen(trader[queue], which)}/${command}`, { reason: "By chance" }, headers);
  const move = (fromAccountId: string | null, toAccountId: string | null) => trader.post("/api/transfers", { fromAccountId, toAccountId, amount }, headers);
  const commands: Record<(typeof kinds)[number], () => Promise<Answer>> = {
    deposit: () => trader.post("/api/deposits", { amount, currency, method: "bank" }, headers),
    "approve deposit": () => decide("deposits", "approve"),
    "reject deposit": () => decide("deposits", "reject"),
    "cancel deposit": () => trader.post(`/api/deposits/${chosen(trader.deposits, which)}/cancel`, {}, headers),
    withdraw: () => trader.post("/api/withdrawals", { amount, currency: "USD", walletAddress: "Account 1" }, headers),
    pay: () => decide("withdrawals", "approve"),
    refuse: () => decide("withdrawals", "reject"),
    "take back": () => trader.post(`/api/withdrawals/${chosen(trader.withdrawals, which)}/cancel`, {}, headers),
    fund: () => move(null, trader.account),
    unfund: () => move(trader.account, null),
    "balance screen": async () => {
      const { body } = await trader.get<{ accountBalance: string; tradingBalance: string; totalProfit: string }>("/api/user/financials");
      return trader.patch("/api/user/balance", { ...body, accountBalance: body.tradingBalance, tradingBalance: body.accountBalance });
    },
    trade: () =>
      trader.post("/api/trading/positions", { symbol: "EUR/USD", type: which % 2 ? "buy" : "sell", amount: "400.00", accountId: trader.account }, headers),
    close: () => trader.post("/api/trading/positions/close-all", {}, headers),
    price: async () => {
      await app.quote("EUR/USD", (1.09 + which / 400).toFixed(5), (1.0901 + which / 400).toFixed(5));
      return trader.get("/api/user/financials");
    },
  };
  return commands[kind]();
}

/** What the answers said came into the traders' hands from outside, less what left, in cents. */
let acknowledged = 0;
const inCents = (text: string) => Math.round(Number(text) * 100);

async function run(one: Operation): Promise<void> {
  const key = { "Idempotency-Key": crypto.randomUUID() };
  const [first, second] = await Promise.all([ask(one, key), ...(one.twice && one.kind !== "balance screen" ? [ask(one, key)] : [])]);
  const trader = traders[one.who] as (typeof traders)[number];
  const answers = [first, second].filter((answer) => answer !== undefined);
  for (const { status } of answers) expect(status).toBeOneOf([200, 201, 400, 403, 404, 409, 422]);
  const done = answers.find(({ status }) => status < 300);
  if (!done) return;
  if (one.kind === "deposit") trader.deposits.push((done.body as unknown as Deposit).id);
  if (one.kind === "withdraw") trader.withdrawals.push((done.body as unknown as Withdrawal).id);
  if (one.kind === "approve deposit") {
    const { credited, bonusApplied } = done.body as unknown as StaffDeposit;
    acknowledged += inCents(credited ?? "0") + inCents(bonusApplied);
  }
  if (one.kind === "pay") acknowledged -= inCents((done.body as unknown as Withdrawal).amount);
}

async function inTheBooks(): Promise<number> {
  const [row] = await app.sql<{ sum: string }[]>`
    select
      (select sum(balance) from ledger_accounts where owner_id = any (${traders.map(({ id }) => id)}) and book = 'live')
      - (select coalesce(sum(p.profit + p.covered), 0) from positions p join trading_accounts a on a.id = p.account_id where p.status = 'closed' and not a.is_demo)
      - (select coalesce(sum(amount), 0) from referral_payments) as sum
  `;
  return inCents(row?.sum ?? "0");
}

test("keep every check true, and the books hold exactly what was answered", async () => {
  acknowledged = await inTheBooks();
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 40, maxLength: 80 }), async (operations) => {
      // Six lanes at once.
      const lanes = Array.from({ length: 6 }, (_, lane) => operations.filter((__, n) => n % 6 === lane));
      await Promise.all(
        lanes.map(async (lane) => {
          for (const one of lane) await run(one);
        }),
      );
      expect(await app.faults()).toEqual([]);
      expect(await inTheBooks()).toBe(acknowledged);
    }),
    { numRuns: 15, endOnFailure: true },
  );
  const [commands] = await app.sql<{ kinds: number }[]>`select count(distinct kind)::integer as kinds from ledger_entries`;
  // Deposits, bonuses, a referral, holds, payouts, returns, transfers, trades, and the demo accounts' grants.
  expect(commands?.kinds).toBeGreaterThanOrEqual(8);
  expect(app.lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
});
