import { useRef, useState } from "react";
import type { Outcome } from "../../src/lib/outcome";
import { ApiError } from "../wire/api";
import { refreshLists } from "./live_list";

/** So many are sent in one call: few enough that one sees it go on. */
const AT_ONCE = 5;

/** `stopped`: a call got no answer, or was refused as a whole; what came before it is done. */
export type Job<R, T> = { rows: R[]; outcomes: Outcome<T>[]; state: "asked" | "sending" | "stopped" | "over"; fault: string | null };

export type Together<R, T> = {
  job: Job<R, T> | null;
  /** Whether the dialog of it is open; it goes on without. */
  isOpen: boolean;
  /** Asks about these rows, and about no others whatever comes meanwhile. While one is under way it is shown again. */
  ask: (rows: R[]) => void;
  go: (notes: string) => Promise<void>;
  show: () => void;
  hide: () => void;
};

/**
 * Several requests that are decided together: asked about first, then sent a few at a time by `send`, each call under a key of its own, so that
 * to press again after a lost answer does nothing twice. `onOutcome` hears what came of each.
 */
export function useTogether<R, T>(send: (rows: R[], notes: string) => Promise<Outcome<T>[]>, onOutcome: (outcome: Outcome<T>) => void): Together<R, T> {
  const [job, setJob] = useState<Job<R, T> | null>(null);
  const [isOpen, setOpen] = useState(false);
  const busy = useRef(false);

  const ask = (rows: R[]) => {
    if (!busy.current && rows.length > 0) setJob({ rows, outcomes: [], state: "asked", fault: null });
    setOpen(busy.current || rows.length > 0);
  };
  const go = async (notes: string) => {
    if (busy.current || !job) return;
    busy.current = true;
    let now: Job<R, T> = { ...job, state: "sending", fault: null };
    const note = (change: Partial<Job<R, T>>) => setJob((now = { ...now, ...change }));
    note({});
    try {
      while (now.outcomes.length < now.rows.length) {
        const some = await send(now.rows.slice(now.outcomes.length, now.outcomes.length + AT_ONCE), notes);
        note({ outcomes: [...now.outcomes, ...some] });
        some.forEach(onOutcome);
      }
      note({ state: "over" });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      note({ state: "stopped", fault: error.message });
    } finally {
      busy.current = false;
      await refreshLists();
    }
  };
  return { job, isOpen, ask, go, show: () => setOpen(true), hide: () => setOpen(false) };
}
