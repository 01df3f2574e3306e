import { afterAll, beforeAll, expect, test } from "bun:test";
import { folders, readTexts } from "../platform/files";
import type { Sql } from "../platform/database/db";
import { type TestApp, testApp } from "../testing/app";
import { lastSeal, proveBooks, proveNew, type Seal, sealBooks, settledEnd } from "./queries_proving";
import { fundLive, handHeld, order, tamper } from "../testing/scenarios";

/** Every check of sql/checks must be able to fail: each damage here is done behind the triggers' back, seen, and undone. */

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
  const [tess, admin] = [await app.trader(), await app.admin()];
  await app.quote("EUR/USD", "1.10000", "1.10002");
  for (const reason of ["First", "Second", "Third"]) await admin.post(`/api/admin/users/${tess.id}/kyc`, { status: "verified", reason });
  await fundLive(app, tess, "500.00");
  const { body: closed } = await tess.post<{ id: string }>("/api/trading/positions", order);
  const { body: parted } = await tess.post<{ id: string }>("/api/trading/positions", order);
  await app.quote("EUR/USD", "1.12000", "1.12002");
  await tess.post(`/api/trading/positions/${closed.id}/close`);
  await tess.post(`/api/trading/positions/${parted.id}/close`, { amount: 250 });
  await overnight(app, parted.id);
  await requests(app.sql, tess.id, admin.id);
  await resetDemo(app, await app.trader());
  expect(await app.faults()).toEqual([]);
});
afterAll(() => app.end());

/** A position that was held over a night, in a group with swap. */
async function overnight({ sql }: TestApp, position: string) {
  await tamper(sql, async (tx) => {
    await tx`update group_versions set swaps = '[{"for":"EUR/USD","unit":"points","long":"-900","short":"0","tripleDay":null}]' where group_id = 'starter'`;
    await tx`update positions set opened_at = '2026-11-10T12:00:00Z' where id = ${position}`;
  });
  await sql`select swaps_charge(array[${position}::uuid], '2026-11-10', '2026-11-10')`;
}

/** A decided deposit, a withdrawal that waits and one that was paid out. */
async function requests(sql: Sql, owner: string, admin: string) {
  const [deposit] = await sql<{ id: string }[]>`insert into deposits (user_id, amount, currency, method) values (${owner}, 6000, 'USD', 'bank') returning id`;
  await sql`select deposit_approve(${admin}, ${deposit?.id ?? ""}, 1, '', '', '')`;
  for (const amount of [50, 40]) await sql`select withdrawal_request(${owner}, ${amount}, 'USD', 'bank', 'An account', true, null, null)`;
  await sql`select withdrawal_end(${admin}, (select id from withdrawals where amount = 40), 'approved', '', 'A hash', '', '')`;
}

/** A demo account that lost its spread and was set back. */
async function resetDemo({ sql }: TestApp, owner: Awaited<ReturnType<TestApp["trader"]>>) {
  const { body } = await owner.post<{ id: string; accountId: string }>("/api/trading/positions", order);
  await owner.post(`/api/trading/positions/${body.id}/close`);
  await sql`select demo_reset(${owner.id}, ${body.accountId}, null, null)`;
}

class Undo extends Error {}

/** The checks that find something once `damage` is done, of the whole or of what came after a seal; the damage itself is rolled back. */
async function findersOf(damage: string, since?: Seal): Promise<string[]> {
  const finders: string[] = [];
  const tried = app.sql.begin(async (tx) => {
    // No triggers, as for somebody with full rights on the database.
    await tx.unsafe("set local session_replication_role = replica");
    const { count } = await tx.unsafe(damage);
    if (count === 0) throw new Error(`this damages nothing: ${damage}`);
    const proofs = since ? (await proveNew(tx, since)).proofs : await proveBooks(tx);
    for (const { check, rows } of proofs) if (rows) finders.push(check);
    throw new Undo();
  });
  await tried.catch((error: unknown) => {
    if (!(error instanceof Undo)) throw error;
  });
  return finders;
}

const last = (table: string) => `(select max(id) from ${table})`;
const damages: [string, string, string][] = [
  ["audit_chain", "a changed reason", `update admin_actions set reason = 'Nothing to see' where id = 2`],
  ["audit_chain", "another admin's name on an action", `update admin_actions set admin_user_id = target_user_id where id = 1`],
  ["audit_chain", "a missing entry in the middle", `delete from admin_actions where id = 2`],
  ["audit_chain", "the end cut off", `delete from admin_actions where id = ${last("admin_actions")}`],
  [
    "audit_chain",
    "a changed entry with its hash made right",
    `with a as (update admin_actions set reason = 'x' where id = 2 returning *) update admin_actions b set hash = 'x' from a where b.id = 3`,
  ],
  ["demo_money_stays_apart", "a demo account that says it is live", `update trading_accounts set is_demo = false where is_demo`],
  ["demo_money_stays_apart", "an account with somebody else's money", `update trading_accounts set user_id = (select id from users where role = 'admin')`],
  ["ledger_balances_match_postings", "a balance that was set", `update ledger_accounts set balance = balance + 0.01 where kind = 'wallet' and balance > 0`],
  [
    "ledger_balances_match_postings",
    "a stripe of the house's that was set",
    `update ledger_accounts set balance = balance + 0.01 where id = (select min(account_id) from ledger_postings p join ledger_accounts a on a.id = p.account_id and a.kind = 'house_demo')`,
  ],
  [
    "ledger_books_balance",
    "a posting of another amount",
    `update ledger_postings set amount = amount + 0.01 where entry_id = ${last("ledger_entries")} and amount > 0`,
  ],
  ["ledger_running_balances", "a balance after that does not follow", `update ledger_postings set balance_after = balance_after + 1 where entry_id = 1`],
  ["positions_have_fills", "a close without a receipt", `delete from fills where kind = 'close'`],
  ["positions_have_fills", "a receipt at another price", `update fills set price = price + 0.00000001 where kind = 'open'`],
  ["positions_match_ledger", "a profit that was not booked", `update positions set profit = profit + 0.01 where status = 'closed'`],
  [
    "positions_match_ledger",
    "money for a position that is open",
    `update positions set status = 'open', profit = null, close_price = null, closed_at = null, close_reason = null where status = 'closed'`,
  ],
  ["accounts_realised", "a result that was not counted", `update trading_accounts set realised = realised + 0.01`],
  ["turnover_matches_fills", "an order that was not counted", `update trading_accounts set turnover = turnover - 0.01 where turnover > 0`],
  ["turnover_matches_fills", "a bonus that is free too early", `update bonuses set free_after = free_after - 0.01`],
  ["account_totals_match_positions", "a result that an instrument's total lacks", `update account_symbols set gained = gained + 0.01`],
  ["account_totals_match_positions", "a charge that no position explains", `update account_symbols set charges = charges + 0.01`],
  ["account_totals_match_positions", "a day that was dropped", `delete from account_days`],
  ["account_totals_match_positions", "a day of another booking", `update account_days set booked = booked - 0.01`],
  ["house_days_match_entries", "a day of another result", `insert into house_days values ((now() at time zone 'UTC')::date - 1, 0, 0, 0, 5)`],
  [
    "quality_days_match_fills",
    "a day that was written down with another's fills",
    `insert into quality_days select * from quality_of(now() - interval '1 day', clock_timestamp()) on conflict (day, is_demo) do update set opened = excluded.opened + 1`,
  ],
  ["corrections_match_ledger", "a settlement that no correction explains", `update positions set close_reason = 'admin' where status = 'closed'`],
  ["stop_outs_are_explained", "a stop-out without the figures that explain it", `update positions set close_reason = 'stop_out' where status = 'closed'`],
  ["commissions_match_ledger", "a charge that no commission explains", `update positions set charges = charges + 1 where status = 'closed'`],
  ["fills_name_their_terms", "a fill by terms that there never were", `update fills set group_version = 99 where kind = 'open'`],
  ["fills_name_their_terms", "a fill by an instrument's terms that there never were", `update fills set terms_version = 99 where kind = 'close'`],
  ["fills_name_their_terms", "a fill that says another commission than was taken", `update fills set commission = commission + 1 where kind = 'close'`],
  ["fills_name_their_terms", "a position that was opened on other terms than its fill says", `update positions set terms_version = 1 where status = 'closed'`],
  ["fills_name_their_terms", "an order by countries' rules that there never were", `update positions set country_version = 99 where status = 'closed'`],
  ["countries_stand_in_their_versions", "rules of a country that no version has", `update country_versions set rules = '{"DE":{}}'`],
  ["countries_stand_in_their_versions", "a version that was dropped", `insert into country_versions (version, rules) select 99, country_rules()`],
  ["swaps_match_ledger", "a swap that no night explains", `update positions set swap = swap - 1 where status = 'closed'`],
  ["swaps_match_ledger", "an account's swap that its positions do not explain", `update trading_accounts set swap = swap + 1`],
  ["swaps_match_ledger", "a night of another amount", `update swaps set amount = amount + 0.01`],
  ["swaps_match_ledger", "a night of other terms", `update group_versions set swaps = '[]' where swaps <> '[]'`],
  ["swaps_match_ledger", "a night that was charged twice", `insert into ledger_entries (kind, object_id, memo) values ('swap', gen_random_uuid(), 'Again')`],
  ["transfers_match_ledger", "a transfer of another amount", `update transfers set amount = amount - 1`],
  ["transfers_match_ledger", "funding that no transfer brought", `update trading_accounts set funded_net = funded_net + 300 where not is_demo`],
  ["deposits_match_ledger", "an approved deposit of another amount", `update deposits set credited = credited + 1`],
  ["deposits_match_ledger", "a bonus that was not paid", `update deposits set bonus_applied = bonus_applied + 100`],
  ["money_entries_have_requests", "a transfer that nobody made", `delete from transfers`],
  ["money_entries_have_requests", "money paid in for no deposit", `delete from deposits`],
  ["account_care_matches_ledger", "a reset of another amount", `update demo_resets set amount = amount + 1`],
  ["account_care_matches_ledger", "virtual money that no reset gave", `delete from demo_resets`],
  ["account_care_matches_ledger", "a closed account that holds money", `update trading_accounts set status = 'closed' where not is_demo`],
  ["wallet_order_matches_ledger", "a list of wallets that fell behind", `update wallet_order set balance = balance + 1`],
  ["wallet_order_matches_ledger", "a wallet that is not listed", `delete from wallet_order`],
  ["money_lines_match_ledger", "a movement that is not listed", `delete from money_lines where entry_id = (select max(entry_id) from money_lines)`],
  ["money_lines_match_ledger", "a line of another type", `update money_lines set type = 'other' where type = 'withdrawal'`],
  [
    "money_lines_match_ledger",
    "a line of money that never moved",
    `insert into money_lines select account_id, 'swap', entry_id from money_lines where type = 'deposit'`,
  ],
  ["withdrawals_match_ledger", "a withdrawal that was paid out doubled", `update withdrawals set amount = amount * 2 where status = 'approved'`],
  ["ledger_entries_have_postings", "an entry that moved nothing", `delete from ledger_postings where entry_id = ${last("ledger_entries")}`],
  [
    "positions_keep_amounts",
    "an open amount × 10",
    `update positions set amount = amount * 10, volume = volume * 10, margin = margin * 10 where status = 'open'`,
  ],
  [
    "positions_keep_amounts",
    "a closed amount × 10",
    `update positions set amount = amount * 10, volume = volume * 10, margin = margin * 10 where status = 'closed'`,
  ],
  ["positions_keep_amounts", "margin that is not needed any more", `update positions set margin = 0 where status = 'open'`],
  ["positions_keep_amounts", "other units", `update positions set volume = volume + 0.00000001 where status = 'open'`],
  ["positions_profits_add_up", "a profit that its prices do not give", `update fills set profit = profit + 0.01 where kind = 'close'`],
  ["positions_profits_add_up", "a rest that carries more than its parts brought", `update positions set moved = moved + 5 where status = 'open'`],
  ["positions_profits_add_up", "a part that carries what no part before it brought", `update positions set moved = 5 where parent_id is not null`],
  ["accounts_funded", "an account that says it was funded", `update trading_accounts set funded_total = funded_total + 300`],
  ["accounts_advance", "an advance that covers nothing", `update trading_accounts set advance = 100`],
  ["accounts_advance", "an advance that was dropped", `update positions set covered = 5 where parent_id is not null`],
  ["accounts_advance", "a night that was advanced and is not in the advance", `update swaps set amount = 0, advanced = -due where due < 0`],
  ["admins_are_made", "a trader whom nobody made an administrator", `update users set role = 'admin', staff_role = 'owner'`],
  ["admins_are_made", "an administrator who is none any more", `update users set role = 'user', staff_role = null`],
  ["people_are_counted", "somebody who was not counted", `update people_counts set count = count - 1 where slot = (select min(slot) from people_counts)`],
  ["groups_are_counted", "an account that was not counted", `update group_counts set count = count - 1 where place = (select min(place) from group_counts)`],
  [
    "closed_days_stand_in_the_book",
    "a closed day that the audit book does not have",
    `insert into closed_days (day, figures, closed_by, closed_at, audit_id) select '2026-01-05', '{}', target_user_id, now(), id from admin_actions where id = 1`,
  ],
  ["withdrawals_match_ledger", "a hold without a request", `update withdrawals set status = 'cancelled', decided_at = now()`],
];

test.each(damages)("%s finds %s", async (check, _what, damage) => {
  expect(await findersOf(damage)).toContain(check);
});

/** Damages that what is new does not show, though their check is asked of it: one needs all of an account's nights, two all of its transfers. */
const WHOLE = ["an account's swap that its positions do not explain", "funding that no transfer brought"];
const BEFORE_ALL: Seal = { entry: "0", fill: "0", action: "0", day: "1970-01-01" };

test.each(damages)("%s finds %s among what is new, too, where that can be asked", async (check, what, damage) => {
  const { left } = await app.sql.begin((tx) => proveNew(tx, BEFORE_ALL));
  const expected = !left.includes(check) && !WHOLE.includes(what);
  expect((await findersOf(damage, BEFORE_ALL)).includes(check)).toBe(expected);
});

/** Whoever writes anywhere on the server holds a seal up, and other files' tests do, in ms. */
const PATIENCE = 300_000;

test("what was sealed is not read again, and what came behind the seal is", async () => {
  const end = await settledEnd(app.sql, PATIENCE);
  if (!end) throw new Error("somebody writes without an end");
  await sealBooks(app.sql, end, true);
  const since = await lastSeal(app.sql);
  expect(since).toMatchObject({ entry: end.entry, fill: end.fill, action: end.action });
  if (!since) throw new Error("there is no seal");
  const changed = (where: string) => `update ledger_postings set amount = amount + 0.01 where ${where}`;
  expect(await findersOf(changed("entry_id = 1"), since)).toEqual([]);
  const tess = await app.trader();
  const { body } = await tess.post<{ id: string }>("/api/trading/positions", order);
  await tess.post(`/api/trading/positions/${body.id}/close`);
  expect(await findersOf("update ledger_state set halted = halted", since)).toEqual([]);
  const found = await findersOf(changed(`entry_id > ${since.entry}`), since);
  expect(found).toContain("ledger_books_balance");
  expect(found).toContain("ledger_running_balances");
  expect(found).toContain("ledger_balances_match_postings");
  expect(await findersOf(`update fills set price = price + 0.00000001 where id > ${since.fill}`, since)).toContain("positions_have_fills");
});

test("a seal waits for whoever is writing, so that nothing that comes late is behind it", async () => {
  const writer = await handHeld(app.db);
  try {
    await writer.sql`select audit_append(null, null, 'test', '{}', '{}', '{}', 'Under way', '', '')`;
    expect(await settledEnd(app.sql, 200)).toBeNull();
  } finally {
    await writer.commit();
    await writer.end();
  }
  expect(await settledEnd(app.sql, PATIENCE)).not.toBeNull();
});

test("every check is shown to fail", () => {
  const shown = new Set(damages.map(([check]) => check));
  for (const { name } of readTexts(folders.checks, ".sql")) expect(shown).toContain(name.replace(".sql", ""));
});
