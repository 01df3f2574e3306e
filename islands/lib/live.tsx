import { type RefObject, useEffect, useRef, useState } from "react";
import { ageText } from "../../src/lib/quote_text";
import type { Quote } from "../../views/portal/model";
import { classes } from "../../views/ui/classes";
import { Price } from "../../views/ui/Price";
import { connected, quoteOf } from "./desk";

const TINT_MS = 400;

/** Tints the cell for a moment when its number changes: gain upwards, loss downwards. `value` is a decimal string. */
export function useTint(value: string | null): RefObject<HTMLSpanElement | null> {
  const element = useRef<HTMLSpanElement>(null);
  const before = useRef(value);
  useEffect(() => {
    const shown = element.current;
    const earlier = before.current;
    before.current = value;
    if (!shown || earlier === null || value === null || earlier === value) return;
    const tint = Number(value) > Number(earlier) ? "tick-up" : "tick-down";
    shown.classList.remove("tick-up", "tick-down");
    shown.classList.add(tint);
    const timer = setTimeout(() => shown.classList.remove(tint), TINT_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return element;
}

/** A price that tints when it changes. Its own width is reserved, so that nothing beside it moves. */
export function LivePrice({ value, digits, className }: { value: string; digits: number; className?: string }) {
  const element = useTint(value);
  return (
    <span ref={element} className={classes("inline-block rounded-sm", className)}>
      <Price value={value} digits={digits} />
    </span>
  );
}

/** The newest quote of a symbol, or the page's own until the browser has taken over (`here`). The component itself calls `useSignals()`. */
export function useQuote(symbol: string, first: Quote | null, here: boolean): Quote | null {
  return here ? (quoteOf(symbol).value ?? first) : first;
}

/** Why a price is no price to trade on now, with its age; null while it is good. Counts on by itself. The component itself calls `useSignals()`. */
export function useStaleness(quote: Quote | null, here: boolean): string | null {
  const lost = here && !connected.value;
  const old = quote !== null && (lost || (quote.stale && quote.open));
  const [now, setNow] = useState<number | null>(null);
  useEffect(() => {
    if (!old) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [old]);
  if (!quote) return "No price yet";
  if (!old) return null;
  return `${lost ? "Reconnecting. Last price" : "Stale price"}${now === null ? "" : `, ${ageText(quote.time, now)}`}`;
}
