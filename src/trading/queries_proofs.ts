import * as v from "valibot";
import { notFound } from "../lib/refusal";
import { many, one, type Sql } from "../platform/database/db";
import { neverLogged, neverRecorded, readProofs, readTickProofs } from "../proof/queries";
import { headOf, neverProven, notYet, proofsBy } from "../proof/queries_files";
import type { Dealt, PositionFile } from "../proof/rules_files";
import { NO_PROOF, type Proof, type TickProof } from "../proof/schema";

/** What of a fill is provable. `proof` and `quote` are null until the log has them, or for ever: `word` says which. */
export type FillProof = { proof: Proof | null; quote: TickProof | null; word: string | null };

/** The proofs of fills by their numbers and ticks. */
export async function fillProofs(sql: Sql, fills: readonly { number: number; tick: number }[]): Promise<FillProof[]> {
  const [proofs, quotes] = await Promise.all([
    readProofs(
      sql,
      "fill",
      fills.map(({ number }) => String(number)),
    ),
    readTickProofs(
      sql,
      fills.map(({ tick }) => tick),
    ),
  ]);
  const hasProof = ({ number }: (typeof fills)[number]) => proofs.has(String(number));
  const [before, unrecorded] = await Promise.all([
    neverLogged(
      sql,
      "fill",
      fills.flatMap((fill) => (hasProof(fill) ? [] : fill.number)),
    ),
    neverRecorded(
      sql,
      fills.flatMap((fill) => (hasProof(fill) && !quotes.has(fill.tick) ? fill.tick : [])),
    ),
  ]);
  return fills.map(({ number, tick }) => {
    const [proof, quote] = [proofs.get(String(number)) ?? null, quotes.get(tick) ?? null];
    const never = before.has(number) ? NO_PROOF.before : proof && unrecorded.has(tick) ? NO_PROOF.unrecorded : null;
    return { proof, quote, word: proof && quote ? null : (never ?? NO_PROOF.notYet) };
  });
}

const dealtRow = v.strictObject({ kind: v.picklist(["open", "close"]), number: v.number(), tick: v.number() });
const nightRow = v.strictObject({ number: v.number() });
const besideRow = v.strictObject({ kind: v.string(), ref: v.string() });
const ownRow = v.strictObject({ id: v.string(), parent: v.nullable(v.string()), status: v.string() });

/** The file that proves a person's position: its fills, the ticks beneath them, and what else the log says of it. Refuses (unavailable) until the log has it all, and (conflict) where it never will. */
export async function positionFile(sql: Sql, userId: string, positionId: string, since: number | null): Promise<PositionFile> {
  const own = await one(ownRow, sql`select id, parent_id as parent, status from positions where id = ${positionId} and user_id = ${userId}`);
  if (!own) throw notFound();
  const fills = await many(
    dealtRow,
    sql`
      select kind, id as number, quote_seq as tick from fills
      where (position_id = ${own.parent ?? own.id} and kind = 'open') or (position_id = ${own.id} and kind = 'close')
      order by id limit 2
    `,
  );
  const found = await fillProofs(sql, fills);
  if (found.some(({ word }) => word !== null && word !== NO_PROOF.notYet)) throw neverProven();
  const others = [...(await besideOf(sql, own)), ...(await versionsOf(sql, found))];
  const all = [...found.map(({ proof }) => proof), ...found.map(({ quote }) => quote?.batch ?? null), ...others];
  const proofs = all.filter((proof) => proof !== null);
  if (proofs.length < all.length || proofs.length === 0) throw notYet();
  const terms = await termsOf(sql, proofs);
  const head = await headOf(sql, [...proofs, ...terms], since);
  const dealt = (kind: "open" | "close"): Dealt | null => {
    const { proof, quote } = found[fills.findIndex((fill) => fill.kind === kind)] ?? {};
    if (!proof || !quote) return null;
    return { proof, quote };
  };
  const beside = [...others.filter((proof) => proof !== null), ...terms];
  return { ...head, kind: "position", opening: dealt("open"), closing: dealt("close"), others: beside };
}

/** What the log says of a position beside its fills: a correction and the second word on it, the stop-out's margin, a cancellation, its nights. */
async function besideOf(sql: Sql, { id, status }: v.InferOutput<typeof ownRow>): Promise<(Proof | null)[]> {
  const refs = await many(
    besideRow,
    sql`
      select 'correction' as kind, position_id::text as ref from corrections where position_id = ${id}
      union all
      select 'confirmation', request_id::text from corrections where position_id = ${id} and request_id is not null
      union all
      select 'margin', id::text from margin_events where position_id = ${id}
      union all
      select 'cancellation', ${id}::text where ${status} = 'cancelled'
      limit 10
    `,
  );
  const beside = await Promise.all(refs.map(async ({ kind, ref }) => (await readProofs(sql, kind, [ref])).get(ref) ?? null));
  return [...beside, ...(await nightsOf(sql, id))];
}

/** The versions of terms that the fills name. */
async function versionsOf(sql: Sql, fills: readonly FillProof[]): Promise<(Proof | null)[]> {
  const named = fills.flatMap(({ proof }) => (proof && "groupVersion" in proof.record ? [proof.record] : []));
  const groups = new Set(named.map(({ group, groupVersion }) => `${group}:${groupVersion}`));
  const instruments = new Set(named.flatMap(({ symbol, instrumentVersion }) => (instrumentVersion > 0 ? [`${symbol}:${instrumentVersion}`] : [])));
  const countries = named.flatMap((record) => ("countryVersion" in record ? [String(record.countryVersion)] : []));
  const found = [proofsBy(sql, "group", [...groups]), proofsBy(sql, "instrument", [...instruments]), proofsBy(sql, "countries", countries)];
  return (await Promise.all(found)).flat();
}

/** A position that was held longer has no room for more of them in its file. */
const MOST_NIGHTS = 4000;
/** What the log says of its nights; those before the log began it will never tell. */
async function nightsOf(sql: Sql, id: string): Promise<(Proof | null)[]> {
  const rows = await many(nightRow, sql`select number from swaps where position_id = ${id} order by number limit ${MOST_NIGHTS}`);
  const numbers = rows.map(({ number }) => number);
  const [proofs, never] = [await readProofs(sql, "swap", numbers.map(String)), await neverLogged(sql, "swap", numbers)];
  return numbers.flatMap((number) => (never.has(number) ? [] : [proofs.get(String(number)) ?? null]));
}

const logRow = v.strictObject({ number: v.number(), origin: v.string() });
/** The terms that the deals name, where the log has them: each log counts its own versions. */
async function termsOf(sql: Sql, proofs: readonly Proof[]): Promise<Proof[]> {
  const named = proofs.flatMap(({ record, checkpoint }) => ("terms" in record ? [{ version: record.terms, origin: checkpoint.split("\n", 1)[0] ?? "" }] : []));
  const origins = [...new Set(named.map(({ origin }) => origin))];
  const logs = new Map(
    (await many(logRow, sql`select number, origin from proof_logs where origin = any(${origins}::text[]) limit 10`)).map((log) => [log.origin, log.number]),
  );
  const refs = new Set(named.map(({ version, origin }) => `${logs.get(origin)}:${version}`));
  return [...(await readProofs(sql, "terms", [...refs])).values()];
}
