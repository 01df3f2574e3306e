import { computed } from "@preact/signals-react";
import { type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { ageText } from "../../src/lib/quote_text";
import type { Quote } from "../../src/trading/rules_prices";
import { classes } from "../../views/ui/classes";
import { Price } from "../../views/ui/Price";
import { connected, quoteOf } from "./trading_store";

const TINT_MS = 400;

/** Tints the cell for a moment when its number changes: gain upwards, loss downwards. `value` is a decimal string; `place` is the cell, where that is known already. */
export function useTint(value: string | null, place?: RefObject<HTMLSpanElement | null>): RefObject<HTMLSpanElement | null> {
  const own = useRef<HTMLSpanElement>(null);
  const element = place ?? own;
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
  }, [value, element]);
  return element;
}

/** A price that tints when it changes. Its own width is reserved, so that nothing beside it moves. */
export function LivePrice({ className, ...price }: { value: string; digits: number; decimals?: number; className?: string }) {
  const element = useTint(price.value);
  return (
    <span ref={element} className={classes("price-box", className)}>
      <Price {...price} />
    </span>
  );
}

/** How far beyond the screen something still counts as near. */
const MARGIN = "150px";
const watched = new Map<Element, (near: boolean) => void>();
let watcher: IntersectionObserver | null = null;

/** Whether the element is on the screen or near it; `first` until the browser has said. What nobody can see need not be drawn at each tick. */
export function useNear(element: RefObject<Element | null>, first = true): boolean {
  const [near, setNear] = useState(first);
  useEffect(() => {
    const seen = element.current;
    if (!seen) return;
    watcher ??= new IntersectionObserver((entries) => entries.forEach(({ target, isIntersecting }) => watched.get(target)?.(isIntersecting)), {
      rootMargin: MARGIN,
    });
    const by = watcher;
    watched.set(seen, setNear);
    by.observe(seen);
    return () => {
      watched.delete(seen);
      by.unobserve(seen);
    };
  }, [element]);
  return near;
}

/**
 * The newest quote of a symbol, or the page's own until the browser has taken over (`here`). Where it is not `near` the screen a
 * tick draws nothing. The component itself calls `useSignals()`.
 */
export function useQuote(symbol: string, first: Quote | null, here: boolean, near = true): Quote | null {
  if (!here) return first;
  const quote = quoteOf(symbol);
  return (near ? quote.value : quote.peek()) ?? first;
}

/**
 * The quote for a component that only asks whether one can trade on it. It is drawn anew when the quote appears or goes stale, or its market
 * opens or closes, or it is made close-only, but not at each tick. The component itself calls `useSignals()`.
 */
export function useCondition(symbol: string, first: Quote | null, here: boolean): Quote | null {
  const condition = useMemo(
    () =>
      computed(() => {
        const quote = quoteOf(symbol).value;
        return quote && `${quote.stale} ${quote.open} ${quote.closeOnly} ${quote.barred}`;
      }),
    [symbol],
  );
  if (!here) return first;
  return condition.value === null ? first : quoteOf(symbol).peek();
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
