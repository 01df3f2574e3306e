import { randomBytes } from "node:crypto";
import * as v from "valibot";
import { sameBytes, toBase64, toHex } from "../lib/bytes";
import { type Db, many, one, type Sql, type Tx } from "../platform/database/db";
import { Edge } from "./edge";
import { LogFault } from "./fault";
import { quickCommitment, quickLeafHash } from "./hashing";
import type { LogKey } from "./key";
import { currentLog, heldLog, type Log, newestLog, readTiles } from "./queries";
import { canonicalJson } from "./rules_canonical";
import { checkpointText, cosignerOf, openCheckpoint, parseVerifier, signatureLine, signerOf, signNote, type Signer, verifierText } from "./rules_note";
import { hashesAt, TILE_WIDTH } from "./rules_tiles";
import { keyChangeText, SALT_SIZE } from "./schema";
import type { NewRecord, Source, Sources, Told } from "./sources";

/** So many notes become entries in one round. */
export const AT_ONCE = 5_000;
/** A log in which nothing happens is signed anew after so many ms, with the time. */
const RENEW_AFTER = 60_000;

/** What a program that leads knows of the log between two rounds. */
export type State = { log: Log; edge: Edge };
export type Appending = { sql: Db; epoch: number; key: LogKey; sources: Sources; origin: () => string; now: () => number };
export type Round = { state: State; appended: number; lost: Told[]; more: boolean };

const noteRow = v.strictObject({ id: v.number(), kind: v.string(), ref: v.string(), at: v.string() });
type Note = v.InferOutput<typeof noteRow>;
const waitingRow = v.strictObject({ waits: v.boolean(), size: v.nullable(v.number()), renew: v.boolean() });

/** Whether a round has anything to do. One small question, which is all that a log costs while nothing happens. */
export async function isDue(sql: Sql): Promise<boolean> {
  const row = await one(
    waitingRow,
    sql`
      select exists (select from proof_outbox) as waits, l.size, coalesce(l.signed_at < clock_timestamp() - ${RENEW_AFTER} * interval '1 millisecond', true) as renew
      from (select 1) always left join proof_logs l on l.ended_at is null`,
  );
  return row !== null && (row.waits || row.size === null || row.renew);
}

/**
 * Puts what waits into the log, in one transaction: entries, tiles, the checkpoint, and the notes are gone. Refuses (deposed) where another
 * program leads; throws LogFault where the log is not as it was left or the key does not fit. Nothing is done then.
 */
export async function appendRound(given: Appending, known: State | null): Promise<Round> {
  return given.sql.begin(async (tx) => {
    await tx`select lead_fence(${given.epoch})`;
    const log = (await heldLog(tx)) ?? (await beginLog(tx, given));
    const edge = known?.log.number === log.number && known.edge.size === log.size ? known.edge : await edgeOf(tx, log);
    const notes = await takeNotes(tx, given.sources.records);
    const entries = new Entries(log, given);
    if (log.size === 0) await entries.begin(tx);
    const signers = entries.changeKey();
    const lost = await entries.gather(tx, notes);
    await entries.write(tx, edge);
    const next = await sign(tx, { log, edge, signers, terms: entries.terms, termsSaid: entries.termsSaid, now: given.now() });
    return { state: { log: next, edge }, appended: edge.size - log.size, lost, more: notes.length === AT_ONCE };
  });
}

/** A log of its own name: the site's, and from the second one on with its number. */
async function beginLog(tx: Tx, { key, origin }: Appending): Promise<Log> {
  const before = await newestLog(tx);
  const number = (before?.number ?? 0) + 1;
  const base = before ? before.origin.replace(/\/\d+$/, "") : origin();
  const name = number === 1 ? base : `${base}/${number}`;
  await tx`insert into proof_logs (number, origin, key) values (${number}, ${name}, ${verifierText(signerOf(name, key.seed))})`;
  const begun = await currentLog(tx);
  if (!begun) throw new Error("the new log is not there");
  return begun;
}

/** The right edge as it is stored, which must have the root that was signed. */
export async function edgeOf(sql: Sql, log: Log): Promise<Edge> {
  const wanted = [];
  for (let level = 0; hashesAt(log.size, level) > 0; level++) wanted.push({ log: log.number, level, n: Math.floor(hashesAt(log.size, level) / TILE_WIDTH) });
  const tiles = await readTiles(sql, wanted);
  try {
    const edge = new Edge(log.size, (level, n) => tiles.get(`${log.number} ${level} ${n}`));
    if (log.size > 0) refuseOtherRoot(log, edge);
    return edge;
  } catch (error) {
    throw error instanceof RangeError ? new LogFault(error.message) : error;
  }
}

function refuseOtherRoot({ note, key, origin, size, root }: Log, edge: Edge): void {
  const verifier = parseVerifier(key);
  const signed = verifier && openCheckpoint(note ?? "", [verifier]);
  if (!signed || signed.origin !== origin || signed.size !== size || !root || !sameBytes(signed.root, root))
    throw new LogFault("the newest checkpoint is not what the log's key signed");
  if (!sameBytes(edge.root(), signed.root)) throw new LogFault("the tiles do not have the root of the newest checkpoint");
}

async function takeNotes(tx: Tx, records: readonly Source[]): Promise<Note[]> {
  // What a newer program notes waits for that.
  const known = [...records.map(({ note }) => note), "terms"];
  const notes = await many(
    noteRow,
    tx`
      delete from proof_outbox
      where id in (select id from proof_outbox where kind = any(${known}::text[]) order by id limit ${AT_ONCE})
      returning id, kind, ref, at`,
  );
  return notes.sort((one, other) => one.id - other.id);
}

type NewEntry = { kind: string; ref: string; record: NewRecord };

/** The entries of one round. */
class Entries {
  private readonly list: NewEntry[] = [];
  terms: number;
  termsSaid: string;

  constructor(
    private readonly log: Log,
    private readonly given: Appending,
  ) {
    this.terms = log.terms;
    this.termsSaid = log.termsSaid;
  }

  private get at(): string {
    return new Date(this.given.now()).toISOString();
  }

  /** What every log begins with: whose it is, which one came before, and the terms. */
  async begin(tx: Tx): Promise<void> {
    const { origin, key, number } = this.log;
    const before = await endedLog(tx, number - 1);
    const fields = {
      origin,
      key,
      previousOrigin: before?.origin ?? null,
      previousSize: before?.size ?? null,
      previousRoot: before?.root ? toBase64(before.root) : null,
      why: before?.endedWhy ?? "the first log",
      at: this.at,
    };
    this.list.push({ kind: "start", ref: origin, record: { kind: "start", fields } });
    await this.tellTerms(tx);
  }

  private async tellTerms(tx: Tx): Promise<void> {
    const terms = await this.given.sources.readTerms(tx);
    const said = JSON.stringify(terms);
    if (said === this.termsSaid) return;
    this.terms++;
    this.termsSaid = said;
    const record = { kind: "terms" as const, fields: { version: this.terms, ...terms, at: this.at } };
    this.list.push({ kind: "terms", ref: `${this.log.number}:${this.terms}`, record });
  }

  /** Whose signatures the checkpoint needs; where the key is another than the log's, both sign the change. Throws LogFault. */
  changeKey(): { key: string; signers: Signer[] } {
    const { origin, key } = this.log;
    const now = signerOf(origin, this.given.key.seed);
    const text = verifierText(now);
    if (text === key) return { key, signers: [now, cosignerOf(now)] };
    const { before } = this.given.key;
    const former = before && signerOf(origin, before);
    if (!former || verifierText(former) !== key) throw new LogFault(`the key of the log is another one: ${key} signed it until now`);
    const { at } = this;
    const said = keyChangeText(origin, key, text, at);
    const [signatureFrom, signatureTo] = [signatureLine(said, former).trim(), signatureLine(said, now).trim()];
    this.list.push({ kind: "key", ref: text, record: { kind: "key", fields: { from: key, to: text, signatureFrom, signatureTo, at } } });
    return { key: text, signers: [former, now, cosignerOf(now)] };
  }

  /** What the notes tell of, in their order. Answers with those of which nothing is there any more. */
  async gather(tx: Tx, notes: readonly Note[]): Promise<Told[]> {
    if (notes.some(({ kind }) => kind === "terms")) await this.tellTerms(tx);
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
      if (record) this.list.push({ kind, ref, record });
      else lost.push({ ref: `${kind} ${ref}`, at });
    }
    return lost;
  }

  async write(tx: Tx, edge: Edge): Promise<void> {
    const count = this.list.length;
    if (count === 0) return;
    const { number, size } = this.log;
    const salts = new Uint8Array(randomBytes(count * SALT_SIZE));
    const lines = this.list.map(({ kind, ref, record }, n) => {
      const text = canonicalJson({ v: 1, kind: record.kind, ...record.fields });
      edge.add(quickLeafHash(quickCommitment(salts.subarray(n * SALT_SIZE, (n + 1) * SALT_SIZE), text)));
      // JSON has neither tabs nor line breaks of its own.
      return `${kind}\t${ref}\t${text}`;
    });
    await tx`
      insert into proof_entries (log, index, kind, ref, salt, record)
      select ${number}, ${size} + l.place - 1, split_part(l.line, E'\t', 1), split_part(l.line, E'\t', 2),
        substring(decode(${toHex(salts)}, 'hex') from ((l.place - 1) * ${SALT_SIZE} + 1)::integer for ${SALT_SIZE}), split_part(l.line, E'\t', 3)
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
    const batches = this.list.flatMap(({ record }, n) => (record.kind === "ticks" ? [{ ...record.fields, index: this.log.size + n }] : []));
    const dealt = new Set(this.list.flatMap(({ record }) => ("tick" in record.fields && record.fields.tick !== null ? [record.fields.tick] : [])));
    if (batches.length > 0)
      await tx`
        insert into proof_batches (first, last, log, index)
        select b.first, b.last, ${this.log.number}, b.index
        from unnest(${batches.map(({ first }) => first)}::bigint[], ${batches.map(({ last }) => last)}::bigint[], ${batches.map(({ index }) => index)}::bigint[]) as b (first, last, index)`;
    if (dealt.size > 0) await tx`insert into proof_ticks (seq) select unnest(${[...dealt]}::bigint[]) on conflict do nothing`;
  }
}

const endedRow = v.strictObject({ origin: v.string(), size: v.number(), root: v.nullable(v.instance(Uint8Array)), endedWhy: v.nullable(v.string()) });
const endedLog = (sql: Sql, number: number) => one(endedRow, sql`select origin, size, root, ended_why as "endedWhy" from proof_logs where number = ${number}`);

type Signing = { log: Log; edge: Edge; signers: { key: string; signers: Signer[] }; terms: number; termsSaid: string; now: number };

/** The checkpoint of the tree as it stands. */
async function sign(tx: Tx, { log, edge, signers: { key, signers }, terms, termsSaid, now }: Signing): Promise<Log> {
  const root = edge.root();
  const note = signNote(checkpointText({ origin: log.origin, size: edge.size, root }), signers, Math.floor(now / 1000));
  const signedAt = new Date(now).toISOString();
  await tx`
    update proof_logs
    set size = ${edge.size}, root = decode(${toHex(root)}, 'hex'), note = ${note}, signed_at = ${signedAt}::text::timestamptz, key = ${key}, terms = ${terms}, terms_said = ${termsSaid}
    where number = ${log.number}`;
  return { ...log, size: edge.size, root: new Uint8Array(root), note, signedAt, key, terms, termsSaid };
}

/** Ends the log, for a reason that the next one's first record tells. Answers with its name; null where none was open. */
export async function endLog(sql: Sql, why: string): Promise<string | null> {
  const row = await one(
    v.strictObject({ origin: v.string() }),
    sql`update proof_logs set ended_at = clock_timestamp(), ended_why = ${why} where ended_at is null returning origin`,
  );
  return row?.origin ?? null;
}

/** Ends the log of a database that was brought back as it was at an earlier moment; one of an earlier release has none. */
export async function endRestoredLog(tx: Tx): Promise<void> {
  const [found] = await tx`select to_regclass('proof_logs') as "table" where to_regclass('proof_logs') is not null`;
  if (found) await endLog(tx, "the database was restored as it was at an earlier moment");
}
