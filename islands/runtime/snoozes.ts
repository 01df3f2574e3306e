import { useEffect, useMemo } from "react";
import { listSnoozes, type Snooze, type QueueKind } from "../../src/admin/schema_queues";
import { call } from "../wire/api";
import { useLive } from "./live_list";

/** Looks no more often than this, in ms, whether one came back: the two clocks may differ. */
const LEAST_MS = 1000;
/** The longest wait that a browser's timer can be given. */
const MOST_MS = 2_000_000_000;

export type Snoozes = {
  /** Until when the caller put each away, by its id. */
  mine: ReadonlyMap<string, string>;
  /** Who else put it away, and until when, in words: "Grace Hopper put this away until 14:00 UTC". */
  others: ReadonlyMap<string, string>;
};

/** What of one kind is put away. It comes back at its moment by itself: the database says so, asked when the moment has come. */
export function useSnoozes(kind: QueueKind, me: string, first: Snooze[]): Snoozes {
  const { value, again } = useLive<Snooze[]>(first, () => call(listSnoozes), ["snooze"]);
  useEffect(() => {
    const next = Math.min(...value.map(({ until }) => Date.parse(until)));
    if (!Number.isFinite(next)) return;
    const timer = setTimeout(() => void again(), Math.min(MOST_MS, Math.max(LEAST_MS, next - Date.now())));
    return () => clearTimeout(timer);
  }, [value, again]);
  const ours = value.filter((each) => each.kind === kind);
  const others = Map.groupBy(
    ours.filter(({ adminId }) => adminId !== me),
    ({ objectId }) => objectId,
  );
  return {
    mine: new Map(ours.filter(({ adminId }) => adminId === me).map(({ objectId, until }) => [objectId, until])),
    others: new Map([...others].map(([id, all]) => [id, all.map(({ name, until }) => `${name} put this away until ${untilText(until)}`).join("; ")])),
  };
}

/** "Nov 21, 14:00 UTC". */
export const untilText = (iso: string): string =>
  `${new Date(iso).toLocaleDateString("en-US", { timeZone: "UTC", month: "short", day: "numeric" })}, ${iso.slice(11, 16)} UTC`;

/** The rows that its reader did not put away, and those that are. Each stays the same list while nothing changes. */
export function useParted<R extends { id: string }>(rows: R[], mine: ReadonlyMap<string, string>): [here: R[], away: R[]] {
  const ids = [...mine.keys()].join();
  return useMemo(() => {
    const set = new Set(ids.split(","));
    return [rows.filter(({ id }) => !set.has(id)), rows.filter(({ id }) => set.has(id))];
  }, [rows, ids]);
}
