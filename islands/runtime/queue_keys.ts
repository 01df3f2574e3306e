import { useEffect, useLayoutEffect, useRef, useState } from "react";
import type { Permission } from "../../src/lib/permissions";
import { may } from "../../src/lib/may";
import { isCommand } from "./staff_keys";
import { usePress } from "./steady";

type QueueAction = "approve" | "reject";

type Row = { id: string; userId: string | null };
type Given<R extends Row> = {
  /** Those that may be decided about, in the order in which they stand. */
  rows: R[];
  me: string;
  /** What one must be allowed to decide here; unsaid where the rows' own buttons tell. */
  needs?: Permission;
  /** Decides at once, without a dialog. */
  onAsk?: (action: QueueAction, row: R) => void;
};

const rowOf = (id: string) => [...document.querySelectorAll<HTMLElement>("[data-row]")].find(({ dataset }) => dataset.row === id);

/**
 * The keys of a queue: j and k walk its rows, a and r ask for the decision on the current one. The other keys are every list's (`staff_keys`).
 * When the current row leaves, the one that takes its place becomes current, and keeps the focus if the row had it.
 */
export function useQueue<R extends Row>({ rows, me, needs, onAsk }: Given<R>) {
  const mayPress = usePress();
  const [current, setCurrent] = useState<string | null>(null);
  const [asked, setAsked] = useState<{ action: QueueAction; row: R } | null>(null);
  const at = useRef(0);
  const index = rows.findIndex(({ id }) => id === current);

  useEffect(() => {
    if (index >= 0) at.current = index;
    else if (current !== null) {
      const next = rows[Math.min(at.current, rows.length - 1)]?.id ?? null;
      setCurrent(next);
      const { activeElement } = document;
      if (next && (activeElement === document.body || rowOf(current)?.contains(activeElement))) rowOf(next)?.focus();
    }
  }, [rows, index, current]);

  const ask = (action: QueueAction, id: string) => {
    const row = rows.find((each) => each.id === id);
    if (!row || row.userId === me || (needs && !may(needs)) || (onAsk && !mayPress())) return;
    setCurrent(id);
    if (onAsk) onAsk(action, row);
    else setAsked({ action, row });
  };
  const walk = (by: number) => {
    const next = rows[index < 0 ? 0 : Math.min(Math.max(index + by, 0), rows.length - 1)];
    if (!next) return;
    setCurrent(next.id);
    rowOf(next.id)?.focus();
  };
  const decide = (action: QueueAction) => {
    const id = current ?? rows[0]?.id;
    if (id) ask(action, id);
  };
  const keys: Record<string, () => void> = {
    j: () => walk(1),
    k: () => walk(-1),
    a: () => decide("approve"),
    r: () => decide("reject"),
  };
  const latest = useRef(keys);
  // With the picture, not after it: a key that comes at once is meant for what is seen.
  useLayoutEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const act = latest.current[event.key];
      if (!act || !isCommand(event)) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
  return { current, setCurrent, asked, ask, close: () => setAsked(null) };
}
