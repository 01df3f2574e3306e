import type { Db } from "../src/platform/database/db";

/**
 * The database on one page: its types, sequences and tables with their constraints, indexes and triggers, in the order of their names, as
 * PostgreSQL itself tells them. It is read, never run; functions and views stand in sql/functions.
 */
export async function schemaText(sql: Db): Promise<string> {
  const [types, sequences, tables] = [await typesOf(sql), await sequencesOf(sql), await tablesOf(sql)];
  return lowered([HEAD, types.join("\n"), sequences.join("\n"), ...tables].join("\n\n")) + "\n";
}

/** Keywords as the rest of our SQL writes them; what stands in quotes stays. */
const lowered = (text: string) => text.replace(/'[^']*'|\b[A-Z]{2,}\b/g, (piece) => (piece.startsWith("'") ? piece : piece.toLowerCase()));

const HEAD = "-- The whole database as all of sql/migrations and sql/functions leave it. Made by scripts/stamp.ts; change it there, not here.";

const textsOf = (rows: readonly { text: string }[]) => rows.map(({ text }) => text);

const typesOf = async (sql: Db) =>
  textsOf(
    await sql<{ text: string }[]>`
      select format('create type %I as (%s);', t.typname, string_agg(a.attname || ' ' || format_type(a.atttypid, a.atttypmod), ', ' order by a.attnum)) as text
      from pg_type t
      join pg_class c on c.oid = t.typrelid and c.relkind = 'c'
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
      where t.typnamespace = 'public'::regnamespace
      group by t.typname
      order by t.typname`,
  );

/** Those that no column counts with by itself. */
const sequencesOf = async (sql: Db) =>
  textsOf(
    await sql<{ text: string }[]>`
      select format('create sequence %I as %s increment by %s;', c.relname, s.seqtypid::regtype, s.seqincrement) as text
      from pg_sequence s
      join pg_class c on c.oid = s.seqrelid
      where c.relnamespace = 'public'::regnamespace and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'i')
      order by c.relname`,
  );

async function tablesOf(sql: Db): Promise<string[]> {
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by relname`;
  const [columns, constraints, indexes, triggers] = [await columnsOf(sql), await constraintsOf(sql), await indexesOf(sql), await triggersOf(sql)];
  return tables.map(({ name }) => {
    const of = (pieces: readonly Piece[]) => pieces.filter(({ table }) => table === name).map(({ text }) => text);
    const inside = [...of(columns), ...of(constraints)].map((line) => `  ${line}`).join(",\n");
    return [`create table ${name} (\n${inside}\n);`, ...of(indexes), ...of(triggers)].join("\n");
  });
}

/** A line of a table. */
type Piece = { table: string; text: string };

const columnsOf = (sql: Db) => sql<Piece[]>`
  select c.relname as table,
    a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
      || case when a.attidentity <> '' then ' generated ' || case a.attidentity when 'a' then 'always' else 'by default' end || ' as identity' else '' end
      || case when a.attnotnull then ' not null' else '' end
      || case a.attgenerated when 's' then ' generated always as (' || pg_get_expr(d.adbin, d.adrelid, true) || ') stored' else '' end
      || case when d.adbin is not null and a.attgenerated = '' then ' default ' || pg_get_expr(d.adbin, d.adrelid, true) else '' end as text
  from pg_attribute a
  join pg_class c on c.oid = a.attrelid and c.relkind in ('r', 'p')
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped
  order by c.relname, a.attnum`;

/** The primary key first, then what is unique, checks, references. That a column is not null stands at the column, also where a newer server keeps a constraint for it. */
const constraintsOf = (sql: Db) => sql<Piece[]>`
  select t.relname as table, format('constraint %I %s', c.conname, pg_get_constraintdef(c.oid, true)) as text
  from pg_constraint c
  join pg_class t on t.oid = c.conrelid
  where c.connamespace = 'public'::regnamespace and c.contype in ('p', 'u', 'c', 'f')
  order by t.relname, array_position(array['p', 'u', 'c', 'f'], c.contype::text), c.conname`;

/** Those that no constraint made. */
const indexesOf = (sql: Db) => sql<Piece[]>`
  select t.relname as table, replace(replace(pg_get_indexdef(i.indexrelid), ' ON public.', ' ON '), ' USING btree', '') || ';' as text
  from pg_index i
  join pg_class t on t.oid = i.indrelid
  join pg_class x on x.oid = i.indexrelid
  where t.relnamespace = 'public'::regnamespace and not exists (select from pg_constraint c where c.conindid = i.indexrelid and c.contype in ('p', 'u'))
  order by t.relname, x.relname`;

const triggersOf = (sql: Db) => sql<Piece[]>`
  select c.relname as table, pg_get_triggerdef(t.oid, true) || ';' as text
  from pg_trigger t
  join pg_class c on c.oid = t.tgrelid
  where c.relnamespace = 'public'::regnamespace and not t.tgisinternal
  order by c.relname, t.tgname`;
