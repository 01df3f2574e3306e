import postgres from "postgres";
import * as v from "valibot";
import { Refusal } from "../lib/refusal";

export type Db = postgres.Sql<{ bigint: number }>;
export type Tx = postgres.TransactionSql<{ bigint: number }>;
/** What a query takes: a connection pool or a transaction; the caller owns the transaction. */
export type Sql = Db | Tx;

const iso = (value: string) => new Date(value.includes("+") || value.endsWith("Z") ? value : `${value}Z`).toISOString();

/**
 * Opens a pool. `numeric` stays a string, `bigint` becomes a number (all of ours stay below 2^53), instants become
 * ISO 8601 strings in UTC: a row is already JSON. Connections are renewed every hour or so, `lasting` ones never.
 */
export function connect(url: string, options: { max?: number; name?: string; lasting?: boolean } = {}): Db {
  return postgres(withoutHost(url), {
    ...socketOf(url),
    max: options.max ?? 10,
    idle_timeout: 0,
    ...(options.lasting ? { max_lifetime: null } : {}),
    connect_timeout: 10,
    onnotice: () => {},
    connection: { application_name: options.name ?? "halyard", TimeZone: "UTC", DateStyle: "ISO" },
    types: {
      bigint: { to: 20, from: [20], serialize: String, parse: Number },
      instant: { to: 1184, from: [1184], serialize: (x: string | Date) => (x instanceof Date ? x.toISOString() : x), parse: iso },
    },
  }) as unknown as Db;
}

/** libpq's way to name a server on a Unix socket, `?host=/folder`, which postgres.js does not read from a URL. */
function socketOf(url: string): { host: string } | undefined {
  const host = new URL(url).searchParams.get("host");
  return host ? { host } : undefined;
}
function withoutHost(url: string): string {
  const plain = new URL(url);
  plain.searchParams.delete("host");
  return plain.href;
}

type Row = Record<string, unknown>;
type Pending = PromiseLike<readonly Row[]>;

/**
 * Awaits a query and holds its rows to a strict schema: a renamed, missing or secret extra column fails the first
 * test instead of reaching a page.
 */
export async function many<S extends v.GenericSchema>(schema: S, query: Pending): Promise<v.InferOutput<S>[]> {
  const rows = await query;
  return rows.map((row) => v.parse(schema, row));
}

/** Like `many`, for at most one row; `null` where there is none. */
export async function one<S extends v.GenericSchema>(schema: S, query: Pending): Promise<v.InferOutput<S> | null> {
  const rows = await query;
  return rows[0] ? v.parse(schema, rows[0]) : null;
}

/** Input that PostgreSQL itself found unfit: text encoding, malformed value, number out of range, bad limit. */
const INPUT_ERRORS = new Set(["22021", "22P05", "22P02", "22003", "2201W", "2201X", "22007", "22008"]);

/**
 * Says what a database error means to the caller: a rule's refusal (SQLSTATE HL001, raised by our own functions with
 * the code in `detail`), a broken customer-balance constraint, unfit input, or `null` for a fault of ours.
 */
export function refusalOf(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error;
  if (!(error instanceof postgres.PostgresError)) return null;
  if (error.code === "HL001") return new Refusal(error.detail ?? "conflict", error.message, error.hint ? { [error.hint]: error.message } : undefined);
  if (error.code === "23514" && error.constraint_name === "customer_not_negative")
    return new Refusal("insufficient_funds", "The balance does not cover this amount.");
  if (error.code === "22003") return new Refusal("invalid", "The amount is too large.");
  if (INPUT_ERRORS.has(error.code)) return new Refusal("invalid", "A value is not valid.");
  return null;
}

/** True where the database could not be reached or is going away: the caller may try again later. */
export function isUnavailable(error: unknown): boolean {
  const code = (error as { code?: unknown })?.code;
  return (
    typeof code === "string" &&
    (code.startsWith("CONNECT") ||
      code.startsWith("CONNECTION_") ||
      code === "ECONNREFUSED" ||
      code === "ENOENT" ||
      code.startsWith("57P0") ||
      code === "53300")
  );
}
