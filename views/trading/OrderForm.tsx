import type { ReactNode, SubmitEvent } from "react";
import { displayMoney, displayPrice, priceText } from "../../src/lib/money";
import { pipsText } from "../../src/lib/quote_text";
import type { Prices } from "../../src/trading/rules";
import type { OrderValues } from "../../src/trading/rules_written";
import { kept } from "../../islands/runtime/kept";
import { AmountField, ExitFields, SymbolField } from "./OrderFields";
import { liveMark } from "./OrderFrame";
import { Button } from "../ui/Button";
import { classes } from "../ui/classes";
import { SelectField } from "../ui/Field";
import { Price } from "../ui/Price";
import { instrumentOf, pipOf } from "../../src/market/rules_listed";
import { offeredInstruments } from "../../src/market/rules_terms";
import { boundsWords } from "../../src/trading/rules_instruments";
import { dealDigitsOf, digitsOf, orderNote, type Side, sideWord } from "../../src/trading/rules_prices";

type Props = {
  order: OrderValues & { symbol: string; side: Side; accountId: string };
  /** The account's spread, beside the heading. */
  spread: ReactNode;
  /** SELL and BUY with their prices; a press sets the side. */
  tiles: ReactNode;
  /** The choice of its type, and the price that it waits for. */
  kind: ReactNode;
  /** What else it says. */
  terms: ReactNode;
  /** What the button of an order that waits says; null for one at the market. */
  deed: string | null;
  /** Why nothing can be executed now; null when it can. */
  notice: string | null;
  /** There is a price to trade at. */
  priced: boolean;
  /** The market is closed: an order waits for its opening. */
  waits: boolean;
  /** As the account has it: "1:100". */
  leverage: string;
  /** The account's money is virtual. */
  demo: boolean;
  errors: Record<string, string>;
  pending: boolean;
  onField: (name: keyof OrderValues, value: string) => void;
  onSymbol: (symbol: string) => void;
  onSide: (side: Side) => void;
  onPreview: () => void;
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => void;
};

/**
 * The order panel's form. What is sent before its script has come is no order yet: it shows what it will do, or, where the script does not come,
 * leads to the page that says so. Its parent holds the order, gives it the prices, and hears each change.
 */
export function OrderForm(props: Props) {
  const { order, spread, tiles, kind, terms, deed, notice, priced, waits, leverage, demo, errors, pending, onField, onSymbol, onSide, onPreview, onSubmit } =
    props;
  const { symbol, side, accountId } = order;
  const fields = { id: "order", symbol, values: order, errors, onField };
  return (
    <form method="post" action="/positions/new" data-late="order-preview" noValidate onSubmit={onSubmit}>
      <input type="hidden" name="accountId" value={accountId} />
      <div className="panel-head">
        <h2 className="text-[0.9375rem] font-semibold">Execute Trade</h2>
        {spread}
      </div>
      <div className="flex flex-col gap-4 p-4">
        {tiles}
        <p id="order-note" className={classes("-mt-2 min-h-5 text-table", notice ? "text-warn" : "text-soft")}>
          {notice ?? orderNote(waits, order.amount, leverage)}
        </p>
        {kind}
        <div className="grid grid-cols-[3fr_2fr] gap-4">
          {kept(SymbolField, { key: "symbol", ...fields, onSymbol }, () => [symbol, errors.symbol, offeredInstruments().map((each) => each.symbol)])}
          <SelectField id="order-side" name="side" label="Trade Type" value={side} onChange={(event) => onSide(event.target.value as Side)} error={errors.type}>
            <option value="buy">BUY</option>
            <option value="sell">SELL</option>
          </SelectField>
        </div>
        {kept(AmountField, { key: "amount", ...fields, label: "Amount ($)" }, () => [order.amount, errors.amount, boundsWords(symbol)])}
        {kept(QuickAmounts, { key: "amounts", amount: order.amount, onPick: (amount: string) => onField("amount", amount) }, () => order.amount)}
        {kept(ExitFields, { key: "exits", ...fields }, () => [
          order.stopLoss,
          order.takeProfit,
          errors.stopLoss,
          errors.takeProfit,
          instrumentOf(symbol)?.pipSize,
        ])}
        {terms}
        <div className="grid gap-2">
          <Button type="submit" variant={side} size="large" wide aria-describedby="order-note" disabled={pending || notice !== null || !priced}>
            {pending ? "Executing..." : `${deed ?? `Execute ${sideWord(side)} ${symbol}`}${liveMark(demo)}`}
          </Button>
          <Button id="order-preview" variant="secondary" wide disabled={!priced} onClick={onPreview}>
            Preview Trade
          </Button>
        </div>
      </div>
    </form>
  );
}

const AMOUNTS = ["100", "500", "1000", "5000"];

export const QuickAmounts = ({ amount, onPick }: { amount: string; onPick: (amount: string) => void }) => (
  <div role="group" aria-label="Quick sizes" className="js-only -mt-2 grid grid-cols-4 gap-2">
    {AMOUNTS.map((each) => (
      <Button key={each} variant="secondary" size="small" className="px-1" aria-pressed={Number(amount) === Number(each)} onClick={() => onPick(each)}>
        {displayMoney(each).slice(0, -3)}
      </Button>
    ))}
  </div>
);

/** The account's spread: in pips for a pair, as a price for a coin. It leads to the account's spreads by pair. */
export function Spread({ symbol, prices, accountId }: { symbol: string; prices: Prices | null; accountId: string }) {
  if (!prices) return null;
  const pip = pipOf(symbol);
  const spread = prices.ask - prices.bid;
  return (
    <a
      href={`/dashboard?tab=accounts&account=${accountId}#spreads`}
      className="inline-flex min-h-11 items-center text-table tabular-nums text-soft underline decoration-line underline-offset-2 hover:text-ink"
    >
      Spread {pip ? pipsText(spread / pip) : displayPrice(priceText(spread), digitsOf(symbol))}
    </a>
  );
}

export type TilesProps = { symbol: string; side: Side; prices: Prices | null; faded: boolean; onSide: (side: Side) => void };

/** SELL and BUY with the prices that this account would get; a press sets the side. */
export function PriceTiles({ symbol, side, prices, faded, onSide }: TilesProps) {
  const tile = (of: Side, price: number | null) => (
    <button
      type="button"
      aria-pressed={side === of}
      onClick={() => onSide(of)}
      className={classes(
        "flex min-h-16 flex-col items-start justify-center rounded-control border px-3 py-2",
        side === of ? (of === "buy" ? "border-gain bg-gain-soft" : "border-loss bg-loss-soft") : "border-control hover:bg-sunken",
      )}
    >
      <span className={classes("text-note font-semibold", of === "buy" ? "text-gain" : "text-loss")}>{sideWord(of)}</span>
      <span data-price={of} className={classes("text-heading", faded && "text-soft")}>
        {price === null ? "–" : <Price value={priceText(price)} digits={digitsOf(symbol)} decimals={dealDigitsOf(symbol)} />}
      </span>
    </button>
  );
  return (
    <div role="group" aria-label={`Prices of ${symbol}`} className="grid grid-cols-2 gap-2">
      {tile("sell", prices && prices.bid)}
      {tile("buy", prices && prices.ask)}
    </div>
  );
}
