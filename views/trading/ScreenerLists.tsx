import type { MouseEvent, ReactNode } from "react";
import type { LiveQuote } from "../../src/market/schema";
import { instantText } from "../ui/instant";
import { digitsOf } from "../../src/trading/rules_prices";
import { Badge } from "../ui/Badge";
import { ButtonLink } from "../ui/Button";
import { classes } from "../ui/classes";
import { Delta } from "../ui/Price";
import { type Column, Table } from "../ui/Table";

export type Pairs = "major" | "minor";
/** The pairs that an address names; the majors where it names none. */
export const pairsOf = (name: string | null): Pairs => (name === "minor" ? "minor" : "major");
type Lists = {
  quotes: LiveQuote[];
  chosen: string;
  /** Where a pair leads: to its chart, or with a side to its order. */
  hrefOf: (symbol: string, side?: "buy" | "sell") => string;
  onPick: (symbol: string) => (event: MouseEvent) => void;
  /** As it is now, in pips for the spread. */
  price: (quote: LiveQuote, of: "bid" | "ask" | "spread") => ReactNode;
};

/** The major pairs, one a line; cards on a phone. */
export function ScreenerTable({ quotes, ...how }: Lists) {
  const columns: Column<LiveQuote>[] = [
    { key: "pair", title: "Pair", lead: true, cell: (quote) => <Pair quote={quote} {...how} /> },
    { key: "bid", title: "Bid", numeric: true, cell: (quote) => how.price(quote, "bid") },
    { key: "ask", title: "Ask", numeric: true, cell: (quote) => how.price(quote, "ask") },
    { key: "spread", title: "Spread (pips)", numeric: true, cell: (quote) => how.price(quote, "spread") },
    { key: "change", title: "Change", numeric: true, cell: (quote) => <Change {...quote} /> },
    { key: "range", title: "High / Low", numeric: true, cell: (quote) => <Range {...quote} /> },
    { key: "trade", title: "Trade", numeric: true, cell: ({ symbol }) => <Deal symbol={symbol} hrefOf={how.hrefOf} /> },
  ];
  return <Table caption="Major pairs" columns={columns} rows={quotes} rowKey={({ symbol }) => symbol} />;
}

/** The minor pairs as cards. */
export const ScreenerCards = ({ quotes, ...how }: Lists) => (
  <ul aria-label="Minor pairs" className="grid grid-cols-1 gap-3 p-4 sm:grid-cols-2 2xl:grid-cols-4">
    {quotes.map((quote) => (
      <li
        key={quote.symbol}
        data-row={quote.symbol}
        className={classes("flex flex-col gap-2 rounded-control border p-3", quote.symbol === how.chosen ? "border-accent" : "border-line")}
      >
        <div className="flex items-center justify-between gap-2">
          <Pair quote={quote} {...how} />
          <Change {...quote} />
        </div>
        <dl className="grid grid-cols-3 gap-x-3 gap-y-1 text-table [&_dt]:text-note [&_dt]:text-soft">
          <div>
            <dt>Bid</dt>
            <dd>{how.price(quote, "bid")}</dd>
          </div>
          <div>
            <dt>Ask</dt>
            <dd>{how.price(quote, "ask")}</dd>
          </div>
          <div className="text-right">
            <dt>Spread</dt>
            <dd>{how.price(quote, "spread")} pips</dd>
          </div>
        </dl>
        <p className="text-note text-soft">
          High / Low <Range {...quote} />
        </p>
        <Deal symbol={quote.symbol} hrefOf={how.hrefOf} wide />
      </li>
    ))}
  </ul>
);

const Pair = ({ quote: { symbol, stale, open, lastUpdate }, chosen, hrefOf, onPick }: { quote: LiveQuote } & Pick<Lists, "chosen" | "hrefOf" | "onPick">) => (
  <span className="flex items-center gap-2">
    <a
      href={hrefOf(symbol)}
      aria-current={symbol === chosen ? "true" : undefined}
      onClick={onPick(symbol)}
      className={classes(
        "inline-flex min-h-11 items-center whitespace-nowrap font-semibold no-underline hover:underline md:min-h-8",
        symbol === chosen ? "text-accent" : "text-ink",
      )}
    >
      {symbol}
    </a>
    {stale ? <Badge tone="secondary">Stale, of {instantText(lastUpdate).slice(11)}</Badge> : open ? null : <Badge tone="secondary">Closed</Badge>}
  </span>
);

const Change = ({ symbol, change, changePercent }: LiveQuote) => (
  <span className="inline-flex flex-wrap justify-end gap-x-2">
    <Delta value={Number(change).toFixed(digitsOf(symbol))} className="text-table" />
    <Delta value={changePercent} suffix="%" className="font-medium" />
  </span>
);

/** In the pair's own digits: a middle between bid and ask may be half a point. */
const Range = ({ symbol, high, low }: LiveQuote) => (
  <span className="price-text">{[high, low].map((price) => Number(price).toFixed(digitsOf(symbol))).join(" / ")}</span>
);

const Deal = ({ symbol, hrefOf, wide }: { symbol: string; hrefOf: Lists["hrefOf"]; wide?: boolean }) => (
  <span className={classes("inline-flex gap-2", wide && "w-full [&>*]:flex-1")}>
    <ButtonLink href={hrefOf(symbol, "sell")} variant="sell" size="small" aria-label={`SELL ${symbol}`}>
      SELL
    </ButtonLink>
    <ButtonLink href={hrefOf(symbol, "buy")} variant="buy" size="small" aria-label={`BUY ${symbol}`}>
      BUY
    </ButtonLink>
  </span>
);
