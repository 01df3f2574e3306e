import * as v from "valibot";
import { cents } from "../lib/money";
import { instrumentOf } from "../market/rules_listed";
import { type Db, type Fragment, many, type Tx } from "../platform/database/db";
import { Columns, given, line } from "../platform/database/lines";
import type { Books } from "./books";
import type { Account } from "./margin";
import { tier, tierColumns } from "./queries_watch";
import { orderTypes } from "./schema";

/** What a start of the engine reads: the whole book. */

type Accounts = ReadonlyMap<string, Account>;

/**
 * Enters all open positions and waiting orders, as of one moment, in place of what the books held. Each is entered as it comes, while PostgreSQL
 * reads the next: a start waits for this, and all rows of a large book at once would take several times the memory of what is made of them.
 */
export async function readBook(sql: Db, books: Books): Promise<void> {
  await sql.begin("isolation level repeatable read read only", async (tx) => {
    // The transaction may be done a second time.
    books.empty();
    const accounts = await readAccounts(tx, books);
    await readOpen(tx, books, accounts);
    await readWaiting(tx, books, accounts);
  });
}

async function readAccounts(tx: Tx, books: Books): Promise<Accounts> {
  const groups = await many(v.strictObject({ id: v.string(), ...tier }), tx`select t.id, ${tierColumns(tx)} from account_types t limit 100000`);
  const tiers = new Map(groups.map(({ id, ...terms }) => [id, terms]));
  const accounts = new Map<string, Account>();
  const columns = line(tx, [tx`a.account_type_id`, tx`a.leverage`, tx`l.balance - a.advance`, tx`a.margin_called_at is not null`]);
  await tx<{ id: string; userId: string; line: string }[]>`
    select a.id, a.user_id as "userId", ${columns} as line
    from trading_accounts a
    join ledger_accounts l on l.id = a.ledger_account_id
    where exists (select from positions p where p.account_id = a.id and p.status in ('pending', 'open'))
  `.forEach(({ id, userId, line: text }) => {
    const row = new Columns(text);
    const terms = given(tiers.get(row.word()));
    accounts.set(id, books.take({ accountId: id, userId, leverage: row.whole(), net: Number(cents(row.word())), called: row.word() === "true" }, terms));
    row.end();
  });
  return accounts;
}

async function readOpen(tx: Tx, books: Books, accounts: Accounts): Promise<void> {
  const columns = [
    ...[tx`account_id`, tx`symbol`, tx`side`, tx`amount`, tx`open_price`, tx`margin`, tx`stop_loss`, tx`take_profit`, tx`trailing_distance`],
    ...[tx`case when broke_even_seq is null then break_even_at end`, tx`coalesce(since_seq, 0)`, tx`group_version`, tx`terms_version`],
  ];
  await eachOf(tx, "open", columns, (id, row) => {
    const account = given(accounts.get(row.word()));
    books.add(account, {
      id,
      symbol: kept(row.word()),
      side: sideOf(row.word()),
      amount: BigInt(row.cents()),
      open: given(row.price()),
      margin: row.cents(),
      stop: row.price(),
      target: row.price(),
      distance: row.price(),
      breakEven: row.price(),
      sinceSeq: row.whole(),
      groupVersion: row.wholeOrNull(),
      termsVersion: row.wholeOrNull(),
    });
  });
}

async function readWaiting(tx: Tx, books: Books, accounts: Accounts): Promise<void> {
  const columns = [
    ...[tx`account_id`, tx`symbol`, tx`side`, tx`order_type`, tx`set_off_seq is not null`],
    ...[tx`case when set_off_seq is null then trigger_price else limit_price end`, tx`trunc(extract(epoch from expires_at) * 1000)`],
    ...[tx`coalesce(place, 0)`, tx`coalesce(since_seq, 0)`],
  ];
  await eachOf(tx, "pending", columns, (id, row) => {
    const account = given(accounts.get(row.word()));
    books.await(account, {
      id,
      symbol: kept(row.word()),
      side: sideOf(row.word()),
      orderType: orderTypeOf(row.word()),
      setOff: row.word() === "true",
      level: row.price(),
      expiresAt: row.wholeOrNull(),
      place: row.whole(),
      sinceSeq: row.whole(),
    });
  });
}

/** Calls for each position of this status, with its columns. The id is kept, so it stands by itself: a piece of a text keeps all of it in memory. */
async function eachOf(tx: Tx, status: "open" | "pending", columns: readonly Fragment[], take: (id: string, row: Columns) => void): Promise<void> {
  await tx<{ id: string; line: string }[]>`
    select id, ${line(tx, columns)} as line from positions where status in ('pending', 'open') and status = ${status}
  `.forEach(({ id, line: text }) => {
    const row = new Columns(text);
    take(id, row);
    row.end();
  });
}

/** The instrument's own text, which all of its positions share, in place of a piece of the line. */
const kept = (symbol: string) => instrumentOf(symbol)?.symbol ?? symbol;
const sideOf = (word: string): "buy" | "sell" => given(word === "buy" || word === "sell" ? word : null);
const orderTypeOf = (word: string) => given(orderTypes.find((type) => type === word));
