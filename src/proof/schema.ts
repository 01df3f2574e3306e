import { sha256 } from "@noble/hashes/sha2.js";
import * as v from "valibot";
import { fromBase64, joinBytes } from "../lib/bytes";
import { canonicalBytes } from "./rules_canonical";
import { type Hash, HASH_SIZE } from "./rules_merkle";

/**
 * The records of the log, field by field. A record that was logged is never said otherwise: a new field is a new version (`v`) beside the
 * old one. Money and prices are decimal text as the database writes them, times are UTC, `at` is when what is told was done, and ids are
 * those of the program's answers.
 */

const text = v.string();
const maybe = v.nullable(text);
const flag = v.boolean();
const whole = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const maybeWhole = v.nullable(whole);

/** The tick that something was dealt on, as it was dealt on, and the terms by which the account's price comes from it. */
const priced = {
  tick: whole,
  tickAt: text,
  /** Its age in ms when it was dealt on. */
  tickAgeMs: whole,
  bid: text,
  ask: text,
  /** One pip of the symbol; half of the tier's spread in pips lies each side of the middle, where the market's is narrower. */
  pip: text,
  spreadPips: text,
  /** The newest version of the terms in the log. */
  terms: whole,
};
/** What version 2 says beside it: which versions it was dealt by, and whether the spread was exactly so wide. `instrumentVersion` 0: it never had terms. */
const named = { fixed: flag, group: text, groupVersion: whole, instrumentVersion: whole };
/**
 * What version 3 of an opening says beside that, whose margin goes by its size: what its account held of the instrument on its side just before, in USD,
 * the most leverage of the account and of where its owner lives, and the one that an order which waited was placed at.
 */
const sized = { held: text, own: whole, placed: maybeWhole };
/**
 * What version 4 of an opening says in place of that, in every instrument: the leverage of its account, the most that is allowed where its owner lives
 * (null: no rule of that, or the order waited, and was `placed` by it), and what was held (null: its margin does not go by size).
 */
const geared = { held: maybe, own: whole, cap: maybeWhole, placed: maybeWhole };
/** What version 5 of an opening says beside that: where the owner lived when the order was placed (null: no country had rules, or it was not known), and by which version of theirs. */
const bounded = { country: maybe, countryVersion: whole };
/** What version 6 of an opening and version 3 of an end say beside that: what was taken of commission, in USD. */
const charged = { commission: text };
/** What version 2 of an instrument's terms says beside version 1: its margin by size, JSON, and from when on its mark-up holds for what is open. */
const wholeTerms = { marginSteps: maybe, applies: text };
const account = { account: text, demo: flag };

export const RECORDS = {
  /** A log's first record; `previous…` names the last checkpoint of the log before it, which went no further. */
  start: { origin: text, key: text, previousOrigin: maybe, previousSize: maybeWhole, previousRoot: maybe, why: text, at: text },
  /** From here on another key signs. Each signed `keyChangeText`. */
  key: { from: text, to: text, signatureFrom: text, signatureTo: text, at: text },
  /** Ticks of at most one second, one after the other. `root`: RFC 6962 over the canonical JSON of each `Tick`, in their order. */
  ticks: { source: text, first: whole, last: whole, count: whole, symbols: text, from: text, to: text, root: text },
  /** The terms of all accounts from here on, by version: JSON by name of account type, symbol and country. */
  terms: { version: whole, accountTypes: text, instruments: text, countries: text, at: text },
  /** A version of a group's terms; `spreads` and `swaps` are JSON. From `effective` on for what opens, from `applies` on for what is open; "": always. */
  group: {
    group: text,
    version: whole,
    spreadPips: text,
    spreads: text,
    commission: text,
    swaps: text,
    swapFreeFee: maybe,
    leverage: whole,
    minimumDeposit: text,
    effective: text,
    applies: text,
    at: text,
  },
  /** A version of an instrument's terms (of version 2 with `wholeTerms`): what it adds to every account's spread, its pip, and what bounds its orders. */
  instrument: {
    symbol: text,
    version: whole,
    markup: text,
    pip: text,
    minimum: maybe,
    step: maybe,
    maximum: maybe,
    marginPercent: maybe,
    effective: text,
    at: text,
  },
  /** A version of the rules of all countries: JSON by country. */
  countries: { version: whole, rules: text, at: text },
  fill: {
    fill: whole,
    position: text,
    ...account,
    symbol: text,
    side: text,
    order: text,
    amount: text,
    leverage: whole,
    margin: text,
    price: text,
    requested: maybe,
    slippage: maybe,
    slippageBound: maybe,
    trigger: maybe,
    limit: maybe,
    ...priced,
    at: text,
  },
  /** A position's end, or that of a part. `profit` is the market's, `booked` what was settled, `covered` what the house bore of a loss. */
  exit: {
    fill: whole,
    position: text,
    /** The position that this was a part of, and the fill that opened it. */
    parent: maybe,
    opening: whole,
    ...account,
    symbol: text,
    side: text,
    amount: text,
    leverage: whole,
    margin: text,
    openPrice: text,
    /** Amount × move of the parts that were closed before. */
    moved: text,
    price: text,
    requested: maybe,
    slippage: maybe,
    profit: text,
    booked: text,
    covered: text,
    reason: text,
    stopLoss: maybe,
    takeProfit: maybe,
    /** Stop and target as they stand count for ticks after this one. */
    watchedFrom: maybeWhole,
    ...priced,
    at: text,
  },
  cancellation: {
    position: text,
    ...account,
    symbol: text,
    side: text,
    order: text,
    amount: text,
    trigger: maybe,
    limit: maybe,
    code: maybe,
    tick: maybeWhole,
    needed: maybe,
    free: maybe,
    at: text,
  },
  /** `event`: margin_call or stop_out, of which `position` was closed. */
  margin: { number: whole, event: text, ...account, position: maybe, equity: text, used: text, at: text },
  /**
   * A night that a position was held over, by New York's date of its 17:00: what was held, in USD, by which version of which group's terms. `unit`:
   * points, percent or fee. `booked` is what the account bore of `due`.
   */
  swap: {
    swap: whole,
    position: text,
    ...account,
    symbol: text,
    side: text,
    night: text,
    nights: whole,
    held: text,
    openPrice: text,
    group: text,
    version: whole,
    unit: text,
    rate: text,
    point: text,
    due: text,
    booked: text,
    at: text,
  },
  /** Settled by an administrator; `request` where a second one agreed. */
  correction: {
    position: text,
    ...account,
    request: maybe,
    administrator: text,
    reason: text,
    marketPrice: text,
    marketProfit: text,
    settledProfit: text,
    at: text,
  },
  /** What the second administrator said of a correction. */
  confirmation: { request: text, position: text, ...account, decision: text, marketProfit: text, settledProfit: text, reason: text, at: text },
  /**
   * A closed day. Its figures are the house's own, so the record, which clients get with their statements, holds their hash: base64 of SHA-256 over
   * the hash of the entry in the staff's book, the figures' JSON, and what floated ("" where that was not known), one after the other.
   */
  day: { day: text, figures: text, audit: whole, at: text },
  /** What was owed to all clients at one moment of a day (UTC), in USD: the root of a Merkle-sum tree of so many leaves (`rules_sums`). */
  liabilities: { day: text, total: text, size: whole, root: text, at: text },
  /** The head of the staff's book, whose hash covers all entries before. */
  audit: { last: whole, hash: text },
} as const satisfies Record<string, v.ObjectEntries>;

export type Kind = keyof typeof RECORDS;
/** A record of a kind as its domain gives it; the log adds `v` and `kind`. */
export type Fields<K extends Kind> = { [F in keyof (typeof RECORDS)[K]]: v.InferOutput<(typeof RECORDS)[K][F] & v.GenericSchema> };
export type LogRecord<K extends Kind = Kind> = {
  [E in K]:
    | ({ v: 1; kind: E } & Fields<E>)
    | (E extends "fill" | "exit" ? { v: 2; kind: E } & Fields<E> & Said<typeof named> : never)
    | (E extends "fill" ? { v: 3; kind: E } & Fields<E> & Said<typeof named> & Said<typeof sized> : never)
    | (E extends "fill" ? { v: 4; kind: E } & Fields<E> & Said<typeof named> & Said<typeof geared> : never)
    | (E extends "fill" ? { v: 5; kind: E } & Fields<E> & Said<typeof named> & Said<typeof geared> & Said<typeof bounded> : never)
    | (E extends "fill" ? { v: 6; kind: E } & Fields<E> & Said<typeof named> & Said<typeof geared> & Said<typeof bounded> & Said<typeof charged> : never)
    | (E extends "exit" ? { v: 3; kind: E } & Fields<E> & Said<typeof named> & Said<typeof charged> : never)
    | (E extends "instrument" ? { v: 2; kind: E } & Fields<E> & Said<typeof wholeTerms> : never);
}[K];
type Said<E extends Record<string, v.GenericSchema>> = { [F in keyof E]: v.InferOutput<E[F]> };

const shapes = new Map<string, v.GenericSchema>(
  Object.entries(RECORDS).map(([kind, fields]) => [`${kind} 1`, v.strictObject({ v: v.literal(1), kind: v.literal(kind), ...fields })]),
);
const shape = (kind: Kind, version: number, more: v.ObjectEntries) =>
  shapes.set(`${kind} ${version}`, v.strictObject({ v: v.literal(version), kind: v.literal(kind), ...RECORDS[kind], ...more }));
for (const kind of ["fill", "exit"] as const) shape(kind, 2, named);
shape("fill", 3, { ...named, ...sized });
shape("fill", 4, { ...named, ...geared });
shape("fill", 5, { ...named, ...geared, ...bounded });
shape("fill", 6, { ...named, ...geared, ...bounded, ...charged });
shape("exit", 3, { ...named, ...charged });
shape("instrument", 2, wholeTerms);

/** Holds what may be a record to the fields of its kind and version. Null where it is none. */
export function parseRecord(input: unknown): LogRecord | null {
  const { kind, v: version } = (input ?? {}) as { kind?: unknown; v?: unknown };
  const parsed = v.safeParse(shapes.get(`${String(kind)} ${String(version)}`) ?? v.never(), input);
  return parsed.success ? (parsed.output as unknown as LogRecord) : null;
}

/** One tick of a batch: a leaf of the batch's own tree, without salt, since prices are no secret. */
export const Tick = v.strictObject({
  v: v.literal(1),
  kind: v.literal("tick"),
  seq: whole,
  symbol: text,
  source: text,
  bid: text,
  ask: text,
  at: text,
  receivedAt: text,
});
export type Tick = v.InferOutput<typeof Tick>;

export const SALT_SIZE = 32;

/** The entry that stands for a record in the log: SHA-256 over the salt and the record's canonical JSON. Throws NotCanonical. */
export const commitmentOf = (salt: Uint8Array, record: LogRecord): Hash => sha256(joinBytes(salt, canonicalBytes(record)));

/** What both keys sign where one follows the other. */
export const keyChangeText = (origin: string, from: string, to: string, at: string): string => `${origin}\nkey change at ${at}\n${from}\n${to}\n`;

const bytesText = (size: number) =>
  v.pipe(
    text,
    v.check((value) => fromBase64(value)?.length === size),
  );
export const hashText = bytesText(HASH_SIZE);
/** Longer than any tree's path. */
const path = v.pipe(v.array(hashText), v.maxLength(64));
const record = v.pipe(
  v.unknown(),
  v.transform(parseRecord),
  v.check((found) => found !== null),
  v.transform((found) => found as LogRecord),
);

/** That a record is in the log. Hashes and salt are base64, the checkpoint is the signed text. */
export const Proof = v.strictObject({ index: whole, salt: bytesText(SALT_SIZE), record, inclusion: path, checkpoint: v.pipe(text, v.maxLength(20_000)) });
export type Proof = v.InferOutput<typeof Proof>;

/** What stands in the place of a proof: until the log has it, some second after the deal, or where it never will. */
export const NO_PROOF = {
  notYet: "not yet in the log",
  before: "dealt before the log began",
  unrecorded: "its price was not recorded",
  lost: "the part of the log that held it is lost",
} as const;

/** That a tick is in the log: its place and path in its batch, and the batch's own proof. */
export const TickProof = v.strictObject({ tick: Tick, place: whole, path, batch: Proof });
export type TickProof = v.InferOutput<typeof TickProof>;
