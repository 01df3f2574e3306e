import { DAY } from "../../lib/time";
import { baseOf, isManifest, positionOf, segmentOf } from "./archive_layout";
import { readManifest, segmentsOf } from "./archive_reading";
import type { ArchiveStore } from "./archive_store";

/** Removes all but the newest `keep` copies of the files, then the log before the oldest that is left; a copy that was never finished after a day. */
export async function pruneArchive(store: ArchiveStore, key: string | null, keep: number, now: number): Promise<void> {
  const names = await store.list("base");
  const whole = names.filter(isManifest).sort();
  const kept = whole.slice(-keep);
  // Its manifest goes first: a copy without one is none.
  for (const manifest of whole.slice(0, -keep)) await store.remove(manifest);
  const bases = new Set(kept.map(baseOf));
  const isOld = (name: string) => now - beganAt(name) > DAY || whole.some((manifest) => baseOf(manifest) === baseOf(name));
  for (const name of names) if (!isManifest(name) && !bases.has(baseOf(name)) && isOld(name)) await store.remove(name);

  const [oldest] = kept;
  if (!oldest) return;
  const { start, timeline, segmentBytes } = await readManifest(store, key, oldest);
  const first = segmentOf(positionOf(start), segmentBytes);
  for (const { name, timeline: of, segment } of await segmentsOf(store, segmentBytes))
    if (of < timeline || (of === timeline && segment < first)) await store.remove(name);
}

/** `base/2026-11-24T191000Z-…` → when it was begun. */
function beganAt(name: string): number {
  const [, day, hour, minute, second] = /^base\/(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d)Z-/.exec(name) ?? [];
  return day ? Date.parse(`${day}T${hour}:${minute}:${second}Z`) : Number.NaN;
}
