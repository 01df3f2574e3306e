import * as v from "valibot";
import { many, one, type Sql } from "../platform/database/db";

const databaseRow = v.strictObject({
  version: v.string(),
  sizeBytes: v.number(),
  startedAt: v.string(),
  connections: v.number(),
  mostConnections: v.number(),
  halted: v.boolean(),
  haltedFor: v.nullable(v.string()),
  migration: v.string(),
  auditEntries: v.number(),
  auditHash: v.string(),
});
export type Database = v.InferOutput<typeof databaseRow>;

/** The database as it is now: its version and size, its connections, whether the books are halted and where the staff's book stands. */
export async function readDatabase(sql: Sql): Promise<Database | null> {
  return one(
    databaseRow,
    sql`
      select current_setting('server_version') as version, pg_database_size(current_database()) as "sizeBytes",
        pg_postmaster_start_time() as "startedAt",
        (select count(*) from pg_stat_activity where datname = current_database()) as connections,
        current_setting('max_connections')::int as "mostConnections",
        l.halted, l.reason as "haltedFor", a.last_id as "auditEntries", a.hash as "auditHash",
        (select name from schema_migrations order by version desc limit 1) as migration
      from ledger_state l, audit_head a
    `,
  );
}

const labelled = v.strictObject({ label: v.string(), value: v.number() });
type Labelled = v.InferOutput<typeof labelled>;

/** Connections of this database by what they do. */
export const connectionStates = (sql: Sql): Promise<Labelled[]> =>
  many(
    labelled,
    sql`
      select coalesce(state, 'background') as label, count(*) as value
      from pg_stat_activity where datname = current_database()
      group by state
      order by 1 limit 20
    `,
  );

const slowRow = v.strictObject({ query: v.string(), calls: v.number(), meanMs: v.number(), worstMs: v.number() });
type SlowQuery = v.InferOutput<typeof slowRow>;
/** Of a text whose lines are indented, so many characters hold the 160 that are shown. */
const READ_OF_TEXT = 2_000;

/**
 * The statements that took longest on average, where the server keeps count (the embedded one does; `pg_stat_statements`
 * elsewhere); null where it does not.
 */
export async function slowQueries(sql: Sql): Promise<SlowQuery[] | null> {
  const [kept] = await sql<{ name: string | null }[]>`
    select n.nspname as name from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'pg_stat_statements'
  `;
  if (!kept?.name) return null;
  const counted = sql`${sql(kept.name)}.pg_stat_statements`;
  // The texts of all that is counted, some kB each, are read from a file: they are asked for the ten alone, and of these the beginning is looked at.
  return many(
    slowRow,
    sql`
      with
        worst as materialized (
          select queryid, calls, mean_exec_time, max_exec_time from ${counted}(false)
          where dbid = (select oid from pg_database where datname = current_database()) and calls > 1 and queryid is not null
          order by mean_exec_time desc
          limit 10
        ),
        texts as materialized (
          select queryid, left(min(query), ${READ_OF_TEXT}) as query from ${counted}(true)
          where queryid = any (array(select queryid from worst))
          group by queryid
        )
      select left(regexp_replace(t.query, '\\s+', ' ', 'g'), 160) as query, w.calls, round(w.mean_exec_time::numeric, 1)::float8 as "meanMs",
        round(w.max_exec_time::numeric, 1)::float8 as "worstMs"
      from worst w
      join texts t on t.queryid = w.queryid
      order by w.mean_exec_time desc
      limit 10
    `,
  );
}
