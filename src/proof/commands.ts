import * as v from "valibot";
import { sameBytes } from "../lib/bytes";
import { type Db, one, type Sql, type Tx } from "../platform/database/db";
import { haveRows, markRow, type Mark, movedMark, reachOf } from "./commands_marks";
import { Edge } from "./edge";
import { NewestTicks } from "./commands_ticks";
import { closeRound, Entries, type Note } from "./entries";
import { LogFault } from "./fault";
import type { LogKey } from "./key";
import { columns, currentLog, type Log, logRow, newestLog, readTiles } from "./queries";
import { checkpointText, openCheckpoint, parseVerifier, signNote, type Signer, verifierText } from "./rules_note";
import { hashesAt, TILE_WIDTH } from "./rules_tiles";
import { quickSigner } from "./signing";
import type { Sources, Table, Told } from "./sources";

/** So many notes, and rows of each table, become entries in one round. */
export const AT_ONCE = 2_000;
/** A log in which nothing happens is signed anew after so many ms, with the time: each minute, with room for a beat of the log's and a round. */
const RENEW_AFTER = 58_000;

/** What a program that leads knows of the log between two rounds. */
export type State = { log: Log; edge: Edge; signer: Signer; ticks: NewestTicks };
export type Appending = { sql: Db; epoch: number; key: LogKey; sources: Sources; origin: () => string; now: () => number };
export type Round = { state: State; appended: number; lost: Told[]; more: boolean };

const noteRow: v.GenericSchema<unknown, Note> = v.strictObject({ id: v.number(), kind: v.string(), ref: v.string(), at: v.string() });
const left = { notes: v.array(noteRow), marks: v.array(markRow) };
const begunRow = v.union([v.strictObject({ ...logRow.entries, ...left }), v.object({ number: v.null(), ...left })]);
const waitingRow = v.strictObject({ waits: v.boolean(), size: v.nullable(v.number()), renew: v.boolean() });

/** Whether a round has anything to do: some small questions, which are all that a log costs while nothing happens. */
export async function isDue(sql: Sql, tables: readonly Table[]): Promise<boolean> {
  const row = await one(
    waitingRow,
    sql`
      select exists (select from proof_outbox) as waits, l.size, coalesce(l.signed_at < clock_timestamp() - ${RENEW_AFTER} * interval '1 millisecond', true) as renew
      from (select 1) always left join proof_logs l on l.ended_at is null`,
  );
  return row !== null && (row.waits || row.size === null || row.renew || (await haveRows(sql, tables)));
}

/**
 * Puts what waits into the log, in one transaction: entries, tiles, the checkpoint, and the notes are gone. Where nothing waits, nothing is written while the
 * checkpoint is not old. Refuses (deposed) where another program leads; throws LogFault where the log is not as it was left or the key does not fit. Nothing is
 * done then.
 */
export async function appendRound(given: Appending, known: State | null): Promise<Round> {
  return given.sql.begin(async (tx) => {
    const begun = await beginRound(tx, given);
    const { notes } = begun;
    const log = begun.log ?? (await beginLog(tx, given));
    // What a round that failed left in memory is not what the log has.
    const own = known?.log.number === log.number && known.edge.size === log.size ? known : null;
    const edge = own?.edge ?? (await edgeOf(tx, log));
    const entries = new Entries(log, given);
    if (log.size === 0) await entries.begin(tx);
    // Looked at once by each program that begins to append: also in a log that a release began which told nothing anew.
    if (known?.log.number !== log.number) await entries.tellAgain(tx);
    const signers = entries.changeKey(known?.signer ?? null);
    if (notes.some(({ kind }) => kind === "terms")) await entries.tellTerms(tx);
    const lost = await entries.gather(tx, notes);
    const marks = given.sources.tables.flatMap((table) => {
      const mark = begun.marks.find(({ note }) => note === table.note);
      return mark ? [{ table, mark }] : [];
    });
    const terms = { terms: entries.terms };
    const { read, dealtOn } = await entries.write(
      tx,
      edge,
      marks.map(({ table, mark }) => ({ note: table.note, rows: table.rows(tx, reachOf(mark), AT_ONCE, terms) })),
    );
    const moved = marks.flatMap(({ mark }) => movedMark(mark, read[mark.note] ?? []) ?? []);
    const ticks = own?.ticks ?? new NewestTicks();
    const isQuiet = notes.length === 0 && moved.length === 0 && edge.size === log.size && !isOld(log, given.now());
    if (isQuiet) return { state: { log, edge, signer: signers.signer, ticks }, appended: 0, lost, more: false };
    const next = signed({ log, edge, signers, terms: entries.terms, now: given.now() });
    ticks.add(entries.batches);
    await closeRound(tx, { was: log.size, log: next, tiles: edge.take(), batches: entries.batches, ticks: ticks.take(dealtOn), marks: moved });
    return {
      state: { log: next, edge, signer: signers.signer, ticks },
      appended: edge.size - log.size,
      lost,
      more: [notes, ...Object.values(read)].some(({ length }) => length === AT_ONCE),
    };
  });
}

/** Whether a checkpoint is to be signed anew though nothing was added. `now`: in ms. */
const isOld = ({ signedAt }: Log, now: number): boolean => signedAt === null || Date.parse(signedAt) < now - RENEW_AFTER;

/** A log of its own name: the site's, and from the second one on with its number. */
async function beginLog(tx: Tx, { key, origin }: Appending): Promise<Log> {
  const before = await newestLog(tx);
  const number = (before?.number ?? 0) + 1;
  const base = before ? before.origin.replace(/\/\d+$/, "") : origin();
  const name = number === 1 ? base : `${base}/${number}`;
  await tx`insert into proof_logs (number, origin, key) values (${number}, ${name}, ${verifierText(quickSigner(name, key.seed))})`;
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

/** The log, what was left for it, and how far its tables were read. Refuses (deposed). */
async function beginRound(tx: Tx, { epoch, sources }: Appending): Promise<{ log: Log | null; notes: Note[]; marks: Mark[] }> {
  // What a newer program notes waits for that.
  const known = [...sources.records.map(({ note }) => note), "terms"];
  const tables = sources.tables.map(({ note }) => note);
  const row = await one(
    begunRow,
    tx`
      select ${columns(tx)}, notes, marks
      from (select (r.log).*, r.notes, r.marks from proof_round(${epoch}, ${known}::text[], ${tables}::text[], ${AT_ONCE}) r) b`,
  );
  if (!row) throw new Error("a round did not begin");
  const { notes, marks, ...log } = row;
  return { log: log.number === null ? null : log, notes, marks };
}

type Signing = { log: Log; edge: Edge; signers: { key: string; signers: Signer[] }; terms: number; now: number };

/** The log with the checkpoint of its tree as it stands. */
function signed({ log, edge, signers: { key, signers }, terms, now }: Signing): Log {
  const root = edge.root();
  const note = signNote(checkpointText({ origin: log.origin, size: edge.size, root }), signers, Math.floor(now / 1000));
  const signedAt = new Date(now).toISOString();
  return { ...log, size: edge.size, root: new Uint8Array(root), note, signedAt, key, terms };
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
