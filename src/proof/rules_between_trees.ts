import { grouped } from "../lib/money";
import { fromBase64 } from "../lib/bytes";
import { gatherLinks } from "./rules_ended_links";
import { numberOf, readGrowth, type ReadPath } from "./rules_growth";
import { isConsistent } from "./rules_merkle";
import type { Checkpoint } from "./rules_note";
import { keysFor, type Progress, type Question } from "./rules_verify_between";
import { faultIn } from "./rules_verify_ended";
import { knownBy, readCheckpoint } from "./rules_verify_log";

/** `isForked`: what was answered is of another log than the file is; else why that can't be shown. In a sentence. */
export type Amiss = { isForked: boolean; why: string };

/**
 * That the ticks between are of the log that the file is of: of each checkpoint which they lead to, that one of the file's only grew to it, or it to that one,
 * by proofs that the site's tiles give; and of one of a log that the file holds no record of, that it is the end of that log, which those after it lead from to
 * the file's. Otherwise whoever runs the log could sign a second one that lacks a tick, and show it here. Null where they are. Rejects as `read` does.
 */
export async function treesAmiss(question: Question, { trees }: Progress, read: ReadPath): Promise<Amiss | null> {
  const { trees: own } = question;
  for (const tree of trees) {
    const from = own.filter(({ origin }) => origin === tree.origin).toSorted((one, other) => other.size - one.size)[0];
    if (!from) {
      const amiss = await endedAmiss(tree, question, read);
      if (amiss) return amiss;
      continue;
    }
    const [old, now] = from.size <= tree.size ? [from, tree] : [tree, from];
    const grew = await growthOf(old, now, read);
    if (grew === null) return { isForked: false, why: "The site does not show that these ticks are of the log that the file is of." };
    if (!isConsistent(old.size, old.root, now.size, now.root, grew))
      return {
        isForked: true,
        why: `The ticks of the server’s answer are of another log of the name ${tree.origin} than the file, of ${grouped(String(tree.size))} records.`,
      };
  }
  return null;
}

/** Of a log that ended before the file's next one began: each log's first record names the end of the one before, and the last of them is held to the file's. */
async function endedAmiss(tree: Checkpoint, { trees, keys }: Question, read: ReadPath): Promise<Amiss | null> {
  const numbered = (each: Checkpoint) => numberOf(each.origin);
  const next = trees.filter((each) => numbered(each) > numbered(tree)).toSorted((one, other) => numbered(one) - numbered(other))[0];
  if (!next) return { isForked: false, why: `${tree.origin}, which holds some of these ticks, is followed by no log that the file holds a record of.` };
  const asked = { kept: tree, to: next.origin, newest: next };
  const links = await gatherLinks(asked, read);
  if (!links)
    return {
      isForked: false,
      why: `The site does not show how ${next.origin}, which the file is of, follows ${tree.origin}, which holds some of these ticks.`,
    };
  const originOf = ({ checkpoint }: { checkpoint: string }) => checkpoint.split("\n", 1)[0] ?? "";
  const known = knownBy(keysFor(keys, links.map(originOf)));
  const stranger = links.find(({ checkpoint }) => !readCheckpoint(checkpoint, known));
  if (stranger) return { isForked: false, why: strangerWords(originOf(stranger)) };
  const fault = faultIn(asked, links, known);
  return fault === null
    ? null
    : { isForked: true, why: `The ticks of the server’s answer in ${tree.origin} are not of the log that the file’s follows: ${fault}.` };
}

/** Why a log's ticks were not looked at. */
export const strangerWords = (origin: string) =>
  `No key that was given or is in the file signed ${origin}, which lies between the file’s logs: put that log’s key beside the others.`;

/** Nothing is to be asked of two of one size. */
async function growthOf(old: Checkpoint, now: Checkpoint, read: ReadPath): Promise<Uint8Array[] | null> {
  if (old.size === now.size) return [];
  const grew = await readGrowth(numberOf(now.origin), old.size, now.size, read);
  return grew && grew.map((hash) => fromBase64(hash) ?? new Uint8Array());
}
