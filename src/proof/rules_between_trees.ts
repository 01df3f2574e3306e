import { grouped } from "../lib/money";
import { fromBase64 } from "../lib/bytes";
import { numberOf, readGrowth, type ReadPath } from "./rules_growth";
import { isConsistent } from "./rules_merkle";
import type { Checkpoint } from "./rules_note";
import type { Progress, Question } from "./rules_verify_between";

/** `isForked`: what was answered is of another log than the file is; else why that can't be shown. In a sentence. */
export type Amiss = { isForked: boolean; why: string };

/**
 * That the ticks between are of the log that the file is of: of each checkpoint which they lead to, that one of the file's only grew to it, or it to that one,
 * by proofs that the site's tiles give. Otherwise whoever runs the log could sign a second one that lacks a tick, and show it here. Null where they are. Rejects as
 * `read` does.
 */
export async function treesAmiss({ trees: own }: Question, { trees }: Progress, read: ReadPath): Promise<Amiss | null> {
  for (const tree of trees) {
    const from = own.filter(({ origin }) => origin === tree.origin).toSorted((one, other) => other.size - one.size)[0];
    if (!from) return { isForked: false, why: `The file leads nowhere in ${tree.origin}, which holds some of these ticks.` };
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

/** Nothing is to be asked of two of one size. */
async function growthOf(old: Checkpoint, now: Checkpoint, read: ReadPath): Promise<Uint8Array[] | null> {
  if (old.size === now.size) return [];
  const grew = await readGrowth(numberOf(now.origin), old.size, now.size, read);
  return grew && grew.map((hash) => fromBase64(hash) ?? new Uint8Array());
}
