import type { SubmitEvent } from "react";
import { displayMoney, displayPrice, marginOf, priceText } from "../../src/lib/money";
import { instrumentOf, instruments, isForex } from "../../src/market/schema";
import type { Prices } from "../../src/trading/rules";
import { Button } from "../ui/Button";
import { classes } from "../ui/classes";
import { Field, SelectField } from "../ui/Field";
import { Price } from "../ui/Price";
import { Notice } from "../ui/States";
import { digitsOf, pipOf, type Side, sideWord } from "./model";

type Fields = { amount: string; stopLoss: string; takeProfit: string };
type Props = {
  order: Fields & { symbol: string; side: Side };
  /** The account's own bid and ask. */
  prices: Prices | null;
  /** Why nothing can be executed now; null when it can. */
  notice: string | null;
  /** The market is closed: an order waits for its opening. */
  waits: boolean;
  /** As the account has it: "1:100". */
  leverage: string;
  errors: Record<string, string>;
  pending: boolean;
  onField: (name: keyof Fields, value: string) => void;
  onSymbol: (symbol: string) => void;
  onSide: (side: Side) => void;
  onPreview: () => void;
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => void;
};

/** The order panel's form, as it stands; all it does is told upwards. */
export function OrderForm({ order, prices, notice, waits, leverage, errors, pending, onField, onSymbol, onSide, onPreview, onSubmit }: Props) {
  const { symbol, side } = order;
  const action = `${sideWord(side)} ${symbol}`;
  const step = String(Math.min(0.0001, (instrumentOf(symbol)?.pipSize ?? 10_000) / 1e8));
  const exit = (name: "stopLoss" | "takeProfit", label: string) => (
    <Field
      id={`order-${name}`}
      name={name}
      type="number"
      inputMode="decimal"
      min={0}
      step={step}
      label={label}
      placeholder="Optional"
      autoComplete="off"
      value={order[name]}
      onChange={(event) => onField(name, event.target.value)}
      error={errors[name]}
    />
  );
  return (
    <form noValidate onSubmit={onSubmit}>
      <div className="flex min-h-12 items-center justify-between gap-4 border-b border-line px-4 py-1">
        <h2 className="text-[0.9375rem] font-semibold">Execute Trade</h2>
        {prices ? <Spread symbol={symbol} prices={prices} /> : null}
      </div>
      <div className="flex flex-col gap-4 p-4">
        <PriceTiles symbol={symbol} side={side} prices={prices} faded={notice !== null} onSide={onSide} />
        <p id="order-note" className={classes("-mt-2 min-h-5 text-table", notice ? "text-warn" : "text-soft")}>
          {notice ?? (waits ? "The market is closed. Your order fills at the first price after it opens." : marginText(order.amount, leverage))}
        </p>
        <div className="grid grid-cols-[3fr_2fr] gap-4">
          <SelectField
            id="order-symbol"
            name="symbol"
            label="Currency Pair"
            value={symbol}
            onChange={(event) => onSymbol(event.target.value)}
            error={errors.symbol}
          >
            <optgroup label="Forex">{options(true)}</optgroup>
            <optgroup label="Cryptocurrency">{options(false)}</optgroup>
          </SelectField>
          <SelectField id="order-side" name="type" label="Trade Type" value={side} onChange={(event) => onSide(event.target.value as Side)} error={errors.type}>
            <option value="buy">BUY</option>
            <option value="sell">SELL</option>
          </SelectField>
        </div>
        <Field
          id="order-amount"
          name="amount"
          type="number"
          inputMode="decimal"
          min={0}
          step="0.01"
          label="Amount ($)"
          autoComplete="off"
          value={order.amount}
          onChange={(event) => onField("amount", event.target.value)}
          error={errors.amount}
        />
        <div className="grid grid-cols-2 items-start gap-4">
          {exit("stopLoss", "Stop Loss")}
          {exit("takeProfit", "Take Profit")}
        </div>
        <div className="grid gap-2">
          <Button type="submit" look={side} size="large" wide aria-describedby="order-note" disabled={pending || notice !== null || !prices}>
            {pending ? "Executing..." : `Execute ${action}`}
          </Button>
          <Button look="secondary" wide disabled={!prices} onClick={onPreview}>
            Preview Trade
          </Button>
        </div>
        <noscript>
          <Notice>Placing an order needs JavaScript, because prices move while you look at them.</Notice>
        </noscript>
      </div>
    </form>
  );
}

const options = (forex: boolean) =>
  instruments
    .filter((each) => isForex(each) === forex)
    .map(({ symbol }) => (
      <option key={symbol} value={symbol}>
        {symbol}
      </option>
    ));

/** What the order would bind, once its amount can be read. */
const marginText = (amount: string, leverage: string) =>
  /^\d{1,9}(\.\d{1,2})?$/.test(amount) ? `Margin for this order: ${displayMoney(marginOf(amount, Number(leverage.split(":")[1])))}` : "";

/** The account's spread: in pips for a pair, as a price for a coin. */
function Spread({ symbol, prices }: { symbol: string; prices: Prices }) {
  const pip = pipOf(symbol);
  const spread = prices.ask - prices.bid;
  return (
    <span className="text-table tabular-nums text-soft">
      Spread {pip ? `${(spread / pip).toFixed(1)} pips` : displayPrice(priceText(spread), digitsOf(symbol))}
    </span>
  );
}

type TilesProps = { symbol: string; side: Side; prices: Prices | null; faded: boolean; onSide: (side: Side) => void };

/** SELL and BUY with the prices that this account would get; a press sets the side. */
function PriceTiles({ symbol, side, prices, faded, onSide }: TilesProps) {
  const tile = (of: Side, price: number | null) => (
    <button
      type="button"
      aria-pressed={side === of}
      onClick={() => onSide(of)}
      className={classes(
        "flex min-h-16 flex-col items-start justify-center rounded-control border px-3 py-2 transition-colors duration-150",
        side === of ? (of === "buy" ? "border-gain bg-gain-soft" : "border-loss bg-loss-soft") : "border-control hover:bg-sunken",
      )}
    >
      <span className={classes("text-note font-semibold", of === "buy" ? "text-gain" : "text-loss")}>{sideWord(of)}</span>
      <span data-price={of} className={classes("text-heading", faded && "text-soft")}>
        {price === null ? "–" : <Price value={priceText(price)} digits={digitsOf(symbol)} />}
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
