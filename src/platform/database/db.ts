import postgres from "postgres";
import * as v from "valibot";
import { placeOf } from "../../lib/cursor";
import { Refusal } from "../../lib/refusal";
import { firstOf, hostsOf, socketFolderOf } from "../../lib/postgres_address";
import { yielding } from "./again";
import { Reading } from "./reading";

export type Db = postgres.Sql<{ bigint: number }>;
export type Tx = postgres.TransactionSql<{ bigint: number }>;
/** What a query takes: a connection pool or a transaction; the caller owns the transaction. */
export type Sql = Db | Tx;

/** Runs a command in the transaction that it is given, or in one of its own. */
export const within = <T>(sql: Sql, command: (tx: Tx) => Promise<T>): Promise<T> => ("begin" in sql ? (sql.begin(command) as Promise<T>) : command(sql));

const iso = (value: string) => new Date(value.includes("+") || value.endsWith("Z") ? value : `${value}Z`).toISOString();

/** A statement waits for the first free connection, never behind another statement, which may be waiting for a lock. */
const ONE_AT_A_TIME = { max_pipeline: 0 };

/**
 * Opens a pool. `numeric` stays a string, `bigint` becomes a number (all of ours stay below 2^53), instants become ISO 8601 strings in UTC: a
 * row is already JSON. Connections are renewed every hour or so, `lasting` ones never. A `hasty` pool does not wait for the disk: for what can
 * be made again. Where nothing moved on a line for `silence` seconds while an answer is due, the statement fails as on a cut line: it is not
 * known whether it was done. A `pooled` one goes through a pooler in transaction mode and names no prepared statements: they would stay on a
 * session that somebody else uses next. A statement that yielded to others, in a deadlock say, is tried `tries` times in all. Of several
 * hosts the one that takes writes is meant, for a `standby` pool one that does not; such a pool does not wait long for it.
 */
export function connect(
  url: string,
  options: { max?: number; name?: string; lasting?: boolean; hasty?: boolean; pooled?: boolean; silence?: number; tries?: number; standby?: boolean } = {},
): Db {
  const pool = postgres(withoutSocket(url), {
    ...placeOfServer(url, options.standby ? "prefer-standby" : "primary"),
    max: options.max ?? 10,
    idle_timeout: 0,
    ...ONE_AT_A_TIME,
    ...(options.silence ? { silence: options.silence } : {}),
    ...(options.lasting ? { max_lifetime: null } : {}),
    prepare: !options.pooled,
    connect_timeout: options.standby ? 2 : 10,
    backoff: pause,
    onnotice: () => {},
    connection: { application_name: options.name ?? "halyard", ...(options.hasty ? { synchronous_commit: "off" } : {}), TimeZone: "UTC", DateStyle: "ISO" },
    types: {
      bigint: { to: 20, from: [20], serialize: String, parse: Number },
      instant: { to: 1184, from: [1184], serialize: (x: string | Date) => (x instanceof Date ? x.toISOString() : x), parse: iso },
    },
  }) as unknown as Db;
  return yielding(pool, options.tries);
}

/** Seconds before a connection that failed so many times is tried again: a database that is back must not wait for us. */
const pause = (failures: number) => (0.5 + Math.random() / 2) * Math.min(3 ** failures / 100, 1);

/** What postgres.js does not read from a URL in libpq's way: a socket's folder, and several hosts, of which the one that takes writes, or a replica, is looked for. */
function placeOfServer(url: string, wanted: "primary" | "prefer-standby"): { host?: string } {
  const [folder, hosts] = [socketFolderOf(url), hostsOf(url)];
  if (folder) return { host: folder };
  // The driver takes lists, of which its types know nothing.
  return hosts ? ({ ...hosts, target_session_attrs: wanted } as unknown as { host: string }) : {};
}
function withoutSocket(url: string): string {
  const plain = firstOf(url);
  plain.searchParams.delete("host");
  return plain.href;
}

type Row = Record<string, unknown>;
type Pending = PromiseLike<readonly Row[]>;

/**
 * Holds a query's rows to a strict schema: a renamed, missing or secret extra column fails the first
 * test instead of reaching a page.
 */
export function many<S extends v.GenericSchema>(schema: S, query: Pending): Reading<v.InferOutput<S>[]> {
  return new Reading([query], ([rows = []]) => rows.map((row) => v.parse(schema, row)));
}

/** Like `many`, for at most one row; `null` where there is none. */
export function one<S extends v.GenericSchema>(schema: S, query: Pending): Reading<v.InferOutput<S> | null> {
  return new Reading([query], ([rows = []]) => (rows[0] ? v.parse(schema, rows[0]) : null));
}

/** Like `many`, for rows that hold one JSON object each, selected `as item`. */
export function items<S extends v.GenericSchema>(schema: S, query: Pending): Reading<v.InferOutput<S>[]> {
  return many(v.strictObject({ item: schema }), query).map((rows) => rows.map(({ item }) => item));
}

/** Like `items`, for at most one row; `null` where there is none. */
export function item<S extends v.GenericSchema>(schema: S, query: Pending): Reading<v.InferOutput<S> | null> {
  return items(schema, query).map((all) => all[0] ?? null);
}

/**
 * The one row of a statement, undefined where there is none. `tell` hears it as soon as the database has made it, while that is still being written to
 * the disk: nobody may act on it, or be told, before the promise is kept. It may hear of a row that then is not, or of another.
 */
export async function foretold<R extends Row>(query: postgres.PendingQuery<R[]>, tell: (row: R) => void): Promise<R | undefined> {
  let made: R | undefined;
  const { count } = await query.forEach((row) => {
    made = row as R;
    tell(made);
  });
  return count === 0 ? undefined : made;
}

/** The pattern for `like` that finds this text anywhere, its own % and _ taken as letters. */
const MOST_WORDS = 10;
export const containing = (text: string): string => `%${text.replace(/[\\%_]/g, "\\$&")}%`;

/** Holds `text`, an expression in lower case, to each word of a search, in whatever order: "lovelace ada" finds Ada Lovelace. */
export function wordsIn(sql: Sql, text: Fragment, q: string): Fragment {
  return sql`${text} like all (${wordsOf(q)}::text[])`;
}
const wordsOf = (q: string) => q.toLowerCase().split(/\s+/).filter(Boolean).slice(0, MOST_WORDS).map(containing);

/** Holds each word of a search to a condition on it, given as a pattern: what one word finds in a name, another may find elsewhere. */
export function wordsSaid(sql: Sql, q: string, says: (word: Fragment) => Fragment): Fragment {
  return sql`not exists (select from unnest(${wordsOf(q)}::text[]) as searched (word) where not ${says(sql`searched.word`)})`;
}

/** The amount that a search names, "$1,250.50" and "1250.5" alike, as decimal text; null where it names none. */
export function amountIn(q: string): string | null {
  const plain = q.replace(/^[$€£]\s*/, "").replaceAll(",", "");
  return /^\d{1,13}(\.\d{1,2})?$/.test(plain) ? plain : null;
}

/**
 * A condition for lists in falling order of an instant and an id, each named with its table's alias or an expression: only rows after the cursor's. Refuses
 * (invalid) what is no cursor.
 */
export function after(sql: Sql, at: string | Fragment, id: string | Fragment, cursor: string | undefined) {
  if (cursor === undefined) return sql``;
  const last = placeOf(cursor);
  const named = (column: string | Fragment) => (typeof column === "string" ? sql(column) : column);
  return sql`and (${named(at)}, ${named(id)}) < (${last.at}::timestamptz, ${last.id}::uuid)`;
}

/** The days (UTC, both included) that a list is held to; "" or missing for no bound. */
export type Days = { from?: string | undefined; to?: string | undefined };
/** Holds a list to days, by the instant `at`. */
export const onDays = (sql: Sql, at: Fragment, { from = "", to = "" }: Days): Fragment => sql`
  ${from ? sql`and ${at} >= ${from}::text::timestamp at time zone 'UTC'` : sql``}
  ${to ? sql`and ${at} < (${to}::text::timestamp + interval '1 day') at time zone 'UTC'` : sql``}
`;

/** A part of a statement. */
export type Fragment = postgres.PendingQuery<postgres.Row[]>;

/** How a list is read: `keys` are its possible orders, `id` breaks their ties, `tables` (`from …`) holds both. */
type Listed<K extends string> = { keys: Record<K, Fragment>; id: Fragment; tables: Fragment };

/**
 * The parts of a query for a list in the order asked for (`-name`: falling): `order`, and `rest`, the condition for rows after the cursor's.
 * The cursor's row is looked up by its id, so the order may be one that changes. Refuses (invalid) what is no cursor.
 */
export function inOrder<K extends string>(sql: Sql, { sort, cursor }: { sort: K | `-${K}`; cursor?: string | undefined }, { keys, id, tables }: Listed<K>) {
  const falls = sort.startsWith("-");
  const key = keys[sort.replace("-", "") as K];
  const direction = falls ? sql`desc` : sql`asc`;
  const last = cursor === undefined ? null : placeOf(cursor).id;
  return {
    key,
    direction,
    rest: last ? sql`and (${key}, ${id}) ${falls ? sql`<` : sql`>`} (select ${key}, ${id} ${tables} where ${id} = ${last})` : sql``,
    order: sql`order by ${key} ${direction}, ${id} ${direction}`,
  };
}

/** Input that PostgreSQL itself found unfit: text encoding, malformed value, number out of range, bad limit. */
const INPUT_ERRORS = new Set(["22021", "22P05", "22P02", "22003", "2201W", "2201X", "22007", "22008"]);

/** Seconds to wait, where our functions refuse somebody who sent too much. */
const FLOOD_PAUSE = 60;
/** Seconds after which a refusal of a SQL function may be over, by its code. */
const RETRY_AFTER = new Map([
  ["too_many_requests", FLOOD_PAUSE],
  ["stale_price", 2],
]);

/**
 * Says what a database error means to the caller: a rule's refusal (SQLSTATE HL001, raised by our own functions with
 * the code in `detail`), a broken customer-balance constraint, unfit input, or `null` for a fault of ours.
 */
export function refusalOf(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error;
  if (!(error instanceof postgres.PostgresError)) return null;
  if (error.code === "HL001")
    return new Refusal(
      error.detail ?? "conflict",
      error.message,
      error.hint ? { [error.hint]: error.message } : undefined,
      RETRY_AFTER.get(error.detail ?? ""),
    );
  if (error.code === "23514" && error.constraint_name === "customer_not_negative")
    return new Refusal("insufficient_funds", "The balance does not cover this amount.");
  if (error.code === "22003") return new Refusal("invalid", "The amount is too large.");
  if (INPUT_ERRORS.has(error.code)) return new Refusal("invalid", "A value is not valid.");
  return null;
}

/** The socket's own words for a server that is not there, or no more; and the resolver's for a name that leads nowhere just now. */
const CUT_OFF = new Set(
  "ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ENOENT ETIMEDOUT EHOSTUNREACH EHOSTDOWN ENETUNREACH ENETDOWN ENOTFOUND EAI_AGAIN ESERVFAIL ETIMEOUT".split(" "),
);

/** A server that no longer takes writes: a switch-over is under way, and a connection to the one that does will follow. */
const READ_ONLY = "25006";

/** True where the database could not be reached, is going away, or lacks disk, memory or connections: the caller may try again later. */
export function isUnavailable(error: unknown): boolean {
  const code = (error as { code?: unknown })?.code;
  return (
    typeof code === "string" &&
    (code === READ_ONLY ||
      code.startsWith("CONNECT") ||
      code.startsWith("CONNECTION_") ||
      CUT_OFF.has(code) ||
      code.startsWith("57P0") ||
      code.startsWith("53"))
  );
}

/** True where PostgreSQL itself says that the statement failed, and the session goes on: nothing of it was done. */
export const isRolledBack = (error: unknown): boolean => error instanceof Refusal || (error instanceof postgres.PostgresError && error.severity === "ERROR");

/** True where the database found no room on its disk. */
export const isDiskFull = (error: unknown): boolean => (error as { code?: unknown })?.code === "53100";

/** True where the role that asked may not do that. */
export const isForbidden = (error: unknown): boolean => (error as { code?: unknown })?.code === "42501";

/** SQLSTATE classes: connection, rolled-back transaction, resources, object in use, operator's intervention, system. */
const PASSING = ["08", "40", "53", "55", "57", "58"];

/** True for a failure of the database's present state, not of the statement. */
export function isPassing(error: unknown): boolean {
  return isUnavailable(error) || (error instanceof postgres.PostgresError && PASSING.includes(error.code.slice(0, 2)));
}
