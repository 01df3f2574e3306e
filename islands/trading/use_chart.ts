import { type RefObject, useEffect, useRef, useState } from "react";
import type { Interval } from "../../src/market/schema";
import type { PriceChartView } from "./chart";
import { quoteOf } from "../runtime/trading_store";

type Chart = {
  /** Where the chart draws itself. */
  ground: RefObject<HTMLDivElement | null>;
  /** Null until its code has come. */
  view: PriceChartView | null;
  /** Candles stand on it, of whatever instrument; until then the page's own picture does. */
  drawn: boolean;
  state: "loading" | "ready" | "failed";
  retry: () => void;
};

/**
 * A chart of an instrument's candles that follows the quotes, once the browser has taken over (`here`). Its code is asked for when
 * `wanted`. One with an account, or null for none yet, is dealt from: it marks orders, exits and alerts, and offers them.
 */
export function useChart(symbol: string, interval: Interval, here: boolean, wanted: boolean, accountId?: string | null): Chart {
  const ground = useRef<HTMLDivElement>(null);
  const [attempt, setAttempt] = useState(0);
  const [view, setView] = useState<PriceChartView | null>(null);
  const [library, setLibrary] = useState({ load: 0, missing: false });
  const [outcome, setOutcome] = useState<{ of: string; state: "ready" | "failed" } | null>(null);
  const asked = `${symbol} ${interval} ${attempt}`;

  useEffect(() => {
    if (!wanted) return;
    let made: PriceChartView | null = null;
    let gone = false;
    import("./chart").then(
      ({ openChart }) => {
        if (gone || !ground.current) return;
        made = openChart(ground.current, accountId);
        setView(made);
      },
      () => setLibrary({ load: library.load, missing: true }),
    );
    return () => {
      gone = true;
      made?.close();
    };
  }, [wanted, library.load, accountId]);

  useEffect(() => {
    if (!view || !here) return;
    const away = new AbortController();
    const end = (state: "ready" | "failed") => () => !away.signal.aborted && setOutcome({ of: asked, state });
    view.show(symbol, interval, away.signal).then(end("ready"), end("failed"));
    const stop = quoteOf(symbol).subscribe((quote) => quote && view.follow(quote));
    return () => {
      away.abort();
      stop();
    };
  }, [view, here, symbol, interval, asked]);

  return {
    ground,
    view,
    drawn: outcome !== null,
    state: library.missing ? "failed" : outcome?.of === asked ? outcome.state : "loading",
    retry: () => (library.missing ? setLibrary({ load: library.load + 1, missing: false }) : setAttempt(attempt + 1)),
  };
}
