import * as v from "valibot";
import { numberOf, readGrowth, type ReadPath } from "./rules_growth";
import { parseCheckpoint } from "./rules_note";
import type { Asked, Link } from "./rules_verify_ended";
import { Proof } from "./schema";

/** What the site serves of logs that have ended, gathered for a check: checkpoints, first records, and how they grew. */

/** So many logs are followed at most. */
const MOST_LOGS = 64;

/** Null where the site does not serve what is needed. Rejects as `read` does. */
export async function gatherLinks({ kept, to, newest }: Asked, read: ReadPath): Promise<Link[] | null> {
  const [first, last] = [numberOf(kept.origin), numberOf(to)];
  if (first > last || last - first >= MOST_LOGS) return null;
  const links: Link[] = [];
  for (let number = first; number <= last; number++) {
    const start = number > first ? await readStart(number, read) : null;
    const checkpoint = number > first ? start?.checkpoint : textOf(await read(`/log/${number}/checkpoint`));
    const size = checkpoint ? parseCheckpoint(checkpoint.slice(0, checkpoint.indexOf("\n\n") + 1))?.size : undefined;
    if (!checkpoint || size === undefined) return null;
    const from = number === first ? kept : number === last ? newest : null;
    // Of one that has fewer records than it had then there is no such proof, which the check says.
    const shrank = number === first && kept.size > size;
    const grew = from && !shrank ? await readGrowth(number, Math.min(from.size, size), Math.max(from.size, size), read) : [];
    if (grew === null) return null;
    links.push({ checkpoint, start, grew });
  }
  return links;
}

const textOf = (bytes: Uint8Array | null) => bytes && new TextDecoder().decode(bytes);

/** A log's first record, which is everybody's, with the newest checkpoint. */
async function readStart(number: number, read: ReadPath): Promise<Proof | null> {
  try {
    const result = v.safeParse(Proof, JSON.parse(textOf(await read(`/log/${number}/start`)) ?? "null"));
    return result.success ? result.output : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
