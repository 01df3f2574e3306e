import { type PointerEvent, useEffect, useRef, useState } from "react";
import { handleOf, SortableRow } from "../../views/watchlists/SortableRow";

type Props = { label: string; symbols: string[]; onChange: (symbols: string[]) => void };

/** The instruments of a list in an order that is changed by dragging a handle, or by the arrow keys on it. */
export function Sortable({ label, symbols, onChange }: Props) {
  const place = useRef<HTMLUListElement>(null);
  const [drag, setDrag] = useState<{ symbol: string; order: string[] } | null>(null);
  const [said, say] = useState("");
  const moved = useRef<string | null>(null);
  // A row that changes its place in the document loses the focus.
  useEffect(() => {
    if (moved.current) document.getElementById(handleOf(moved.current))?.focus();
    moved.current = null;
  });
  const order = drag?.order ?? symbols;

  const grab = (symbol: string) => (event: PointerEvent<HTMLButtonElement>) => {
    if (event.button !== 0) return;
    const handle = event.currentTarget;
    // A row that moves in the document would lose the pointer: the list holds it.
    handle.focus();
    place.current?.setPointerCapture(event.pointerId);
    setDrag({ symbol, order: symbols });
  };
  const follow = (event: PointerEvent<HTMLUListElement>) => {
    if (!drag || !place.current) return;
    const rows = [...place.current.children];
    const over = rows.findIndex((row) => {
      const { top, bottom } = row.getBoundingClientRect();
      return event.clientY >= top && event.clientY < bottom;
    });
    const from = drag.order.indexOf(drag.symbol);
    if (over < 0 || over === from) return;
    setDrag({ ...drag, order: reordered(drag.order, from, over) });
  };
  const drop = () => {
    if (!drag) return;
    moved.current = drag.symbol;
    setDrag(null);
    if (drag.order.join() !== symbols.join()) onChange(drag.order);
    say(`${drag.symbol} is ${drag.order.indexOf(drag.symbol) + 1} of ${drag.order.length}`);
  };
  const move = (symbol: string, by: 1 | -1) => {
    const from = symbols.indexOf(symbol);
    const to = from + by;
    if (to < 0 || to >= symbols.length) return say(`${symbol} is ${by < 0 ? "first" : "last"} already`);
    moved.current = symbol;
    onChange(reordered(symbols, from, to));
    say(`${symbol} is ${to + 1} of ${symbols.length}`);
  };
  const remove = (symbol: string) => {
    onChange(symbols.filter((each) => each !== symbol));
    say(`${symbol} is removed`);
    document.getElementById("watch-add")?.focus();
  };
  return (
    <>
      <p id="sort-help" className="text-note text-soft">
        Drag a handle, or press the up and down arrow keys on it.
      </p>
      <ul
        ref={place}
        aria-label={label}
        onPointerMove={follow}
        onPointerUp={drop}
        onPointerCancel={() => setDrag(null)}
        className={drag ? "cursor-grabbing select-none rounded-card border border-line" : "rounded-card border border-line"}
      >
        {order.map((symbol, index) => (
          <SortableRow
            key={symbol}
            symbol={symbol}
            place={index + 1}
            count={order.length}
            held={drag?.symbol === symbol}
            onGrab={grab(symbol)}
            onMove={(by) => move(symbol, by)}
            onRemove={() => remove(symbol)}
          />
        ))}
      </ul>
      <p role="status" className="sr-only">
        {said}
      </p>
    </>
  );
}

function reordered(list: readonly string[], from: number, to: number): string[] {
  const others = list.filter((_, index) => index !== from);
  return [...others.slice(0, to), list[from] as string, ...others.slice(to)];
}
