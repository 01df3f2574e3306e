import * as v from "valibot";
import { type Db, many, type Sql, type Tx } from "../platform/database/db";
import { endLog } from "../proof/commands";
import { forgetDays } from "../trading/queries_quality";

/** A moment of the demo's own months, beside the database's clock when it began. */
type Mark = { real: string; told: string };

/**
 * The demo lives months in a minute. Each command is stamped by the database's clock, as always. Afterwards one pass moves every such stamp to
 * its fictional day, keeping their order, and computes the audit book's hashes and the accounts' days again over the new times. What a server on this
 * database has said of the old ones ends there: its public log, and the days of execution quality that it wrote down. Only ever done in a database
 * that held no trader before.
 */
export class Calendar {
  private readonly marks: Mark[] = [];

  constructor(private readonly sql: Db) {}

  /** From now on it is `told` (milliseconds since the epoch; never earlier than the time told before). */
  async turnTo(told: number): Promise<void> {
    // Cut to the millisecond, as some stamps are: one of these must not seem to lie before its mark.
    const [row] = await this.sql<{ real: string }[]>`select date_trunc('milliseconds', clock_timestamp())::text as real`;
    this.marks.push({ real: row?.real ?? "", told: new Date(told).toISOString() });
  }

  /** Moves every stamp made since the first mark. */
  async settle(): Promise<void> {
    await this.turnTo(Date.parse(this.marks.at(-1)?.told ?? ""));
    await this.sql.begin(async (tx) => {
      await tx`create temp table marks (real timestamptz primary key, told timestamptz not null) on commit drop`;
      await tx`
        insert into marks (real, told)
        select distinct on (real) real, told
        from unnest(${this.marks.map(({ real }) => real)}::text[]::timestamptz[], ${this.marks.map(({ told }) => told)}::text[]::timestamptz[]) as m (real, told)
        order by real, told`;
      await tx.unsafe(TOLD);
      const stamped = await stampedTables(tx);
      await shut(tx, ["audit_head", ...stamped.map(({ table }) => table)]);
      for (const { table, columns } of stamped) {
        await tx.unsafe(`alter table "${table}" disable trigger user`);
        await tx.unsafe(`update "${table}" set ${columns.map((column) => `"${column}" = pg_temp.told("${column}")`).join(", ")}`);
      }
      await tx.unsafe(RESEAL);
      await tx`select account_totals_rebuild()`;
      for (const { table } of stamped) await tx.unsafe(`alter table "${table}" enable trigger user`);
      await forgetDays(tx);
      await endLog(tx, "the months of a demonstration were told meanwhile: of them this log has the hours in which they were told");
    });
  }
}

const IN_USE = "55P03";

/**
 * Keeps all but readers from the tables until the transaction's end. Takes all of them or, while a server is at work in one,
 * none: so the two never wait for each other.
 */
async function shut(tx: Tx, tables: readonly string[]): Promise<void> {
  for (;;) {
    try {
      await tx.savepoint((part) => part.unsafe(`lock table ${tables.map((table) => `"${table}"`).join(", ")} in exclusive mode nowait`));
      return;
    } catch (error) {
      if ((error as { code?: unknown }).code !== IN_USE) throw error;
      await Bun.sleep(20);
    }
  }
}

/** The moment told for a stamp; what lies before the demo or after it stays. */
const TOLD = `
  create function pg_temp.told(stamp timestamptz) returns timestamptz language sql stable as $$
    select case when stamp > (select max(real) from marks) then stamp
      else coalesce((select m.told + (stamp - m.real) from marks m where m.real <= stamp order by m.real desc limit 1), stamp) end
  $$`;

/** The chain of hashes anew, from its first entry: each covers its time. */
const RESEAL = `
  do $$
  declare entry admin_actions; last text := repeat('0', 64);
  begin
    for entry in table admin_actions order by id loop
      entry.previous_hash := last;
      last := audit_hash(entry);
      update admin_actions set previous_hash = entry.previous_hash, hash = last where id = entry.id;
    end loop;
    update audit_head set hash = last;
  end $$`;

const stampedRow = v.strictObject({ table: v.string(), columns: v.array(v.string()) });
/** Every table with moments in it, but for what the market and the migrations stamp by their own clock. */
const stampedTables = (sql: Sql) =>
  many(
    stampedRow,
    sql`
      select c.relname as table, array_agg(a.attname::text order by a.attnum) as columns
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and a.atttypid = 'timestamptz'::regtype
      where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname not in ('schema_migrations', 'candles', 'quotes', 'ticks')
      group by c.relname
      order by c.relname
      limit 10000`,
  );
