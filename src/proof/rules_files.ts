import * as v from "valibot";
import { fromBase64 } from "../lib/bytes";
import { hashText, Proof, SALT_SIZE, TickProof } from "./schema";

/**
 * The files that a person takes away. Every field is either part of what the log committed to, or compared with it: there is nothing in such a
 * file that could be changed without being found. They are canonical JSON; spaces between its parts do not count.
 */

export const FORMAT = "halyard-proof-1";
/** A file longer than this many characters is nobody's: a month of ten thousand lines has fewer. */
export const LONGEST_FILE = 48_000_000;

const whole = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
/** The logs' verifier keys, `name+id+base64`: the one that is appended to, and those before it that hold one of the records. */
const keys = v.pipe(v.array(v.pipe(v.string(), v.maxLength(400))), v.minLength(1), v.maxLength(8));
/** That the checkpoint of the file's proofs only added to an earlier tree of `size` records. */
const grew = v.nullable(v.strictObject({ size: whole, root: hashText, proof: v.pipe(v.array(hashText), v.maxLength(64)) }));
/** That another key followed the log's, oldest first; left out where none did. */
const changes = v.optional(v.pipe(v.array(Proof), v.minLength(1), v.maxLength(8)));
const head = { format: v.literal(FORMAT), keys, changes, grew };

/** A fill or an exit, and the tick that it was dealt on. */
const dealt = v.strictObject({ proof: Proof, quote: TickProof });
export type Dealt = v.InferOutput<typeof dealt>;

/** What can't be proven any more, since a log that has ended lost a tile; left out where nothing was. */
const lostOf = <const Parts extends [string, ...string[]]>(parts: Parts) =>
  v.optional(
    v.pipe(
      v.array(v.picklist(parts)),
      v.minLength(1),
      v.check((all) => new Set(all).size === all.length),
    ),
  );

/** `others`: the terms that it was dealt on, corrections, margin events, a cancellation, its nights. */
export const PositionFile = v.strictObject({
  ...head,
  kind: v.literal("position"),
  opening: v.nullable(dealt),
  closing: v.nullable(dealt),
  others: v.pipe(v.array(Proof), v.maxLength(4_064)),
  lost: lostOf(["opening", "closing", "others"]),
});
export type PositionFile = v.InferOutput<typeof PositionFile>;

/** A month of one account: each line that a closing or a night brought, with what it moved the balance by, and the closings of the month's days. */
export const StatementFile = v.strictObject({
  ...head,
  kind: v.literal("statement"),
  account: v.string(),
  month: v.pipe(v.string(), v.regex(/^\d{4}-\d{2}$/)),
  lines: v.pipe(v.array(v.strictObject({ amount: v.string(), proof: Proof })), v.maxLength(10_000)),
  days: v.pipe(v.array(Proof), v.maxLength(31)),
  lost: lostOf(["lines", "days"]),
});
export type StatementFile = v.InferOutput<typeof StatementFile>;

const salt = v.pipe(
  v.string(),
  v.check((text) => fromBase64(text)?.length === SALT_SIZE),
);
/** That one client is in a day's tree of what is owed, and the proof of the tree's root. Sums are whole cents. */
export const LiabilityFile = v.strictObject({
  ...head,
  kind: v.literal("liability"),
  owed: v.strictObject({ v: v.literal(1), kind: v.literal("owed"), day: v.string(), client: v.string(), owed: v.string() }),
  salt,
  place: whole,
  path: v.pipe(v.array(v.strictObject({ hash: hashText, sum: whole })), v.maxLength(40)),
  root: Proof,
});
export type LiabilityFile = v.InferOutput<typeof LiabilityFile>;

export type ProofFile = PositionFile | StatementFile | LiabilityFile;
/** A file, or a single proof as the receipt's JSON has them. */
export type Given = ProofFile | { kind: "proof"; proof: Proof } | { kind: "tick"; quote: TickProof };

/** Why a text is no proof, in one sentence for the person who brought it. */
export class NoProof extends Error {}

const KINDS = { position: PositionFile, statement: StatementFile, liability: LiabilityFile };

/** What a text proves, or claims to. Throws NoProof. */
export function readGiven(text: string): Given {
  if (text.length > LONGEST_FILE) throw new NoProof("This file is longer than any proof is.");
  if (text.trim() === "") throw new NoProof("This file is empty.");
  const given = parsed(text);
  if (!isObject(given)) throw new NoProof("This is no proof of this program's: it holds no object.");
  const read = shaped(given);
  // A field said twice, written in two ways or in another order would be read in one way here and in another elsewhere.
  if (compact(text) !== written(given))
    throw new NoProof("The file is not written as the program writes it: a field stands twice, in another place, or is spelt in another way.");
  return read;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new NoProof("The file can't be read: it is cut off, or was never a proof (no valid JSON).");
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);

function shaped(given: Record<string, unknown>): Given {
  if (given.format === undefined && "inclusion" in given) return { kind: "proof", proof: held(Proof, given) };
  if (given.format === undefined && "batch" in given) return { kind: "tick", quote: held(TickProof, given) };
  if (given.format !== FORMAT) throw new NoProof(`This is no proof of this program's: its format is not ${FORMAT}.`);
  const shape = KINDS[given.kind as keyof typeof KINDS];
  if (!shape || !Object.hasOwn(KINDS, String(given.kind))) throw new NoProof("The file does not say what it proves: its kind is none that is known.");
  return held(shape as v.GenericSchema<unknown, ProofFile>, given);
}

function held<T>(shape: v.GenericSchema<unknown, T>, given: unknown): T {
  const result = v.safeParse(shape, given, { abortEarly: true });
  if (result.success) return result.output;
  const at = v.getDotPath(result.issues[0]);
  throw new NoProof(at ? `The file is not what it should be at ${at.slice(0, 80)}.` : "The file is not what it should be.");
}

/** JSON without the spaces between its parts. One pattern for all of a string would need more of a browser's stack than it has where a string is huge. */
function compact(text: string): string {
  const parts: string[] = [];
  for (let at = 0; at < text.length;) {
    const begin = endOf(text, text.indexOf('"', at));
    parts.push(text.slice(at, begin).replace(/[ \t\r\n]+/g, ""));
    let quote = text.indexOf('"', begin);
    while (quote >= 0 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
    at = endOf(text, quote);
    parts.push(text.slice(begin, at));
  }
  return parts.join("");
}
/** Behind a sign that was found, or the text's end. */
const endOf = (text: string, found: number) => (found < 0 ? text.length : found + 1);
function isEscaped(text: string, at: number): boolean {
  let before = at;
  while (text[before - 1] === "\\") before--;
  return (at - before) % 2 === 1;
}

/** The one way to write what a file holds (RFC 8785, for what such files hold). */
export function written(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(written).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? "null";
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${written(value[name])}`).join(",")}}`;
}
