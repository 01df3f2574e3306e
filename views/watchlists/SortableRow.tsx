import type { KeyboardEvent, PointerEvent } from "react";
import { instrumentOf } from "../../src/market/rules_listed";
import { classes } from "../ui/classes";
import { Icon } from "../ui/Icon";

type Props = {
  symbol: string;
  /** From 1, and of how many. */
  place: number;
  count: number;
  /** It is being dragged. */
  held: boolean;
  onGrab: (event: PointerEvent<HTMLButtonElement>) => void;
  /** Moves it by so many places. */
  onMove: (by: 1 | -1) => void;
  onRemove: () => void;
};

/** The id of a row's handle, which keeps the focus while it moves. */
export const handleOf = (symbol: string): string => `move-${symbol.replace("/", "-")}`;

/** One instrument of a list that is being edited: its handle is dragged, or moved by the arrow keys. */
export function SortableRow({ symbol, place, count, held, onGrab, onMove, onRemove }: Props) {
  const key = (event: KeyboardEvent) => {
    const by = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : null;
    if (by === null) return;
    event.preventDefault();
    onMove(by);
  };
  return (
    <li data-symbol={symbol} className={classes("flex min-h-12 items-center gap-2 border-b border-line bg-surface last:border-b-0", held && "bg-accent-soft")}>
      <button
        type="button"
        id={handleOf(symbol)}
        aria-label={`Move ${symbol}, ${place} of ${count}`}
        aria-describedby="sort-help"
        onPointerDown={onGrab}
        onKeyDown={key}
        className="inline-flex size-11 cursor-grab touch-none items-center justify-center rounded-control text-soft hover:text-ink"
      >
        <Icon name="menu" />
      </button>
      <span className="font-semibold">{symbol}</span>
      <span className="min-w-0 flex-1 truncate text-table text-soft">{instrumentOf(symbol)?.name}</span>
      <button
        type="button"
        aria-label={`Remove ${symbol}`}
        onClick={onRemove}
        className="inline-flex size-11 items-center justify-center rounded-control text-soft hover:text-loss"
      >
        <Icon name="close" />
      </button>
    </li>
  );
}
