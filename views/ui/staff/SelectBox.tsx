import { useRef } from "react";

/** What a list's rows need to be selected. */
export type Selecting = { has: (id: string) => boolean; toggle: (id: string, range: boolean) => void };

const BOX = "size-4 cursor-pointer accent-[var(--c-accent)]";

/** Selects a row; with Shift all from the last one to this. The label makes a target of a thumb's size. */
export function SelectBox({ id, name, selecting }: { id: string; name: string; selecting: Selecting }) {
  // The click comes before the change, which knows no keys.
  const range = useRef(false);
  return (
    <label className="js-only -m-2 inline-flex lg:m-0 min-h-11 min-w-11 cursor-pointer items-center justify-center lg:min-h-8 lg:min-w-8">
      <input
        type="checkbox"
        data-select=""
        aria-label={`Select ${name}`}
        checked={selecting.has(id)}
        onClick={({ shiftKey }) => (range.current = shiftKey)}
        onChange={() => selecting.toggle(id, range.current)}
        className={BOX}
      />
    </label>
  );
}

/** Selects all rows that are shown, or none. */
export const SelectAll = ({ checked, some, onToggle }: { checked: boolean; some: boolean; onToggle: () => void }) => (
  <label className="js-only inline-flex min-h-11 cursor-pointer items-center gap-2 text-table text-soft hover:text-ink md:min-h-9">
    <input
      type="checkbox"
      data-select-all=""
      checked={checked}
      ref={(box) => void (box && (box.indeterminate = some && !checked))}
      onChange={onToggle}
      className={BOX}
    />
    Select all shown
  </label>
);
