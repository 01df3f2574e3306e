import { useSignals } from "@preact/signals-react/runtime";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { displayPrice, priceText, priceUnits } from "../../src/lib/money";
import { digitsOf, pricesFor } from "../../src/trading/rules_prices";
import { distanceText, firstLimit, firstTrigger, orderWords, termWords } from "../../src/trading/rules_waiting";
import { EXPIRIES, NEXT, type OrderValues } from "../../src/trading/rules_written";
import { RiskSize } from "../../views/trading/RiskSize";
import { Field, SelectField } from "../../views/ui/Field";
import { positions } from "../runtime/trading_store";
import { toast } from "../wire/toasts";
import type { Order, Seen } from "./order_ways";
import { sentenceOf, stepOf, stepped } from "./order_terms";
import { sizeByRisk } from "./size_by_risk";

type Set = (name: keyof OrderValues, value: string) => void;
type Props = {
  /** The price that the order waits for; or all else, and what it will do. */
  part: "price" | "rest";
  order: Order;
  errors: Record<string, string>;
  seen: () => Seen;
  onField: Set;
};

/** The fields of an order that is more than a plain one at the market. They come when they are first asked for. */
export default function OrderTerms({ part, ...props }: Props) {
  return part === "price" ? <Prices {...props} /> : <Rest {...props} />;
}

const isPrice = (text: string | undefined): text is string => /^\d{1,8}(\.\d{1,8})?$/.test(text ?? "") && Number(text) > 0;

type PriceName = "triggerPrice" | "limitPrice" | "trailingDistance" | "breakEvenAt";

/** A field for a price or a distance; the arrow keys move it by a pip, with Shift by ten. */
function PriceField({ name, order, errors, onField, ...rest }: Omit<Props, "part" | "seen"> & { name: PriceName; hint?: string; placeholder?: string }) {
  const { symbol } = order;
  const value = order[name] ?? "";
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const way = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!way) return;
    event.preventDefault();
    onField(name, stepped(value, way * (event.shiftKey ? 10 : 1), symbol));
  };
  return (
    <Field
      id={`order-${name}`}
      name={name}
      type="number"
      inputMode="decimal"
      min={0}
      step={priceText(stepOf(symbol, priceUnits(isPrice(value) ? value : "1")))}
      label={termWords(order.orderType)[name]}
      autoComplete="off"
      value={value}
      onChange={({ target }) => onField(name, target.value)}
      onKeyDown={onKeyDown}
      error={errors[name]}
      {...rest}
    />
  );
}

function Prices({ seen, ...props }: Omit<Props, "part">) {
  const { order, onField } = props;
  const { orderType, side, symbol, triggerPrice, limitPrice } = order;
  // What the panel filled in follows type, side and pair; what a person wrote stays with its pair.
  const own = useRef({ of: "", symbol, trigger: "", limit: "" });
  useEffect(() => {
    const { account, quote } = seen();
    const before = own.current;
    const of = `${orderType} ${side} ${symbol} ${triggerPrice}`;
    if (!quote || before.of === of) return;
    const isOther = before.symbol !== symbol;
    const begins = before.of.split(" ").slice(0, 3).join(" ") !== of.split(" ").slice(0, 3).join(" ");
    Object.assign(before, { of, symbol });
    if (begins && (!triggerPrice || triggerPrice === before.trigger || isOther)) {
      before.trigger = firstTrigger(side, orderType, pricesFor(account, quote), symbol);
      onField("triggerPrice", before.trigger);
    } else if (orderType === "stop_limit" && isPrice(triggerPrice) && (!limitPrice || limitPrice === before.limit || isOther)) {
      before.limit = firstLimit(side, triggerPrice, symbol);
      onField("limitPrice", before.limit);
    }
  });
  return (
    <div className="grid grid-cols-2 items-start gap-4">
      <PriceField name="triggerPrice" {...props} />
      {orderType === "stop_limit" ? <PriceField name="limitPrice" {...props} /> : null}
    </div>
  );
}

function Rest({ seen, ...props }: Omit<Props, "part">) {
  useSignals();
  const { order, errors, onField } = props;
  const { symbol, orderType } = order;
  const waits = orderType !== "market";
  const { balance } = seen().account;
  const onRisk = (perCent: string) => {
    const sized = sizeByRisk(order, balance, perCent, seen());
    if ("amount" in sized) onField("amount", sized.amount);
    else toast({ title: "The amount can't be sized", description: sized.why, variant: "destructive" });
  };
  const distance = (name: "trailingDistance" | "breakEvenAt") => (
    <PriceField name={name} placeholder="Optional" hint={isPrice(order[name]) ? distanceText(order[name], symbol) : "A price distance."} {...props} />
  );
  return (
    <>
      <RiskSize stop={order.stopLoss} onRisk={onRisk} />
      <div className="grid grid-cols-2 items-start gap-4">
        {distance("trailingDistance")}
        {distance("breakEvenAt")}
        {waits ? <Ends {...{ order, errors, onField }} /> : null}
      </div>
      {waits ? <Partner {...{ order, errors, onField }} /> : null}
      <p id="order-sentence" aria-live="polite" className="text-table">
        {sentenceOf(order, seen())}
      </p>
    </>
  );
}

type PartProps = Pick<Props, "order" | "errors" | "onField">;

const Ends = ({ order, errors, onField }: PartProps) => {
  const chosen = order.expiry ?? "";
  const isMoment = chosen === "at";
  return (
    <>
      <div className={isMoment ? "" : "col-span-full"}>
        <SelectField
          id="order-expiry"
          name="expiry"
          label="Expiry"
          value={chosen}
          onChange={({ target }) => onField("expiry", target.value)}
          error={isMoment ? undefined : errors.expiresAt}
        >
          {EXPIRIES.map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </SelectField>
      </div>
      {isMoment ? (
        <div className="col-span-full">
          <Field
            id="order-expiresAt"
            name="expiresAt"
            type="datetime-local"
            label="Ends at (UTC)"
            value={order.expiresAt ?? ""}
            onChange={({ target }) => onField("expiresAt", target.value)}
            error={errors.expiresAt}
          />
        </div>
      ) : null}
    </>
  );
};

/** With which other order this one makes a pair. */
function Partner({ order, errors, onField }: PartProps) {
  useSignals();
  const others = (positions.value ?? []).filter((each) => each.status === "pending" && each.orderType !== "market" && each.accountId === order.accountId);
  const gone = order.ocoGroup && order.ocoGroup !== NEXT && !others.some(({ id }) => id === order.ocoGroup);
  return (
    <SelectField
      id="order-ocoGroup"
      name="ocoGroup"
      label="One cancels the other"
      value={order.ocoGroup ?? ""}
      onChange={({ target }) => onField("ocoGroup", target.value)}
      error={errors.ocoGroup}
    >
      <option value="">No</option>
      <option value={NEXT}>With the next order that I place</option>
      {others.map((each) => (
        <option key={each.id} value={each.id}>
          {`With ${orderWords(each)} ${each.symbol} at ${displayPrice(each.triggerPrice ?? "0", digitsOf(each.symbol))}`}
        </option>
      ))}
      {gone ? <option value={order.ocoGroup}>An order that no longer waits</option> : null}
    </SelectField>
  );
}
