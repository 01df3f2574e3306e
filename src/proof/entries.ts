import { randomBytes } from "node:crypto";
import * as v from "valibot";
import { sameBytes, toBase64, toHex } from "../lib/bytes";
import { type Fragment, many, one, type Tx } from "../platform/database/db";
import type { Mark } from "./commands_marks";
import type { Batch, DealtTick } from "./commands_ticks";
import type { Edge, StoredTile } from "./edge";
import { LogFault } from "./fault";
import type { LogKey } from "./key";
import { type Log, logNumbered } from "./queries";
import { toldBefore } from "./queries_lost";
import { canonicalJson } from "./rules_canonical";
import { cosignerOf, signatureLine, type Signer, verifierText } from "./rules_note";
import { HASH_SIZE } from "./rules_merkle";
import { hashesAt, TILE_WIDTH, tilePath } from "./rules_tiles";
import { keyChangeText, SALT_SIZE } from "./schema";
import { quickSigner } from "./signing";
import { type NewRecord, refIn, type Sources, type Told } from "./sources";

export type Note = { id: number; kind: string; ref: string; at: string };
type Given = { key: LogKey; sources: Sources; now: () => number };
/** `at`: when it was done, by which the entries of a round follow each other; those without come first. */
type NewEntry = { at: string | null; kind: string; ref: string; text: string; tick: number | null; batch: Batch | null };

const entryOf = (at: string | null, kind: string, ref: string, record: NewRecord): NewEntry => ({
  at,
  kind,
  ref,
  text: canonicalJson({ v: record.v ?? 1, kind: record.kind, ...record.fields }),
  tick: "tick" in record.fields ? record.fields.tick : null,
  batch: record.kind === "ticks" ? { ref, first: record.fields.first, last: record.fields.last, leaves: record.leaves ?? [] } : null,
});

const writtenRow = v.strictObject({
  leaves: v.nullable(v.instance(Uint8Array)),
  ticks: v.nullable(v.array(v.pipe(v.unknown(), v.transform(Number)))),
  read: v.record(v.string(), v.array(v.number())),
});

/** The numbers of the rows of each table, and the ticks that something was dealt on. */
type Written = { read: Record<string, number[]>; dealtOn: number[] };

const changedRow = v.strictObject({ number: v.number() });
const grownRow = v.strictObject({ level: v.number(), n: v.number() });

/** The entries of one round, before they are written. */
export class Entries {
  private readonly list: NewEntry[] = [];
  terms: number;

  constructor(
    private readonly log: Log,
    private readonly given: Given,
  ) {
    this.terms = log.terms;
  }

  private get at(): string {
    return new Date(this.given.now()).toISOString();
  }

  private add(ref: string, record: NewRecord): void {
    this.list.push(entryOf(null, record.kind, ref, record));
  }

  /** What every log begins with: whose it is, which one came before, and the terms. */
  async begin(tx: Tx): Promise<void> {
    const { origin, key, number } = this.log;
    const before = await logNumbered(tx, number - 1);
    const fields = {
      origin,
      key,
      previousOrigin: before?.origin ?? null,
      previousSize: before?.size ?? null,
      previousRoot: before?.root ? toBase64(before.root) : null,
      why: before?.endedWhy ?? "the first log",
      at: this.at,
    };
    this.add(origin, { kind: "start", fields });
    await this.tellTerms(tx);
  }

  /** Tells the terms where they are others than were told last. Answers with their version. */
  async tellTerms(tx: Tx): Promise<number> {
    const terms = await this.given.sources.readTerms(tx);
    const said = JSON.stringify(terms);
    // Some tens of kB: they are read and written where somebody changed them, and not in each round.
    const changed = await one(
      changedRow,
      tx`update proof_logs set terms_said = ${said} where number = ${this.log.number} and terms_said <> ${said} returning number`,
    );
    if (!changed) return this.terms;
    this.terms++;
    this.add(`${this.log.number}:${this.terms}`, { kind: "terms", fields: { version: this.terms, ...terms, at: this.at } });
    return this.terms;
  }

  /** Tells what logs before this one told and each log tells, where this one has not: none of its proofs needs another log's tiles. */
  async tellAgain(tx: Tx): Promise<void> {
    const { number } = this.log;
    if (number === 1) return;
    for (const { note, inEachLog, read } of this.given.sources.records) {
      if (!inEachLog) continue;
      const refs = await toldBefore(tx, note, number);
      if (refs.length === 0) continue;
      const told = refs.map((ref) => ({ ref, at: this.at }));
      const found = await read(tx, told, { terms: this.terms });
      // What is not there any more was taken back with the database, and nothing can name it.
      for (const ref of refs) {
        const record = found.get(ref);
        if (record) this.list.push(entryOf(null, note, refIn(ref, number), record));
      }
    }
  }

  /**
   * Whose signatures the checkpoint needs, the key's of now as `signer`; where it is another than the log's, both sign the change. `known`: who signed
   * the checkpoint before. Throws LogFault.
   */
  changeKey(known: Signer | null): { key: string; signer: Signer; signers: Signer[] } {
    const { origin, key } = this.log;
    const { seed } = this.given.key;
    const now = known?.name === origin && sameBytes(known.seed, seed) ? known : quickSigner(origin, seed);
    const text = verifierText(now);
    if (text === key) return { key, signer: now, signers: [now, cosignerOf(now)] };
    const { before } = this.given.key;
    const former = before && quickSigner(origin, before);
    if (!former || verifierText(former) !== key) throw new LogFault(`the key of the log is another one: ${key} signed it until now`);
    const { at } = this;
    const said = keyChangeText(origin, key, text, at);
    const [signatureFrom, signatureTo] = [signatureLine(said, former).trim(), signatureLine(said, now).trim()];
    // A key may come back.
    this.add(`${this.log.number}:${at}`, { kind: "key", fields: { from: key, to: text, signatureFrom, signatureTo, at } });
    return { key: text, signer: now, signers: [former, now, cosignerOf(now)] };
  }

  /** What the notes tell of. Answers with those of which nothing is there any more. */
  async gather(tx: Tx, notes: readonly Note[]): Promise<Told[]> {
    const found = new Map<string, ReadonlyMap<string, NewRecord>>();
    const skipped = new Set<number>();
    for (const { note, newestOnly, read } of this.given.sources.records) {
      const own = notes.filter(({ kind }) => kind === note);
      if (newestOnly) for (const { id } of own.splice(0, own.length - 1)) skipped.add(id);
      if (own.length > 0) found.set(note, await read(tx, own, { terms: this.terms }));
    }
    const lost: Told[] = [];
    for (const { id, kind, ref, at } of notes) {
      if (kind === "terms" || skipped.has(id)) continue;
      const record = found.get(kind)?.get(ref);
      if (record) this.list.push(entryOf(at, kind, ref, record));
      else lost.push({ ref: `${kind} ${ref}`, at });
    }
    return lost;
  }

  /**
   * Writes what was gathered and the rows of tables that are their own notes, by when it was done: what followed something else was done when that
   * was there. Of rows there are so many that they never leave the database: their salts are made there too, of 32 random bytes that nobody keeps.
   * Their leaves are added to the tree's edge.
   */
  async write(tx: Tx, edge: Edge, tables: readonly { note: string; rows: Fragment }[]): Promise<Written> {
    const { number, size } = this.log;
    // JSON has neither tabs nor line breaks of its own.
    const lines = this.list.map(({ at, kind, ref, text }) => `${kind}\t${ref}\t${at ?? ""}\t${text}`).join("\n");
    const written = await one(
      writtenRow,
      tx`
        with told as (
          select split_part(l.line, E'\t', 1) as kind, split_part(l.line, E'\t', 2) as ref, nullif(split_part(l.line, E'\t', 3), '')::timestamptz as at,
            split_part(l.line, E'\t', 4) as record, null::bigint as tick, 1 as part, l.place
          from string_to_table(nullif(${lines}::text, ''), E'\n') with ordinality as l (line, place)
          ${tables.reduce((told, { note, rows }) => tx`${told} union all select ${note}::text, r.id::text, r.at, r.text, r.tick, 0, r.id from (${rows}) r`, tx``)}
        ),
        placed as (
          select kind, ref, record, tick, part, ${size} - 1 + row_number() over (order by date_trunc('milliseconds', at) nulls first, part, place) as index from told
        ),
        entered as materialized (
          select kind, ref, record, tick, part, index, sha256(decode(${randomBytes(SALT_SIZE).toString("hex")}, 'hex') || int8send(index)) as salt from placed
        ),
        written as (
          insert into proof_entries (log, index, kind, ref, salt, record) select ${number}, index, kind, ref, salt, record from entered
        )
        select
          (select string_agg(sha256('\\x00'::bytea || sha256(e.salt || convert_to(e.record, 'UTF8'))), ''::bytea order by e.index) from entered e) as leaves,
          (select array_agg(distinct e.tick) from entered e where e.tick is not null) as ticks,
          coalesce((
            select json_object_agg(r.kind, r.refs) from (select e.kind, array_agg(e.ref::bigint) as refs from entered e where e.part = 0 group by e.kind) r
          ), '{}') as read`,
    );
    const { leaves, ticks, read } = written ?? { leaves: null, ticks: null, read: {} };
    for (let at = 0; leaves !== null && at < leaves.length; at += HASH_SIZE) edge.add(leaves.subarray(at, at + HASH_SIZE));
    return { read, dealtOn: [...new Set([...(ticks ?? []), ...this.list.flatMap(({ tick }) => tick ?? [])])] };
  }

  /** Which entry holds which ticks. */
  get batches(): Batch[] {
    return this.list.flatMap(({ batch }) => batch ?? []);
  }
}

type Closing = { was: number; log: Log; tiles: readonly StoredTile[]; batches: readonly Batch[]; ticks: readonly DealtTick[]; marks: readonly Mark[] };

/**
 * Writes what follows from a round's entries, in one statement: tiles, the checkpoint, which entry holds which ticks, the ticks that something was dealt on,
 * and how far the tables were read. A tile that was there must still be, as wide as it was left: it is grown and never made anew, so that what is gone is
 * said and not mended in silence. `was`: the log's size before. Throws LogFault.
 */
export async function closeRound(tx: Tx, { was, log, tiles, batches, ticks, marks }: Closing): Promise<void> {
  const stored = tiles.map(({ level, n }) => Math.max(0, hashesAt(was, level) - n * TILE_WIDTH) * HASH_SIZE);
  const grown = await many(
    grownRow,
    tx`
      with given as (
        select t.level, t.n, decode(t.hashes, 'hex') as hashes, t.stored
        from unnest(
          ${tiles.map(({ level }) => level)}::smallint[], ${tiles.map(({ n }) => n)}::bigint[], ${tiles.map(({ hashes }) => toHex(hashes))}::text[], ${stored}::integer[]
        ) as t (level, n, hashes, stored)
      ),
      made as (
        insert into proof_tiles (log, level, n, hashes) select ${log.number}, g.level, g.n, g.hashes from given g where g.stored = 0
        on conflict (log, level, n) do update set hashes = excluded.hashes
      ),
      grown as (
        update proof_tiles t set hashes = g.hashes from given g
        where g.stored > 0 and t.log = ${log.number} and t.level = g.level and t.n = g.n and octet_length(t.hashes) = g.stored
        returning t.level, t.n
      ),
      signed as (
        update proof_logs
        set size = ${log.size}, root = decode(${toHex(log.root ?? new Uint8Array())}, 'hex'), note = ${log.note}, signed_at = ${log.signedAt}::text::timestamptz, key = ${log.key},
          terms = ${log.terms}
        where number = ${log.number}
      ),
      batched as (
        insert into proof_batches (first, last, log, index)
        select b.first, b.last, e.log, e.index
        from unnest(${batches.map(({ first }) => first)}::bigint[], ${batches.map(({ last }) => last)}::bigint[], ${batches.map(({ ref }) => ref)}::text[]) as b (first, last, ref)
        join proof_entries e on e.kind = 'ticks' and e.ref = b.ref
      ),
      dealt as (
        insert into proof_ticks (seq, first, place, tick, path)
        select d.seq, d.first, d.place, d.tick, decode(d.path, 'hex')
        from unnest(
          ${ticks.map(({ seq }) => seq)}::bigint[], ${ticks.map(({ kept }) => kept?.first ?? null)}::bigint[], ${ticks.map(({ kept }) => kept?.place ?? null)}::integer[],
          ${ticks.map(({ kept }) => kept?.tick ?? null)}::text[], ${ticks.map(({ kept }) => kept?.path ?? null)}::text[]
        ) as d (seq, first, place, tick, path)
        on conflict (seq) do update set first = excluded.first, place = excluded.place, tick = excluded.tick, path = excluded.path
        where proof_ticks.first is null and excluded.first is not null
      ),
      moved as (
        update proof_marks m set high = g.high, gaps = g.gaps, aging = g.aging, horizon = case when g."isOver" then pg_current_xact_id() else m.horizon end
        from json_to_recordset(${JSON.stringify(marks)}::text::json) as g (note text, high bigint, gaps bigint[], aging bigint[], "isOver" boolean)
        where m.note = g.note
      )
      select level, n from grown limit ${tiles.length}`,
  );
  const there = new Set(grown.map(({ level, n }) => `${level}/${n}`));
  const gone = tiles.find(({ level, n }, at) => (stored[at] ?? 0) > 0 && !there.has(`${level}/${n}`));
  if (gone) throw new LogFault(`tile ${tilePath({ ...gone, width: TILE_WIDTH })} is missing or too narrow`);
}
