import type { Fragment, Sql } from "./db";

type Row = Record<string, unknown>;
type Rows = readonly Row[];
type Column = { name: string; type: number; parser?: Parser };
/** The driver's, which reads an array from behind its first brace. */
type Parser = ((text: string) => unknown) & { array?: boolean };

/**
 * What queries read, asked for once somebody waits for it: of several (`together`), by one statement. It can be waited for like a promise, and
 * nothing is asked before.
 */
export class Reading<T> implements Promise<T> {
  readonly [Symbol.toStringTag] = "Reading";
  private asked: Promise<T> | undefined;

  /** `tell` makes of the rows of each query what is read. */
  constructor(
    readonly queries: readonly PromiseLike<Rows>[],
    readonly tell: (rows: readonly Rows[]) => T,
    private readonly sql?: Sql,
  ) {}

  /** The same, made into something else. */
  map<U>(make: (read: T) => U): Reading<U> {
    return new Reading(this.queries, (rows) => make(this.tell(rows)), this.sql);
  }

  /** The same, made of its rows when that is called: what a read that is not wanted would refuse is never heard. */
  untold(): Reading<() => T> {
    return new Reading(this.queries, (rows) => () => this.tell(rows), this.sql);
  }

  // oxlint-disable-next-line unicorn/no-thenable -- to be waited for is what it is for
  then<A = T, B = never>(came?: ((read: T) => A | PromiseLike<A>) | null, failed?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<A | B> {
    return this.once().then(came, failed);
  }
  catch<B = never>(failed?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.then(null, failed);
  }
  finally(done?: (() => void) | null): Promise<T> {
    return this.once().finally(done);
  }

  private once(): Promise<T> {
    return (this.asked ??= this.ask());
  }

  private async ask(): Promise<T> {
    const queries = this.queries as readonly Written[];
    return this.tell(queries.length > 1 && this.sql ? await inOne(this.sql, queries) : await Promise.all(queries.map(alone)));
  }
}

type Told<R extends Record<string, Reading<unknown>>> = { [K in keyof R]: Awaited<R[K]> };

/** Several readings as one, by name: their queries go in one statement, and see the same moment. */
export function together<R extends Record<string, Reading<unknown>>>(sql: Sql, readings: R): Reading<Told<R>> {
  const named = Object.entries(readings);
  const tell = (rows: readonly Rows[]) => {
    let at = 0;
    return Object.fromEntries(named.map(([name, { queries, tell: told }]) => [name, told(rows.slice(at, (at += queries.length)))])) as Told<R>;
  };
  return new Reading(
    named.flatMap(([, { queries }]) => queries),
    tell,
    sql,
  );
}

/** A statement of the driver, which knows by which text it was written. */
type Written = Fragment & { readonly strings: readonly string[] };

/** What each query answers, by the text that it was written with. Told by its first answer. */
const columns = new WeakMap<readonly string[], readonly Column[]>();

async function alone(query: Written): Promise<Rows> {
  const rows = await query;
  if (!columns.has(query.strings)) columns.set(query.strings, rows.columns as unknown as Column[]);
  return rows;
}

/** The rows of all queries. Where one was never asked here they go by themselves. */
async function inOne(sql: Sql, queries: readonly Written[]): Promise<Rows[]> {
  const known = queries.map(({ strings }) => columns.get(strings));
  if (!known.every((each) => each !== undefined)) return Promise.all(queries.map(alone));
  const parts = queries.map((query, at) => {
    const of = known[at] as readonly Column[];
    return sql`${sql.unsafe(at === 0 ? "" : ",")} (select json_agg(json_build_array(${sql.unsafe(valuesOf(of))})) from (${query}) q) as ${sql.unsafe(`r${at}`)}`;
  });
  const [answer] = await sql<Record<string, unknown[][] | null>[]>`select ${parts}`;
  return known.map((of, at) => (answer?.[`r${at}`] ?? []).map((values) => rowOf(of as readonly Column[], values)));
}

/** Types that JSON says as the driver would: truth, whole numbers, text, ids, JSON. */
const ALIKE = new Set([16, 20, 21, 23, 25, 114, 1043, 2950, 3802]);

/** Others travel as their text, which the driver reads: money would lose its digits as a number of JSON. */
function valuesOf(of: readonly Column[]): string {
  let text = written.get(of);
  if (text === undefined) written.set(of, (text = of.map(({ name, type }) => `q."${name}"${ALIKE.has(type) ? "" : "::text"}`).join(", ")));
  return text;
}
const written = new WeakMap<readonly Column[], string>();

function rowOf(of: readonly Column[], values: readonly unknown[]): Row {
  const row: Row = {};
  for (const [at, { name, type, parser }] of of.entries()) {
    const value = values[at] ?? null;
    row[name] = value === null || !parser || ALIKE.has(type) ? value : parser((value as string).slice(parser.array ? 1 : 0));
  }
  return row;
}
