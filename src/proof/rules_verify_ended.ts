import { fromBase64, sameBytes, toBase64 } from "../lib/bytes";
import { grouped } from "../lib/money";
import { isConsistent, isIncluded, leafHash } from "./rules_merkle";
import type { Checkpoint } from "./rules_note";
import { type Known, readCheckpoint } from "./rules_verify_log";
import { commitmentOf, type Proof } from "./schema";

/**
 * A kept checkpoint of a log that has ended: that the log only grew from there to its end, and that each log after it begins by naming the end of the one
 * before, up to the one that a file is of. Otherwise whoever runs a log could end it and be rid of what others kept.
 */

/**
 * One of these logs, the one of `kept` first: its newest checkpoint; its first record (null of the first log, which is not asked for it); and, of the first
 * log, that it grew from `kept`, of the last, that it grew from `newest` or to it. Hashes are base64.
 */
export type Link = { checkpoint: string; start: Proof | null; grew: string[] };
/**
 * What has to be asked for: the logs from that of a checkpoint to that of this name, and of the last what lies between it and a checkpoint of it. `kept` is the one
 * that was kept and `newest` the file's, or, of logs before that of the kept one, the other way round.
 */
export type Asked = { kept: Checkpoint; to: string; newest: Checkpoint | null };

const count = (size: number) => grouped(String(size));
const bytesOf = (text: string) => fromBase64(text) ?? new Uint8Array();

/** Why these logs do not follow each other as they should; null where they do. */
export function faultIn({ kept, to, newest }: Asked, links: readonly Link[], known: Known): string | null {
  let before: Checkpoint | null = null;
  for (const { checkpoint, start, grew } of links) {
    const seen = readCheckpoint(checkpoint, known);
    if (!seen) return "no key that was given or is in the file signed what the site shows of it now";
    const fault: string | null = before ? faultOfNext(before, seen, start) : faultOfFirst(kept, seen, grew);
    if (fault !== null) return fault;
    const other = known.ended().find(({ origin }) => origin === seen.origin);
    if (other && !isSame(other, seen)) return `the file and the site show two ends of ${seen.origin}`;
    before = seen;
  }
  if (before?.origin !== to) return `what the site shows does not lead to ${to}`;
  if (newest === null || links.length < 2) return null;
  return grewBetween(newest, before, links.at(-1)?.grew ?? []) ? null : `what you have and what the site shows are two logs of the name ${to}`;
}

function faultOfFirst(kept: Checkpoint, seen: Checkpoint, grew: readonly string[]): string | null {
  if (seen.origin !== kept.origin) return `the site shows ${seen.origin} in its place`;
  if (seen.size < kept.size) return `it has ${count(seen.size)} records now, fewer than were signed then`;
  return grewBetween(kept, seen, grew) ? null : "the log had other records then";
}

/** That the next log's first record names the end of the one before. */
function faultOfNext(before: Checkpoint, seen: Checkpoint, start: Proof | null): string | null {
  const fault = `${seen.origin} does not begin with the end of ${before.origin}, of ${count(before.size)} records`;
  if (start?.record.kind !== "start") return fault;
  const { index, salt, record, inclusion } = start;
  const leaf = leafHash(commitmentOf(bytesOf(salt), record));
  if (index !== 0 || !isIncluded(leaf, 0, seen.size, inclusion.map(bytesOf), seen.root)) return fault;
  const { origin, previousOrigin, previousSize, previousRoot } = start.record;
  const names = origin === seen.origin && previousOrigin === before.origin && previousSize === before.size && previousRoot === toBase64(before.root);
  return names ? null : fault;
}

const isSame = (one: Checkpoint, other: Checkpoint) => one.size === other.size && sameBytes(one.root, other.root);

/** Whichever is the larger. */
function grewBetween(one: Checkpoint, other: Checkpoint, grew: readonly string[]): boolean {
  const [old, now] = one.size <= other.size ? [one, other] : [other, one];
  return isConsistent(old.size, old.root, now.size, now.root, grew.map(bytesOf));
}
