import type { QuoteMessage } from "../platform/cluster/bus";
import type { AppContext } from "../platform/app_context";
import { Routes } from "../platform/http/routes";
import { Fan } from "../platform/http/stream";
import type { Market } from "./market";
import { liveQuotes, marketItems } from "./quotes";
import { listCandles, listLiveQuotes, listMarketData, streamQuotes } from "./schema";

/** The market's public calls: prices are for anyone. */
export function marketRoutes(app: AppContext, market: Market): Routes {
  const newest = (quotes: readonly QuoteMessage[]) => Math.max(0, ...quotes.map(({ seq }) => seq));
  const fan = new Fan<QuoteMessage>("quotes", ({ symbol }) => symbol, newest);
  app.bus.subscribe("quotes", (quotes) => fan.publish(quotes));

  return new Routes(app, import.meta.path)
    .open(listMarketData, () => marketItems(market))
    .open(listLiveQuotes, () => liveQuotes(market))
    .open(listCandles, ({ query }) => market.candles(query.symbol, query.interval, query.limit, query.before))
    .open(streamQuotes, ({ query, context }) =>
      app.streams.open(context, (stream) => {
        const snapshot = market.snapshot(query.symbols);
        stream.send("snapshot", snapshot, newest(snapshot));
        return fan.join(stream, query.symbols && new Set(query.symbols));
      }),
    );
}
