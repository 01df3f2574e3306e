import { useEffect, useLayoutEffect, useRef, useState } from "react";

export type Selection<R> = {
  /** Those that are selected and may still be decided about, in the order in which they stand. */
  rows: R[];
  has: (id: string) => boolean;
  /** Selects a row or lets go of it; with `range` all from the last one that was pressed to this one alike. */
  toggle: (id: string, range: boolean) => void;
  /** All that are shown, or none where all are selected already. Who comes later is not among them. */
  toggleAll: () => void;
  isAll: boolean;
  clear: () => void;
};

/** Which of the `able` rows are selected. A row that was decided meanwhile, by whomever, is none of them any more. */
export function useSelection<R extends { id: string }>(able: R[]): Selection<R> {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const last = useRef<string | null>(null);
  const rows = able.filter(({ id }) => ids.has(id));
  const isAll = able.length > 0 && rows.length === able.length;

  const toggle = (id: string, range: boolean) => {
    const [from, to] = [able.findIndex((row) => row.id === last.current), able.findIndex((row) => row.id === id)];
    last.current = id;
    const some = range && from >= 0 ? able.slice(Math.min(from, to), Math.max(from, to) + 1).map((row) => row.id) : [id];
    const isOn = !ids.has(id);
    setIds((before) => new Set(isOn ? [...before, ...some] : [...before].filter((each) => !some.includes(each))));
  };
  const clear = () => setIds(new Set());
  return { rows, has: (id) => ids.has(id), toggle, toggleAll: () => (isAll ? clear() : setIds(new Set(able.map(({ id }) => id)))), isAll, clear };
}

const isWriting = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest("input:not([type=checkbox]), textarea, select, dialog, [contenteditable]") !== null;

/**
 * The keys of a selection: X selects all that are shown, or none; while something is selected, `a` is asked of the whole selection and not
 * of the current row, and Escape lets go of it; z puts the current row away. They are heard before the list's own keys.
 */
export function useSelectionKeys<R>(
  { rows, toggleAll, clear }: Pick<Selection<R>, "rows" | "toggleAll" | "clear">,
  onApprove: () => void,
  onSnooze: () => void,
) {
  const latest = useRef<Record<string, () => void>>({});
  useLayoutEffect(() => {
    latest.current = { X: toggleAll, z: onSnooze, ...(rows.length > 0 ? { a: onApprove, Escape: clear } : {}) };
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const act = latest.current[event.key];
      if (!act || event.repeat || event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target) || document.querySelector("dialog[open]")) return;
      event.preventDefault();
      event.stopPropagation();
      act();
    };
    document.addEventListener("keydown", press, true);
    return () => document.removeEventListener("keydown", press, true);
  }, []);
}
