import { fromBase64 } from "../lib/bytes";
import { grouped } from "../lib/money";
import { type Given, NoProof, readGiven } from "./rules_files";
import { numberOf } from "./rules_growth";
import { isConsistent } from "./rules_merkle";
import { checkLiability, checkStatement } from "./rules_verify_accounts";
import { checkPosition } from "./rules_verify_deals";
import { type Asked, faultIn, type Link } from "./rules_verify_ended";
import type { Checkpoint } from "./rules_note";
import { keysOf } from "./rules_verify_keys";
import { checkTick, included, type Known, readCheckpoint, refuseTwice } from "./rules_verify_log";
import { Report, type Step } from "./rules_verify_report";

/**
 * Checks a proof, without a server and without this program's other code: that the log's key signed the checkpoint, that each record is in the
 * log, and that what the records say follows from each other. docs/proof.md tells how, for whoever writes another verifier.
 */

type Options = {
  /** The log's verifier key, from somewhere else than the file, or several parted by spaces; null: the file's own is taken, and said to be. */
  key?: string | null;
  /** A checkpoint that was kept earlier, as the log signed it. */
  old?: string | null;
  /** What the site shows for each of `asks`, in their order; null: it was asked in vain. Without it what they ask about is not compared. */
  links?: readonly (readonly Link[] | null)[];
};

/**
 * `holds`: nothing that was checked failed, and something was. `reason`: the first that failed, in one sentence. `asks`: what has to be asked from the site
 * before a kept checkpoint can be compared, where it or a record of the file is of a log that has ended.
 */
export type Verdict = { holds: boolean; reason: string | null; title: string; steps: Step[]; asks?: Asked[] };

/** What is said of what no proof can be. */
export const refused = (reason: string): Verdict => ({ holds: false, reason, title: "No proof", steps: [{ state: "fails", what: reason }] });

/** Checks a proof's text. Never throws for what the text holds. */
export function verify(text: string, options: Options = {}): Verdict {
  const report = new Report();
  try {
    const given = readGiven(text);
    const known = keysOf(given, options.key?.trim() || null, report);
    const title = check(given, known, report);
    const asks = checkGrowth(given, known, options, report);
    return { ...report.end(), title, ...(asks.length > 0 && { asks }) };
  } catch (error) {
    if (error instanceof NoProof) return refused(error.message);
    // Of what a part of the file says, such as an amount that is none, in the words of whoever reads it.
    if (error instanceof RangeError) return refused(error.message.endsWith(".") ? error.message : `The file holds what can’t be checked: ${error.message}.`);
    throw error;
  }
}

function check(given: Given, known: Known, report: Report): string {
  if ("changes" in given) refuseTwice(given.changes ?? [], report);
  if (given.kind === "position") return checkPosition(given, known, report);
  if (given.kind === "statement") return checkStatement(given, known, report);
  if (given.kind === "liability") return checkLiability(given, known, report);
  if (given.kind === "tick") {
    checkTick(given.quote, known, report, "The tick");
    return `Tick ${given.quote.tick.seq}`;
  }
  included(given.proof, known, report, "The record");
  return `A record of kind ${given.proof.record.kind}`;
}

/** With a kept checkpoint: that the log only grew since. Answers with what has to be asked for that first. */
function checkGrowth(given: Given, known: Known, { old = null, links }: Options, report: Report): Asked[] {
  const newest = known.newest();
  const grew = "grew" in given ? given.grew : null;
  if (grew && !newest) report.say(false, "That the log only grew", "the file has no record of the log that this is of");
  else if (grew && newest) {
    const root = fromBase64(grew.root);
    const proof = grew.proof.map((hash) => fromBase64(hash) ?? new Uint8Array());
    const fits = root !== null && isConsistent(grew.size, root, newest.size, newest.root, proof);
    report.say(fits, `The log of ${newest.size} records holds the earlier one of ${grew.size} unchanged`, "the proof that it only grew does not fit");
  }
  const apart = severalOf(known.opened());
  if (apart?.isFork) report.say(false, "The file’s proofs", `they show two logs of the name ${apart.origin}, each of ${apart.size} records`);
  if (old === null) return [];
  // What is compared with the kept one is one of them: the others could be of a log that nobody else was shown.
  if (apart)
    report.say(false, `The file’s proofs in ${apart.origin}`, "they lead to more than one checkpoint, and one alone can be compared; take the file again");
  const kept = readCheckpoint(old, known);
  if (!kept) {
    report.say(false, "Your kept checkpoint", "this log's key did not sign it, or it was changed");
    return [];
  }
  const { size, origin } = kept;
  const what = `Since your checkpoint of ${size} records the log only grew`;
  const differs = "the log had other records then: its two checkpoints of one size differ";
  // What an ended log's own checkpoint of that size says must be the same.
  const ended = known.ended().find((each) => each.origin === origin && each.size === size);
  const isElsewhere = !ended && origin !== newest?.origin;
  const sameSize = ended ?? (size === newest?.size ? newest : null);
  if (!isElsewhere && sameSize) report.say(same(kept.root, sameSize.root), what, differs);
  else if (!isElsewhere && grew?.size === size) report.say(same(kept.root, fromBase64(grew.root)), what, "the log had other records then");
  else if (!isElsewhere) report.say(false, what, `this file holds no proof from that size; take it again with ?since=${size}`);
  const asks = asksFor(kept, isElsewhere, known);
  for (const [n, { asked, shows }] of asks.entries()) sayAsked(shows, asked, links?.[n], known, report);
  return links ? [] : asks.map(({ asked }) => asked);
}

/**
 * What the site is to be asked for: how the logs before and after the kept checkpoint's lead to it and on from it, where the file has records of those. By itself
 * the kept one says nothing of them: whoever has the key could have signed one of such a name for this file alone.
 */
function asksFor(kept: Checkpoint, isElsewhere: boolean, known: Known): { asked: Asked; shows: string }[] {
  const { size, origin } = kept;
  const [own, to] = [numberOf(origin), known.verifiers[0]?.name ?? ""];
  const others = known.opened().toSorted((one, other) => numberOf(one.origin) - numberOf(other.origin));
  const first = others.find((each) => numberOf(each.origin) < own);
  // A file of before a log ended names no later one: what it has is tied to the kept one from before alone.
  const isFollowed = (isElsewhere && own <= numberOf(to)) || others.some((each) => numberOf(each.origin) > own);
  const each = "names the end of the one before";
  const before = `From what the file has of it ${first?.origin} only grew to its end, and each log after it up to your checkpoint’s, ${origin}, ${each}`;
  const since = `Since your checkpoint of ${size} records ${origin} only grew${origin === to ? "" : `, and each log after it up to ${to} ${each}`}`;
  return [
    ...(first ? [{ asked: { kept: first, to: origin, newest: kept }, shows: before }] : []),
    ...(isFollowed ? [{ asked: { kept, to, newest: known.newest() }, shows: since }] : []),
  ];
}

/** A file brings nothing of how logs follow each other: the site serves it for ever, and where it was not asked nothing is shown. */
function sayAsked(what: string, asked: Asked, links: readonly Link[] | null | undefined, known: Known, report: Report): void {
  const fault = links ? faultIn(asked, links, known) : null;
  const why = links === null ? "the site, which could, was not reached or does not serve it" : "the page /verify of the site asks it for what does";
  report.say(Boolean(links) && fault === null, what, fault ?? `nothing in this file shows that; ${why}`);
}

/** The first log of which there are two trees among these, or, where they are of one size, two logs of its name. */
function severalOf(checkpoints: readonly Checkpoint[]): { origin: string; size: string; isFork: boolean } | null {
  const first = new Map<string, Checkpoint>();
  let found: ReturnType<typeof severalOf> = null;
  const bySize = checkpoints.toSorted((one, other) => one.size - other.size);
  for (const checkpoint of bySize) {
    const before = first.get(checkpoint.origin);
    first.set(checkpoint.origin, checkpoint);
    if (!before || (before.size === checkpoint.size && same(before.root, checkpoint.root))) continue;
    const isFork = before.size === checkpoint.size;
    if (!found || isFork) found = { origin: checkpoint.origin, size: grouped(String(checkpoint.size)), isFork };
  }
  return found;
}

const same = (one: Uint8Array, other: Uint8Array | null) => other !== null && one.length === other.length && one.every((byte, n) => byte === other[n]);
