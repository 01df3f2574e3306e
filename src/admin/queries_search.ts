import * as v from "valibot";
import { matchingPeople } from "../identity/queries";
import { type Entitled, mayDo, type Permission } from "../lib/permissions";
import { displayMoney } from "../lib/money";
import { amountIn, containing, type Fragment, many, type Sql } from "../platform/database/db";
import { anyOf, GROUP, holds, idsIn } from "../platform/database/search";
import { waysToRequests } from "../funding/queries_found";
import { commandIn, DEED_NEEDS, DEED_WORDS, namesIn, type PersonDeed } from "./rules_search";
import type { Found, FoundKind } from "./schema_search";

/** Staff's one search. Each kind is one statement that an index answers; a kind that the words can't name is not asked for. */

/** Of those that hold the words so many are looked at, to put the best first. */
const LOOKED_AT = 200;
/** Whose requests, accounts, tickets and positions are shown besides: the first few people that were found. */
const OWNERS = 3;

const personRow = v.strictObject({ id: v.string(), name: v.string(), email: v.string(), standing: v.string(), registration: v.string(), kyc: v.string() });
type Person = v.InferOutput<typeof personRow>;

/**
 * People by name, address or id: who goes by exactly these words first, then whose name begins with them, then the newest. Two ways of looking
 * find more than `limit`, which the caller cuts off.
 */
export const peopleQuery = (sql: Sql, q: string, limit: number): Fragment => sql`
  select id, name, email, standing, registration, kyc
  from (
    (
      select u.id, u.first_name || ' ' || u.last_name as name, u.email, u.account_status as standing, u.registration_status as registration,
        u.kyc_status as kyc, u.created_at, 0 as rank
      from users u
      where lower(u.first_name || ' ' || u.last_name) = any (${namesIn(q)}::text[]) or lower(u.email) = lower(${q})
      limit ${limit}
    )
    union all (
      select u.id, u.first_name || ' ' || u.last_name, u.email, u.account_status, u.registration_status, u.kyc_status, u.created_at,
        case when starts_with(u.search, ' ' || lower(${q})) then 1 else 2 end
      from users u
      where true ${matchingPeople(sql, q)}
      limit ${LOOKED_AT}
    )
  ) f
  group by id, name, email, standing, registration, kyc, created_at
  order by min(rank), created_at desc, id
`;

type Asked = { q: string; owners: string[]; limit: number };

const requestRow = v.strictObject({ id: v.string(), name: v.string(), amount: v.string(), currency: v.string(), status: v.string(), place: v.string() });

/** Deposits or withdrawals by id, amount, hash or address, and what waits of the people who were found. */
export function requestsQuery(sql: Sql, table: "deposits" | "withdrawals", { q, owners, limit }: Asked): Fragment | null {
  const of = sql(table);
  const found = anyOf(sql, [
    ...waysToRequests(sql, table, q, limit),
    owners.length > 0 && sql`select id from ${of} where user_id = any (${owners}::uuid[]) and status = 'pending' limit ${limit}`,
  ]);
  return (
    found &&
    sql`
      select r.id, u.first_name || ' ' || u.last_name as name, r.amount::text as amount, r.currency, r.status,
        coalesce(r.wallet_address, r.transaction_hash, '') as place
      from (${found}) f join ${of} r on r.id = f.id join users u on u.id = r.user_id
      order by r.status = 'pending' desc, r.created_at desc, r.id
    `
  );
}

const accountRow = v.strictObject({ id: v.string(), userId: v.string(), name: v.string(), number: v.string(), isDemo: v.boolean(), status: v.string() });

export function accountsQuery(sql: Sql, { q, owners, limit }: Asked): Fragment | null {
  const ids = idsIn(q);
  const found = anyOf(sql, [
    ids && sql`select id from trading_accounts where id between ${ids.first}::uuid and ${ids.last}::uuid limit ${limit}`,
    q.length >= GROUP && !/\s/.test(q) && sql`select id from trading_accounts where ${holds(sql, sql`lower(account_number)`, q)} limit ${limit}`,
    owners.length > 0 && sql`select id from trading_accounts where user_id = any (${owners}::uuid[]) limit ${limit}`,
  ]);
  return (
    found &&
    sql`
      select a.id, a.user_id as "userId", u.first_name || ' ' || u.last_name as name, a.account_number as number, a.is_demo as "isDemo", a.status
      from (${found}) f join trading_accounts a on a.id = f.id join users u on u.id = a.user_id
      order by a.is_demo, a.created_at, a.id
    `
  );
}

const ticketRow = v.strictObject({ id: v.string(), name: v.string(), subject: v.string(), status: v.string() });

export function ticketsQuery(sql: Sql, { q, owners, limit }: Asked): Fragment | null {
  const ids = idsIn(q);
  const found = anyOf(sql, [
    ids && sql`select id from support_tickets where id between ${ids.first}::uuid and ${ids.last}::uuid limit ${limit}`,
    q.length >= GROUP && sql`select id from support_tickets where ${holds(sql, sql`lower(subject)`, q)} limit ${limit}`,
    owners.length > 0 && sql`select id from support_tickets where user_id = any (${owners}::uuid[]) and status in ('open', 'in_progress') limit ${limit}`,
  ]);
  return (
    found &&
    sql`
      select t.id, u.first_name || ' ' || u.last_name as name, t.subject, t.status
      from (${found}) f join support_tickets t on t.id = f.id join users u on u.id = t.user_id
      order by t.waiting_since, t.created_at desc, t.id
    `
  );
}

const chatRow = v.strictObject({ id: v.string(), name: v.string(), words: v.string(), status: v.string() });

/** Chats by id, by what was said in them, and those of the people who were found. */
export function chatsQuery(sql: Sql, { q, owners, limit }: Asked): Fragment | null {
  const ids = idsIn(q);
  const said = holds(sql, sql`lower(m.message)`, q);
  const isSaid = q.length >= GROUP;
  const found = anyOf(sql, [
    ids && sql`select id from chat_sessions where id between ${ids.first}::uuid and ${ids.last}::uuid limit ${limit}`,
    isSaid && sql`select distinct session_id as id from (select m.session_id from chat_messages m where ${said} limit ${LOOKED_AT}) l`,
    owners.length > 0 && sql`(select id from chat_sessions where user_id = any (${owners}::uuid[]) order by last_number desc limit ${limit})`,
  ]);
  // What was said is shown where the words are; without them the newest message.
  const shown = isSaid
    ? sql`coalesce((select left(m.message, 200) from chat_messages m where m.session_id = s.id and ${said} order by m.number desc limit 1), s.last_message)`
    : sql`s.last_message`;
  return (
    found &&
    sql`
      select s.id, u.first_name || ' ' || u.last_name as name, ${shown} as words, case when s.ended_at is null then 'open' else 'ended' end as status
      from (${found}) f join chat_sessions s on s.id = f.id join users u on u.id = s.user_id
      order by s.waiting_since, s.last_at desc, s.id
    `
  );
}

const positionRow = v.strictObject({
  id: v.string(),
  userId: v.string(),
  name: v.string(),
  symbol: v.string(),
  side: v.string(),
  amount: v.string(),
  status: v.string(),
});

/** Positions by id, open ones by amount, and those of the people who were found. */
export function positionsQuery(sql: Sql, { q, owners, limit }: Asked): Fragment | null {
  const [ids, amount] = [idsIn(q), amountIn(q)];
  const live = sql`status in ('pending', 'open')`;
  const found = anyOf(sql, [
    ids && sql`select id from positions where id between ${ids.first}::uuid and ${ids.last}::uuid limit ${limit}`,
    amount && sql`select id from positions where ${live} and amount = ${amount}::numeric order by created_at desc limit ${limit}`,
    owners.length > 0 && sql`select id from positions where ${live} and user_id = any (${owners}::uuid[]) limit ${limit}`,
  ]);
  return (
    found &&
    sql`
      select p.id, p.user_id as "userId", u.first_name || ' ' || u.last_name as name, p.symbol, p.side, p.amount::text as amount, p.status
      from (${found}) f join positions p on p.id = f.id join users u on u.id = p.user_id
      order by p.created_at desc, p.id
    `
  );
}

const walletRow = v.strictObject({ id: v.string(), name: v.string(), address: v.string() });
/** The house's own addresses, of which there are few. */
const walletsOf = (sql: Sql, { q, limit }: Asked) =>
  many(
    walletRow,
    sql`
      select id, currency || ' ' || network as name, wallet_address as address from deposit_wallets
      where lower(wallet_address) like ${containing(q.toLowerCase())} order by created_at limit ${limit}
    `,
  );

/** "Approved" of "approved", as a row says it. */
const word = (text: string) => text.replaceAll("_", " ");
const client = (id: string, deed?: PersonDeed) => `/admin/users/${id}${deed ? `?do=${deed}` : ""}`;
const list = (tab: string, q: string) => `/admin?tab=${tab}&q=${encodeURIComponent(q)}`;

const personFound = ({ id, name, email, standing, registration, kyc }: Person, deed: PersonDeed | null): Found => ({
  kind: "person",
  id,
  title: deed ? `${DEED_WORDS[deed]} ${name}` : name,
  detail: [email, standing === "active" ? "" : standing, registration === "approved" ? "" : `registration ${registration}`, `KYC ${kyc}`]
    .filter(Boolean)
    .join(" · "),
  href: client(id, deed ?? undefined),
});

const NEEDS: Record<FoundKind, Permission> = {
  person: "people.read",
  account: "people.read",
  registration: "people.read",
  deposit: "deposits.read",
  withdrawal: "withdrawals.read",
  ticket: "support.read",
  chat: "support.read",
  position: "trades.read",
  wallet: "wallets.read",
};

/** Everything that these words name and `who` may see, at most so many of each kind. "suspend ada" finds people alone, and leads to the deed. */
export async function foundBy(sql: Sql, who: Entitled, q: string, limit: number): Promise<Found[]> {
  const sees = (kind: FoundKind) => mayDo(who, NEEDS[kind]);
  const { deed, about } = commandIn(q);
  if (about === "" || (deed && !mayDo(who, DEED_NEEDS[deed]))) return [];
  const people = await many(personRow, sql`${peopleQuery(sql, about, limit)} limit ${limit}`);
  const persons = sees("person") ? people.map((person) => personFound(person, deed)) : [];
  if (deed) return persons;
  const asked = { q: about, owners: people.slice(0, OWNERS).map(({ id }) => id), limit };
  const rows = async <S extends v.GenericSchema>(kind: FoundKind, shape: S, query: Fragment | null) =>
    query && sees(kind) ? many(shape, sql`${query} limit ${limit}`) : [];
  const [accounts, deposits, withdrawals, tickets, chats, positions, wallets] = await Promise.all([
    rows("account", accountRow, accountsQuery(sql, asked)),
    rows("deposit", requestRow, requestsQuery(sql, "deposits", asked)),
    rows("withdrawal", requestRow, requestsQuery(sql, "withdrawals", asked)),
    rows("ticket", ticketRow, ticketsQuery(sql, asked)),
    rows("chat", chatRow, chatsQuery(sql, asked)),
    rows("position", positionRow, positionsQuery(sql, asked)),
    about.length >= GROUP && sees("wallet") ? walletsOf(sql, asked) : [],
  ]);
  const request = (kind: FoundKind & ("deposit" | "withdrawal"), tab: string) => (r: v.InferOutput<typeof requestRow>) => ({
    kind,
    id: r.id,
    title: `${displayMoney(r.amount)}${r.currency === "USD" ? "" : ` in ${r.currency}`}, ${r.name}`,
    detail: [r.status, r.place].filter(Boolean).join(" · "),
    href: list(tab, r.id),
  });
  return [
    ...persons,
    ...accounts.map((a) => ({
      kind: "account" as const,
      id: a.id,
      title: `${a.number}, ${a.isDemo ? "demo" : "live"}`,
      detail: `${a.name} · ${a.status}`,
      href: `${client(a.userId)}?tab=accounts`,
    })),
    ...deposits.map(request("deposit", "deposits")),
    ...withdrawals.map(request("withdrawal", "withdrawals")),
    ...people
      .filter(({ registration }) => registration === "pending" && sees("registration"))
      .map(({ id, name, email }) => ({
        kind: "registration" as const,
        id,
        title: name,
        detail: `${email} · waits for approval`,
        href: "/admin-registrations",
      })),
    ...tickets.map((t) => ({
      kind: "ticket" as const,
      id: t.id,
      title: t.subject,
      detail: `${t.name} · ${word(t.status)}`,
      href: `/admin?tab=support&ticket=${t.id}`,
    })),
    ...chats.map((c) => ({
      kind: "chat" as const,
      id: c.id,
      title: `Chat with ${c.name}`,
      detail: `${c.words} · ${c.status}`,
      href: `/admin?tab=support&view=inbox&session=${c.id}`,
    })),
    ...positions.map((p) => ({
      kind: "position" as const,
      id: p.id,
      title: `${p.side.toUpperCase()} ${p.symbol} ${displayMoney(p.amount)}`,
      detail: `${p.name} · ${p.status}`,
      href: p.status === "open" ? list("trades", p.id) : `${client(p.userId)}?tab=positions`,
    })),
    ...wallets.map((w) => ({ kind: "wallet" as const, id: w.id, title: w.name, detail: w.address, href: "/admin?tab=wallets" })),
  ];
}
