import type { ReactNode } from "react";
import { type Instrument, instrumentOf, isForex } from "../../src/market/rules_listed";
import { offeredInstruments } from "../../src/market/rules_terms";
import { boundsWords } from "../../src/trading/rules_instruments";
import { Field, numberField, SelectField } from "../ui/Field";
import { ORDER_TYPE_WORDS } from "../../src/trading/rules_prices";
import type { OrderValues } from "../../src/trading/rules_written";
import type { OrderType } from "../../src/trading/schema";

/** What every order panel asks for. `id` begins the ids of its fields, so that two panels never share one. */
type Props = {
  id: string;
  symbol: string;
  values: OrderValues;
  /** A message for each field that needs one. */
  errors: Record<string, string>;
  onField: (name: keyof OrderValues, value: string) => void;
  /** No script will look at them. */
  plain?: boolean;
};

const options = (list: readonly Instrument[], forex: boolean) =>
  list.filter((each) => isForex(each) === forex).map(({ symbol }) => <option key={symbol}>{symbol}</option>);

let made: { of: readonly Instrument[]; pairs: ReactNode } | undefined;
/** Made once for a list: the panel is drawn anew at each key, and passes over what is the same as before. */
function everyPair(): ReactNode {
  const list = offeredInstruments();
  if (made?.of === list) return made.pairs;
  const pairs = (
    <>
      <optgroup label="Forex">{options(list, true)}</optgroup>
      <optgroup label="Cryptocurrency">{options(list, false)}</optgroup>
    </>
  );
  made = { of: list, pairs };
  return pairs;
}

export const SymbolField = ({ id, symbol, errors, onSymbol }: Pick<Props, "id" | "symbol" | "errors"> & { onSymbol: (symbol: string) => void }) => (
  <SelectField id={`${id}-symbol`} name="symbol" label="Currency Pair" value={symbol} onChange={(event) => onSymbol(event.target.value)} error={errors.symbol}>
    {everyPair()}
  </SelectField>
);

export const AmountField = ({ id, symbol, label, values, errors, onField, plain = false }: Props & { label: string }) => (
  <Field
    id={`${id}-amount`}
    name="amount"
    {...numberField(plain, "0.01")}
    label={label}
    hint={boundsWords(symbol)}
    value={values.amount}
    onChange={(event) => onField("amount", event.target.value)}
    error={errors.amount}
  />
);

const EXITS = [
  ["stopLoss", "Stop Loss"],
  ["takeProfit", "Take Profit"],
] as const;

export const ExitFields = ({ id, symbol, values, errors, onField, plain = false }: Props) => (
  <div className="grid grid-cols-2 items-start gap-4">
    {EXITS.map(([name, label]) => (
      <Field
        key={name}
        id={`${id}-${name}`}
        name={name}
        {...numberField(plain, String(Math.min(0.0001, (instrumentOf(symbol)?.pipSize ?? 10_000) / 1e8)))}
        label={label}
        placeholder="Optional"
        value={values[name]}
        onChange={(event) => onField(name, event.target.value)}
        error={errors[name]}
      />
    ))}
  </div>
);

/** Market, limit, stop, stop-limit: a choice in one row. */
export const OrderTypes = ({ values, onField }: Pick<Props, "values" | "onField">) => (
  <fieldset className="flex rounded-control border border-control">
    <legend className="sr-only">Order type</legend>
    {(Object.keys(ORDER_TYPE_WORDS) as OrderType[]).map((type) => (
      <label key={type} className="order-kind">
        <input
          type="radio"
          name="orderType"
          value={type}
          checked={values.orderType === type}
          onChange={() => onField("orderType", type)}
          className="absolute inset-0 appearance-none rounded-control"
        />
        {ORDER_TYPE_WORDS[type]}
      </label>
    ))}
  </fieldset>
);
