import * as v from "valibot";
import { notFound } from "../lib/refusal";
import { many, one, type Sql } from "../platform/database/db";
import { neverLogged, neverRecorded, readProofs, readTickProofs } from "../proof/queries";
import { atOneMoment, headOf, isProof, lostForGood, neverProven, notYet, type Part, partsBy } from "../proof/queries_files";
import { lostOf, lostTicks, readTellings } from "../proof/queries_lost";
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
  const unproven = fills.flatMap(({ number }) => (proofs.has(String(number)) ? [] : number));
  const unquoted = fills.flatMap(({ tick }) => (quotes.has(tick) ? [] : tick));
  const [before, unrecorded, lost, lostQuotes] = await Promise.all([
    neverLogged(sql, "fill", unproven),
    neverRecorded(sql, unquoted),
    lostOf(sql, "fill", unproven.map(String)),
    lostTicks(sql, unquoted),
  ]);
  return fills.map(({ number, tick }) => {
    const [proof, quote] = [proofs.get(String(number)) ?? null, quotes.get(tick) ?? null];
    const never = before.has(number) ? NO_PROOF.before : proof && unrecorded.has(tick) ? NO_PROOF.unrecorded : null;
    const gone = lost.has(String(number)) || lostQuotes.has(tick) ? NO_PROOF.lost : null;
    return { proof, quote, word: proof && quote ? null : (never ?? gone ?? NO_PROOF.notYet) };
  });
}

const dealtRow = v.strictObject({ kind: v.picklist(["open", "close"]), number: v.number(), tick: v.number() });
const nightRow = v.strictObject({ number: v.number() });
const besideRow = v.strictObject({ kind: v.string(), ref: v.string() });
const ownRow = v.strictObject({ id: v.string(), parent: v.nullable(v.string()), status: v.string() });

/**
 * The file that proves a person's position: its fills, the ticks beneath them, and what else the log says of it. Of what a lost tile stands in the way of it
 * has the rest, and says so. Refuses (unavailable) until the log has it all, and (conflict) where it never will, or nothing is left of it.
 */
export const positionFile = (sql: Sql, userId: string, positionId: string, since: number | null): Promise<PositionFile> =>
  atOneMoment(sql, (moment) => fileOf(moment, userId, positionId, since));

async function fileOf(sql: Sql, userId: string, positionId: string, since: number | null): Promise<PositionFile> {
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
  if (found.some(({ word }) => word === NO_PROOF.before || word === NO_PROOF.unrecorded)) throw neverProven();
  const [beside, nights] = await Promise.all([besideOf(sql, own), nightsOf(sql, own.id)]);
  const deals = await Promise.all(found.map((fill) => dealOf(sql, fill, beside)));
  const nightTerms = await nightTermsOf(sql, nights.filter(isProof));
  const all = [...beside, ...nights, ...deals.flatMap(({ needs }) => needs)];
  if (all.includes(null)) throw notYet();
  const opening = deals[fills.findIndex(({ kind }) => kind === "open")];
  const closing = deals[fills.findIndex(({ kind }) => kind === "close")];
  const lost = [
    ...(opening && !opening.dealt ? (["opening"] as const) : []),
    ...(closing && !closing.dealt ? (["closing"] as const) : []),
    ...([...beside, ...nights].includes("lost") ? (["others"] as const) : []),
  ];
  const others = eachOnce([...beside.filter(isProof), ...nights.filter(isProof), ...nightTerms, ...deals.flatMap((deal) => deal.others)]);
  const dealt = [opening?.dealt ?? null, closing?.dealt ?? null] as const;
  const proofs = [...dealt.flatMap((deal) => (deal ? [deal.proof, deal.quote.batch] : [])), ...others];
  if (proofs.length === 0) throw lost.length > 0 ? lostForGood() : notYet();
  const head = await headOf(sql, proofs, since);
  return { ...head, kind: "position", opening: dealt[0], closing: dealt[1], others, ...(lost.length > 0 && { lost }) };
}

/** `needs`: all that it takes to check a deal. `dealt`: the deal, where all of it is there. `others`: what stands beside it then, or what is left of it. */
type Deal = { needs: Part[]; dealt: Dealt | null; others: Proof[] };

/** What is provable of a deal: it, its quote, the terms that it names, and, where an administrator settled it, the record of that. */
async function dealOf(sql: Sql, { proof, quote, word }: FillProof, beside: readonly Part[]): Promise<Deal> {
  if (!proof || !quote) return { needs: [word === NO_PROOF.lost ? "lost" : null], dealt: null, others: proof ? [proof] : [] };
  const needs: Part[] = [...(await versionsOf(sql, proof)), ...(await termsOf(sql, proof))];
  const isSettled = proof.record.kind === "exit" && proof.record.reason === "admin";
  if (needs.includes("lost") || (isSettled && beside.includes("lost"))) return { needs, dealt: null, others: [proof] };
  return { needs, dealt: { proof, quote }, others: needs.filter(isProof) };
}

const originOf = ({ checkpoint }: Proof): string => checkpoint.split("\n", 1)[0] ?? "";
/** No record stands twice in a file: two deals may name one version. */
const eachOnce = (proofs: readonly Proof[]): Proof[] => [...new Map(proofs.map((proof) => [`${originOf(proof)} ${proof.index}`, proof])).values()];

/** What the log says of a position beside its fills: a correction and the second word on it, the stop-out's margin, a cancellation. */
async function besideOf(sql: Sql, { id, status }: v.InferOutput<typeof ownRow>): Promise<Part[]> {
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
  return (await Promise.all(refs.map(({ kind, ref }) => partsBy(sql, kind, [ref])))).flat();
}

/** The versions of terms that a deal names: as its own log tells them, or, where that lost or never told one, another. */
async function versionsOf(sql: Sql, deal: Proof): Promise<Part[]> {
  const { record } = deal;
  if (!("groupVersion" in record)) return [];
  const named: [string, string][] = [["group", `${record.group}:${record.groupVersion}`]];
  if (record.instrumentVersion > 0) named.push(["instrument", `${record.symbol}:${record.instrumentVersion}`]);
  if ("countryVersion" in record) named.push(["countries", String(record.countryVersion)]);
  return Promise.all(
    named.map(async ([kind, ref]): Promise<Part> => (await tellingFor(sql, kind, ref, deal)) ?? ((await lostOf(sql, kind, [ref])).has(ref) ? "lost" : null)),
  );
}

/** A version of terms as the log of what names it tells it, or, where that lost or never told it, another. */
async function tellingFor(sql: Sql, kind: string, ref: string, namedBy: Proof): Promise<Proof | null> {
  const tellings = (await readTellings(sql, kind, [ref])).get(ref) ?? [];
  return tellings.find((telling) => originOf(telling) === originOf(namedBy)) ?? tellings[0] ?? null;
}

/** A position that was held longer has no room for more of them in its file. */
const MOST_NIGHTS = 4000;
/** What the log says of its nights; those before the log began it will never tell. */
async function nightsOf(sql: Sql, id: string): Promise<Part[]> {
  const rows = await many(nightRow, sql`select number from swaps where position_id = ${id} order by number limit ${MOST_NIGHTS}`);
  const numbers = rows.map(({ number }) => number);
  const [parts, never] = [await partsBy(sql, "swap", numbers.map(String)), await neverLogged(sql, "swap", numbers)];
  return numbers.flatMap((number, n) => (never.has(number) ? [] : [parts[n] ?? null]));
}

/** Beside its nights there is room for so many versions of the terms that they went by. */
const MOST_NIGHT_TERMS = 40;
/** The versions of groups' terms that nights name; of one that no log tells, or lost, a check says that it is not there. */
async function nightTermsOf(sql: Sql, nights: readonly Proof[]): Promise<Proof[]> {
  const named = new Map(nights.flatMap((night) => (night.record.kind === "swap" ? [[`${night.record.group}:${night.record.version}`, night] as const] : [])));
  const found = await Promise.all([...named].slice(0, MOST_NIGHT_TERMS).map(([ref, night]) => tellingFor(sql, "group", ref, night)));
  return found.filter((telling) => telling !== null);
}

const logRow = v.strictObject({ number: v.number() });
/** The terms that a deal names, where the log has them: each log counts its own versions. */
async function termsOf(sql: Sql, deal: Proof): Promise<Part[]> {
  if (!("terms" in deal.record)) return [];
  const log = await one(logRow, sql`select number from proof_logs where origin = ${originOf(deal)}`);
  return (await partsBy(sql, "terms", [`${log?.number}:${deal.record.terms}`])).filter((part) => part !== null);
}
