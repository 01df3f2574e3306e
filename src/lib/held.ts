/**
 * What of before still holds for something that was opened on the version `opened` (null: not known, or before there were any), of `held` by version,
 * whose first holds for whatever is older; else `now`.
 */
export function heldFor<T>(held: Readonly<Record<string, T>> | null | undefined, opened: number | null, now: T): T {
  if (!held) return now;
  const [first] = Object.keys(held);
  if (first === undefined) return now;
  return held[opened ?? first] ?? ((opened ?? 0) > Number(first) ? now : (held[first] ?? now));
}
