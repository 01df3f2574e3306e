import { randomBytes } from "node:crypto";
import { toBase64, toHex } from "../lib/bytes";
import type { Tx } from "../platform/database/db";
import type { Edge } from "./edge";
import { LogFault } from "./fault";
import { quickCommitment, quickLeafHash } from "./hashing";
import type { LogKey } from "./key";
import { type Log, logNumbered } from "./queries";
import { canonicalJson } from "./rules_canonical";
import { cosignerOf, signatureLine, type Signer, verifierText } from "./rules_note";
import { keyChangeText, SALT_SIZE } from "./schema";
import { quickSigner } from "./signing";
import type { NewRecord, Row, Sources, Told } from "./sources";

export type Note = { id: number; kind: string; ref: string; at: string };
type Given = { key: LogKey; sources: Sources; now: () => number };
type NewEntry = { kind: string; ref: string; text: string; tick: number | null; batch: { first: number; last: number } | null };

const entryOf = (kind: string, ref: string, record: NewRecord): NewEntry => ({
  kind,
  ref,
  text: canonicalJson({ v: record.v ?? 1, kind: record.kind, ...record.fields }),
  tick: "tick" in record.fields ? record.fields.tick : null,
  batch: record.kind === "ticks" ? record.fields : null,
});

/** The entries of one round, before they are written. */
export class Entries {
  private readonly list: NewEntry[] = [];
  terms: number;
  termsSaid: string;

  constructor(
    private readonly log: Log,
    private readonly given: Given,
  ) {
    this.terms = log.terms;
    this.termsSaid = log.termsSaid;
  }

  private get at(): string {
    return new Date(this.given.now()).toISOString();
  }

  private add(ref: string, record: NewRecord): void {
    this.list.push(entryOf(record.kind, ref, record));
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

  tellsTerms = (notes: readonly Note[]) => notes.some(({ kind }) => kind === "terms");

  /** Tells the terms where they are others than were told last. Answers with their version. */
  async tellTerms(tx: Tx): Promise<number> {
    const terms = await this.given.sources.readTerms(tx);
    const said = JSON.stringify(terms);
    if (said === this.termsSaid) return this.terms;
    this.terms++;
    this.termsSaid = said;
    this.add(`${this.log.number}:${this.terms}`, { kind: "terms", fields: { version: this.terms, ...terms, at: this.at } });
    return this.terms;
  }

  /** Whose signatures the checkpoint needs; where the key is another than the log's, both sign the change. Throws LogFault. */
  changeKey(): { key: string; signers: Signer[] } {
    const { origin, key } = this.log;
    const now = quickSigner(origin, this.given.key.seed);
    const text = verifierText(now);
    if (text === key) return { key, signers: [now, cosignerOf(now)] };
    const { before } = this.given.key;
    const former = before && quickSigner(origin, before);
    if (!former || verifierText(former) !== key) throw new LogFault(`the key of the log is another one: ${key} signed it until now`);
    const { at } = this;
    const said = keyChangeText(origin, key, text, at);
    const [signatureFrom, signatureTo] = [signatureLine(said, former).trim(), signatureLine(said, now).trim()];
    // A key may come back.
    this.add(`${this.log.number}:${at}`, { kind: "key", fields: { from: key, to: text, signatureFrom, signatureTo, at } });
    return { key: text, signers: [former, now, cosignerOf(now)] };
  }

  /**
   * What the notes tell of, and the rows that are their own notes, by when it was done: what followed something else was done when that was there.
   * Answers with the notes of which nothing is there any more.
   */
  async gather(tx: Tx, notes: readonly Note[], rows: readonly (Row & { note: string })[]): Promise<Told[]> {
    const found = new Map<string, ReadonlyMap<string, NewRecord>>();
    const skipped = new Set<number>();
    for (const { note, newestOnly, read } of this.given.sources.records) {
      const own = notes.filter(({ kind }) => kind === note);
      if (newestOnly) for (const { id } of own.splice(0, own.length - 1)) skipped.add(id);
      if (own.length > 0) found.set(note, await read(tx, own, { terms: this.terms }));
    }
    const lost: Told[] = [];
    const told = rows.map(({ note, id, at, text, tick }) => ({ at, entry: { kind: note, ref: String(id), text, tick, batch: null } as NewEntry }));
    for (const { id, kind, ref, at } of notes) {
      if (kind === "terms" || skipped.has(id)) continue;
      const record = found.get(kind)?.get(ref);
      if (record) told.push({ at, entry: entryOf(kind, ref, record) });
      else lost.push({ ref: `${kind} ${ref}`, at });
    }
    told.sort((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at)));
    for (const { entry } of told) this.list.push(entry);
    return lost;
  }

  async write(tx: Tx, edge: Edge): Promise<void> {
    const count = this.list.length;
    if (count === 0) return;
    const { number, size } = this.log;
    const salts = randomBytes(count * SALT_SIZE);
    const lines = this.list.map(({ kind, ref, text }, n) => {
      const salt = salts.subarray(n * SALT_SIZE, (n + 1) * SALT_SIZE);
      edge.add(quickLeafHash(quickCommitment(salt, text)));
      // JSON has neither tabs nor line breaks of its own.
      return `${kind}\t${ref}\t${salt.toString("hex")}\t${text}`;
    });
    await tx`
      insert into proof_entries (log, index, kind, ref, salt, record)
      select ${number}, ${size} + l.place - 1, split_part(l.line, E'\t', 1), split_part(l.line, E'\t', 2), decode(split_part(l.line, E'\t', 3), 'hex'),
        split_part(l.line, E'\t', 4)
      from string_to_table(${lines.join("\n")}::text, E'\n') with ordinality as l (line, place)`;
    const tiles = edge.take();
    await tx`
      insert into proof_tiles (log, level, n, hashes)
      select ${number}, t.level, t.n, decode(t.hashes, 'hex')
      from unnest(${tiles.map(({ level }) => level)}::smallint[], ${tiles.map(({ n }) => n)}::bigint[], ${tiles.map(({ hashes }) => toHex(hashes))}::text[]) as t (level, n, hashes)
      on conflict (log, level, n) do update set hashes = excluded.hashes`;
    await this.noteTicks(tx);
  }

  /** Which entry holds which ticks, and the ticks that something was dealt on. */
  private async noteTicks(tx: Tx): Promise<void> {
    const batches = this.list.flatMap(({ batch }, n) => (batch ? [{ ...batch, index: this.log.size + n }] : []));
    const dealt = new Set(this.list.flatMap(({ tick }) => tick ?? []));
    if (batches.length > 0)
      await tx`
        insert into proof_batches (first, last, log, index)
        select b.first, b.last, ${this.log.number}, b.index
        from unnest(${batches.map(({ first }) => first)}::bigint[], ${batches.map(({ last }) => last)}::bigint[], ${batches.map(({ index }) => index)}::bigint[]) as b (first, last, index)`;
    if (dealt.size > 0) await tx`insert into proof_ticks (seq) select unnest(${[...dealt]}::bigint[]) on conflict do nothing`;
  }
}
