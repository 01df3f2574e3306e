import { type ReactNode, useEffect, useState } from "react";
import { classes } from "../../views/ui/classes";
import { Button } from "../../views/ui/Button";
import { RowMarks } from "../../views/ui/staff/marks";
import { STAYS_MS, type Steady } from "../runtime/steady";

const FLOATS = "fixed left-1/2 z-30 -translate-x-1/2 border border-line bg-surface shadow-raised";
/** `higher`: over the one of another list of the page. */
const PLACES = { low: "bottom-4 max-md:bottom-20", higher: "bottom-16 max-md:bottom-32" } as const;

/**
 * What came to a list while somebody was in it, and the way to let it in: "3 new". It moves nothing: it stands in a line that is there
 * anyway, or where there is none, it `floats` at the foot of the screen.
 */
export function Fresh<R>({ list: { fresh, gone, show }, floats = false }: { list: Steady<R>; floats?: boolean | "higher" }) {
  if (fresh === 0 && gone.size === 0) return null;
  return (
    <Button
      variant="quiet"
      size="small"
      className={classes("js-only whitespace-nowrap", floats ? FLOATS : "-my-1", floats && PLACES[floats === "higher" ? "higher" : "low"])}
      data-fresh={fresh}
      onClick={show}
    >
      <span aria-live="polite">{fresh > 0 ? `${fresh} new` : "Tidy up"}</span>
    </Button>
  );
}

/** What stands in a row in the place of its deeds once it is decided: how, and for as long as that can be taken back, the way to. */
export function Mark({ text, undo, name }: { text: string; name: string; undo?: (() => Promise<boolean>) | undefined }) {
  const [seconds, setSeconds] = useState(STAYS_MS / 1000);
  useEffect(() => {
    if (!undo) return;
    const timer = setInterval(() => setSeconds((left) => Math.max(0, left - 1)), 1000);
    return () => clearInterval(timer);
  }, [undo]);
  return (
    <span data-mark="" className="inline-flex min-h-11 flex-wrap items-center justify-end gap-x-2 md:min-h-8">
      <span className="whitespace-normal text-note text-soft">{text}</span>
      {undo && seconds > 0 ? (
        <Button variant="secondary" size="small" aria-label={`Undo: ${name}`} onClick={() => void undo().then((done) => !done && setSeconds(0))}>
          Undo ({seconds} s)
        </Button>
      ) : null}
    </span>
  );
}

/** The mark of a row that was decided or is gone; null for one that is open. `gone`: what to say of a row that left the list by itself. */
export const markOf = <R,>(list: Steady<R>, key: string, name: string, gone: (key: string) => string): ReactNode => {
  const own = list.decided.get(key);
  if (own) return <Mark name={name} {...own} />;
  return list.gone.has(key) ? <Mark name={name} text={gone(key)} /> : null;
};

/** `name`: whose row it is, where what was decided can be taken back. */
type Marked<R> = { list: Steady<R>; name?: (key: string) => string; gone?: (key: string) => string; children: ReactNode };

/** Marks the rows of the table in it that are decided or gone, where they stand. */
export const Marked = <R,>({ list, name = () => "", gone = () => "No longer in this list", children }: Marked<R>) => (
  <RowMarks value={(key) => markOf(list, key, name(key), gone)}>{children}</RowMarks>
);
