import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { buildProgram, killPostgresIn, launch, type Running, runProgram } from "../testing/program";

/** The program itself, killed in the middle of random money operations: what it answered is there, and the books are whole. */

const home = mkdtempSync("/tmp/halyard-crash-");
chmodSync(home, 0o755);
const data = join(home, "data");
const administrator = { email: "admin@t.test", password: "Corr3ct-horse-battery" };
const env = { PORT: "0", HOST: "127.0.0.1", LOG_LEVEL: "info", ADMIN_EMAIL: administrator.email, ADMIN_PASSWORD: administrator.password };

let program: Running;
let base = "";
async function start() {
  program = launch(home, env);
  base = String((await program.logged("listening")).url);
}
/** The program alone, or PostgreSQL with it, as when the power fails. */
async function kill(everything: boolean) {
  program.signal("SIGKILL");
  if (everything) killPostgresIn(data);
  await program.ended;
}
beforeAll(async () => {
  buildProgram();
  await start();
});
afterAll(async () => {
  program.signal("SIGTERM");
  await program.ended;
  rmSync(home, { recursive: true, force: true });
});

type Body = Record<string, unknown>;
type Caller = { cookie: string; id: string };
type Told = { status: number; text: string; body: Body };

async function ask(by: Caller, method: string, path: string, body?: Body, key?: string): Promise<Told> {
  const headers = { "Content-Type": "application/json", Cookie: by.cookie, ...(key ? { "Idempotency-Key": key } : {}) };
  const response = await fetch(base + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  const text = await response.text();
  for (const set of response.headers.getSetCookie()) if (set.startsWith("sid=")) by.cookie = set.split(";")[0] ?? "";
  return { status: response.status, text, body: text ? (JSON.parse(text) as Body) : {} };
}
async function enter(path: string, body: Body): Promise<Caller> {
  const caller = { cookie: "", id: "" };
  const { body: made } = await ask(caller, "POST", path, body);
  return Object.assign(caller, { id: (made.user as { id: string }).id });
}

/** One operation that was sent: what was asked, and the answer where one came. */
type Sent = { by: Caller; path: string; body: Body; key: string; told: Told | null };
type Trader = Caller & { account: string; deposits: string[]; withdrawals: string[] };

async function openTrader(admin: Caller, n: number): Promise<Trader> {
  const person = await enter("/api/auth/register", { firstName: "Tess", lastName: "Trader", email: `trader${n}@t.test`, password: "Corr3ct-horse" });
  await ask(admin, "POST", `/api/admin/approve-registration/${person.id}`);
  const { body: first } = await ask(person, "POST", "/api/deposits", { amount: 4000, currency: "USD", method: "bank" });
  await ask(admin, "POST", `/api/admin/deposits/${String(first.id)}/approve`, {});
  const { body: account } = await ask(person, "POST", "/api/trading-accounts", { accountTypeId: "starter", isDemo: false });
  return Object.assign(person, { account: String(account.id), deposits: [], withdrawals: [] });
}

const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T;
const amount = () => (50 + Math.floor(Math.random() * 5_000) / 100).toFixed(2);

/** A random operation; decisions fall on requests that were answered, often twice. */
function chance(admin: Caller, trader: Trader): Omit<Sent, "key" | "told"> {
  const [deposit, withdrawal] = [pick(trader.deposits.slice(-4)), pick(trader.withdrawals.slice(-4))];
  return pick([
    () => ({ by: trader, path: "/api/deposits", body: { amount: amount(), currency: "USD", method: "card" } }),
    () => ({ by: trader, path: "/api/withdrawals", body: { amount: amount(), currency: "USD", walletAddress: "Account 1" } }),
    () => ({ by: trader, path: "/api/transfers", body: { toAccountId: trader.account, amount: amount() } }),
    () => ({ by: trader, path: "/api/transfers", body: { fromAccountId: trader.account, amount: amount() } }),
    ...(deposit ? [() => ({ by: admin, path: `/api/admin/deposits/${deposit}/${pick(["approve", "reject"])}`, body: { reason: "By chance" } })] : []),
    ...(withdrawal
      ? [
          () => ({ by: admin, path: `/api/admin/withdrawals/${withdrawal}/${pick(["approve", "reject"])}`, body: { reason: "By chance" } }),
          () => ({ by: trader, path: `/api/withdrawals/${withdrawal}/cancel`, body: {} }),
        ]
      : []),
  ])();
}

/** Sends one operation after another until the program no longer answers. */
async function keepBusy(admin: Caller, trader: Trader, sent: Sent[], answered: () => void): Promise<void> {
  for (;;) {
    const one: Sent = { ...chance(admin, trader), key: crypto.randomUUID(), told: null };
    sent.push(one);
    try {
      one.told = await ask(one.by, "POST", one.path, one.body, one.key);
    } catch {
      return; // It was killed.
    }
    answered();
    if (one.told.status !== 201) continue;
    if (one.path === "/api/deposits") trader.deposits.push(String(one.told.body.id));
    if (one.path === "/api/withdrawals") trader.withdrawals.push(String(one.told.body.id));
  }
}

/** What the ledger's lines of all traders come to, in cents. */
async function standing(traders: readonly Trader[]): Promise<number[]> {
  const all = await Promise.all(traders.map((trader) => ask(trader, "GET", "/api/user/financials")));
  return all.map(({ body }) => Math.round(Number(body.accountBalance) * 100 + Number(body.tradingBalance) * 100));
}

const KILLS = 3;
const COMMANDS = 330;

test("what was answered before the kill is there after it, and nothing twice", async () => {
  const admin = await enter("/api/auth/login", administrator);
  const traders = await Promise.all([0, 1, 2, 3].map((n) => openTrader(admin, n)));
  for (let round = 0; round < KILLS; round++) {
    const sent: Sent[] = [];
    let answers = 0;
    const enough = Promise.withResolvers<void>();
    const lanes = [...traders, ...traders].map((trader) => keepBusy(admin, trader, sent, () => ++answers >= COMMANDS && enough.resolve()));
    await enough.promise;
    await kill(round !== 1);
    await Promise.all(lanes);
    await start();

    const verified = await runProgram(home, env, ["verify"]);
    expect(verified.stdout).toMatch(/^(ok \w+\n?)+$/);
    expect(verified.status).toBe(0);

    const done = sent.flatMap((one) => (one.told ? [{ ...one, told: one.told }] : []));
    expect(done.length).toBeGreaterThanOrEqual(COMMANDS);
    expect(done.filter(({ told }) => told.status < 300).length).toBeGreaterThan(COMMANDS / 4);
    expect(done.filter(({ told }) => told.status >= 500)).toEqual([]);
    const before = await standing(traders);
    for (const { by, path, body, key, told } of done) {
      const again = await ask(by, "POST", path, body, key);
      expect([path, again.status, again.text]).toEqual([path, told.status, told.text]);
    }
    expect(await standing(traders)).toEqual(before);
    // What was cut off happened or did not; asked again it has happened once.
    for (const one of sent.filter(({ told }) => told === null)) {
      const [first, second] = [await ask(one.by, "POST", one.path, one.body, one.key), await ask(one.by, "POST", one.path, one.body, one.key)];
      expect(second.text).toBe(first.text);
      if (one.path === "/api/withdrawals" && first.status === 201) (one.by as Trader).withdrawals.push(String(first.body.id));
    }
    expect((await runProgram(home, env, ["verify"])).status).toBe(0);
  }
});
