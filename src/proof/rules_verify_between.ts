import { fromBase64, sameBytes } from "../lib/bytes";
import { canonicalBytes } from "./rules_canonical";
import { decimal } from "./rules_decimals";
import { NoProof, readGiven } from "./rules_files";
import { leafHash, rootOfLeaves } from "./rules_merkle";
import { type Checkpoint, namedAnew, parseCheckpoint, parseVerifier, type Verifier } from "./rules_note";
import { accountPrices } from "./rules_verify_deals";
import { includedAs, type Known, knownBy } from "./rules_verify_log";
import { Report } from "./rules_verify_report";
import type { LogRecord, Proof, Tick } from "./schema";

/** That a stop or a target was reached by no tick before the one it was closed on: all ticks between are asked from the server, and held to the log. */

/** A batch of the log with all of its ticks. */
export type Batch = { proof: Proof; ticks: Tick[] };
/**
 * What is to be shown: the bound, and the ticks between which it must not have been reached. `keys`: those of the file, and those that were given beside it.
 * `trees`: the checkpoints that the file's proofs lead to.
 */
export type Question = { exit: LogRecord<"exit">; bound: string; after: number; before: number; symbol: string; keys: Verifier[]; trees: Checkpoint[] };
/**
 * `last`: the number of the last tick that was seen. `gaps`: places at which numbers of ticks were left out. `reached`: the first that had reached the bound.
 * `trees`: the checkpoints that the batches' proofs lead to, each once; that they are of the log which the file is of, `treesAmiss` asks. `stranger`: the name of
 * a log that holds the next ticks, of which the file holds no record, and that no key signed that is known here; what follows was not looked at.
 */
export type Progress = { last: number; ticks: number; batches: number; gaps: number; reached: Tick | null; fault: string | null } & {
  trees: Checkpoint[];
  stranger: string | null;
};

/** What a proof leaves open about its stop or target; null where there is none. `givenKeys`: those from elsewhere than the file, parted by spaces. */
export function questionOf(text: string, givenKeys: string | null = null): Question | null {
  const given = readGiven(text);
  if (given.kind !== "position" || !given.closing) return null;
  const { record } = given.closing.proof;
  if (record.kind !== "exit") return null;
  const bound = record.reason === "stop_loss" ? record.stopLoss : record.reason === "take_profit" ? record.takeProfit : null;
  const opened = given.opening?.proof.record;
  const from = record.watchedFrom ?? (opened?.kind === "fill" ? opened.tick : null);
  if (bound === null || from === null || from >= record.tick) return null;
  const proofs = [given.opening, given.closing].flatMap((dealt) => (dealt ? [dealt.proof, dealt.quote.batch] : []));
  const trees = proofs.flatMap(({ checkpoint }) => parseCheckpoint(checkpoint.slice(0, checkpoint.indexOf("\n\n") + 1)) ?? []);
  const keys = [...given.keys, ...(givenKeys?.split(/\s+/) ?? [])].flatMap((key) => parseVerifier(key) ?? []);
  return { exit: record, bound, after: from, before: record.tick, symbol: record.symbol, keys, trees: addedTo([], trees) };
}

export const begun = ({ after }: Question): Progress => ({ last: after, ticks: 0, batches: 0, gaps: 0, reached: null, fault: null, trees: [], stranger: null });

const isSame = (one: Checkpoint, other: Checkpoint) => one.origin === other.origin && one.size === other.size && sameBytes(one.root, other.root);
const addedTo = (trees: readonly Checkpoint[], more: readonly Checkpoint[]): Checkpoint[] =>
  more.reduce<Checkpoint[]>((all, tree) => (all.some((each) => isSame(each, tree)) ? all : [...all, tree]), [...trees]);

/** With a log's own name: a file names the keys of logs that hold its records, and a log between those goes on by the same key, as others do. */
export const keysFor = (keys: readonly Verifier[], origins: readonly string[]): Verifier[] => [
  ...keys,
  ...origins.filter((origin) => !keys.some(({ name }) => name === origin)).flatMap((origin) => keys.map((key) => namedAnew(key, origin))),
];

/** The name of the log that a batch says it is in; empty where the answer has another shape. */
const originOf = (batch: Partial<Batch>): string => String(batch.proof?.checkpoint ?? "").split("\n", 1)[0] ?? "";

/** Goes through the next batches. Never throws for what they hold. */
export function goOn(question: Question, before: Progress, batches: readonly Batch[]): Progress {
  const known = knownBy(keysFor(question.keys, [...new Set(batches.map(originOf))].filter(Boolean)));
  const now = { ...before };
  for (const batch of batches) {
    const origin = originOf(batch);
    // Of a log that the file says nothing of an unknown key is no fault.
    if (origin && !question.keys.some(({ name }) => name === origin) && !known.open(batch.proof.checkpoint)) return { ...now, stranger: origin };
    now.fault = faultOf(batch, known, now.last);
    now.trees = addedTo(now.trees, known.opened());
    if (now.fault !== null) return now;
    const { first, last } = (batch.proof.record as LogRecord<"ticks">) ?? {};
    // The first batch may begin before what is asked for, and no later: a server could leave out the one that tells.
    if (now.batches > 0 ? first !== now.last + 1 : first > now.last + 1) now.gaps++;
    now.batches++;
    now.last = Math.max(now.last, last);
    for (const tick of batch.ticks) {
      if (tick.symbol !== question.symbol || tick.seq <= question.after || tick.seq >= question.before) continue;
      now.ticks++;
      if (!hasReached(question, tick)) continue;
      now.reached = tick;
      return now;
    }
  }
  return now;
}

/** At how many places numbers of ticks were left out, the end counted with the others: the last batch must reach up to the tick that the deal was closed on. */
export const gapsIn = ({ before }: Question, { last, gaps }: Progress): number => gaps + (last + 1 < before ? 1 : 0);

function faultOf({ proof, ticks }: Batch, known: Known, last: number): string | null {
  const report = new Report();
  try {
    const record = includedAs("ticks", proof, known, report, "A batch between");
    const { reason } = report.end();
    if (!record) return reason;
    const root = rootOfLeaves(ticks.map((tick) => leafHash(canonicalBytes(tick))));
    if (record.count !== ticks.length || !sameBytes(root, fromBase64(record.root) ?? new Uint8Array()))
      return "The server’s ticks of a batch are not those that the log holds.";
    if (record.last < last) return "The server’s batches are not in their order.";
    return null;
  } catch (error) {
    if (error instanceof NoProof || error instanceof RangeError || error instanceof TypeError) return "The server’s answer can’t be read.";
    throw error;
  }
}

function hasReached({ exit, bound }: Question, tick: Tick): boolean {
  const prices = accountPrices(tick, exit);
  const closing = exit.side === "buy" ? prices.bid : prices.ask;
  const isBelow = (exit.reason === "stop_loss") === (exit.side === "buy");
  const at = decimal(bound, 8);
  return isBelow ? closing <= at : closing >= at;
}
