import type { ReactNode } from "react";
import type { TradingAccount } from "../../src/accounts/schema";
import { barredSide, barredWords, closeOnlyWords, isCloseOnly } from "../../src/market/rules_terms";
import type { Prices } from "../../src/trading/rules";
import { dealPrice, digitsOf, leverageOf, ORDER_TYPE_WORDS, sideWord } from "../../src/trading/rules_prices";
import { orderWords } from "../../src/trading/rules_waiting";
import { EXPIRIES, type WrittenOrder } from "../../src/trading/rules_written";
import type { Position } from "../../src/trading/schema";
import { displayPrice, priceText } from "../../src/lib/money";
import { AccountHeading } from "../accounts/AccountHeading";
import { Button, ButtonLink } from "../ui/Button";
import { Field, numberField, SelectField } from "../ui/Field";
import { Notice } from "../ui/States";
import { AmountField, ExitFields, OrderTypes, SymbolField } from "./OrderFields";
import { liveMark, OrderFrame } from "./OrderFrame";
import { newOrderPath } from "./PlainOrderLinks";
import TradePreview from "./TradePreview";

/** The order panel as pages that need no scripts: a form with every field, and what the order will do before it is placed. */

type FormProps = {
  accounts: TradingAccount[];
  account: TradingAccount;
  order: WrittenOrder;
  /** The account's prices of the pair; null where there are none. */
  prices: Prices | null;
  /** When this was, as text. */
  at: string;
  /** The waiting orders of the account, which this one can be paired with. */
  partners: Position[];
  /** Why the account can't trade yet. */
  blocked: string | null;
  /** What was refused, by field, and what concerns none of them. */
  errors: Record<string, string>;
  message: string;
  /** The list that it comes to. */
  back: string;
};

/** Nobody listens: no script runs here. */
const unheard = () => {};

export function NewOrderPage({ accounts, account, order, prices, at, partners, blocked, errors, message, back }: FormProps) {
  const { symbol, side } = order;
  const barred = barredSide(symbol);
  const fields = { id: "plain", symbol, values: order, errors, onField: unheard, plain: true };
  const text = (name: "triggerPrice" | "limitPrice" | "trailingDistance" | "breakEvenAt", label: string, hint: string) => (
    <Field id={`plain-${name}`} name={name} {...numberField(true, "any")} label={label} hint={hint} defaultValue={order[name]} error={errors[name]} />
  );
  return (
    <div className="mx-auto flex w-full max-w-lg flex-col gap-4 px-4 py-6">
      <AccountHeading title="Place an Order" accounts={accounts} account={account} blocked={blocked} path={newOrderPath(null, symbol, side)} />
      {message ? <Notice kind="error">{message}</Notice> : null}
      {isCloseOnly(symbol) ? <Notice kind="warning">{closeOnlyWords(symbol)}</Notice> : null}
      {barred && !account.isDemo ? <Notice kind="warning">{barredWords(symbol, barred)}</Notice> : null}
      <OrderFrame label="Place an Order" demo={account.isDemo}>
        <form method="post" action="/positions/new" noValidate className="group flex flex-col gap-6 p-4">
          <input type="hidden" name="accountId" value={account.id} />
          <Group name="Order">
            <p className="text-table text-soft">
              {prices
                ? `${symbol} at ${at}: bid ${dealPrice(priceText(prices.bid), symbol)}, ask ${dealPrice(priceText(prices.ask), symbol)} on this account.`
                : `There is no current price of ${symbol}.`}
            </p>
            <OrderTypes values={order} onField={unheard} />
            <div className="grid grid-cols-[3fr_2fr] gap-4">
              <SymbolField {...fields} onSymbol={unheard} />
              <SelectField id="plain-side" name="side" label="Trade Type" defaultValue={side} error={errors.type}>
                <option value="buy">BUY</option>
                <option value="sell">SELL</option>
              </SelectField>
            </div>
            <AmountField {...fields} label="Amount ($)" />
          </Group>
          <Group name="What it waits for" className="group-has-[[value=market]:checked]:hidden">
            {text("triggerPrice", "Price", "Of a limit: this or better. Of a stop and a stop-limit: what sets it off.")}
            <div className="group-has-[[value=limit]:checked]:hidden group-has-[[value=stop]:checked]:hidden">
              {text("limitPrice", "Limit price", "Of a stop-limit: the limit that it becomes.")}
            </div>
            <SelectField
              id="plain-expiry"
              name="expiry"
              label="Expiry"
              defaultValue={order.expiry}
              error={order.expiry === "at" ? undefined : errors.expiresAt}
            >
              {EXPIRIES.map(([value, words]) => (
                <option key={value} value={value}>
                  {words}
                </option>
              ))}
            </SelectField>
            <Field
              id="plain-expiresAt"
              name="expiresAt"
              type="datetime-local"
              label="Ends at (UTC)"
              hint="For 'A date and time'."
              defaultValue={order.expiresAt}
              error={order.expiry === "at" ? errors.expiresAt : undefined}
            />
            <SelectField
              id="plain-ocoGroup"
              name="ocoGroup"
              label="One cancels the other"
              hint="The first of a pair that fills cancels the other."
              defaultValue={order.ocoGroup}
              error={errors.ocoGroup}
            >
              <option value="">No</option>
              {partners.map((each) => (
                <option key={each.id} value={each.id}>
                  {`With ${orderWords(each)} ${each.symbol} at ${displayPrice(each.triggerPrice ?? "0", digitsOf(each.symbol))}`}
                </option>
              ))}
            </SelectField>
          </Group>
          <Group name="Stop and target">
            <ExitFields {...fields} />
            <div className="grid grid-cols-2 items-start gap-4">
              {text("trailingDistance", "Trailing distance", "The stop loss follows the price so far behind.")}
              {text("breakEvenAt", "Break-even at", "So much in profit the stop loss moves to the opening price.")}
            </div>
          </Group>
          <div className="grid gap-2">
            <Button type="submit" size="large">
              Preview order
            </Button>
            <ButtonLink variant="secondary" href={back}>
              Back
            </ButtonLink>
          </div>
        </form>
      </OrderFrame>
    </div>
  );
}

const Group = ({ name, className, children }: { name: string; className?: string; children: ReactNode }) => (
  <fieldset className={className}>
    <legend className="pb-2 text-[0.9375rem] font-semibold">{name}</legend>
    <div className="flex flex-col gap-4">{children}</div>
  </fieldset>
);

type CheckProps = {
  account: TradingAccount;
  order: WrittenOrder;
  /** What the account's owner has open. */
  positions: readonly Position[];
  sentence: string;
  prices: Prices;
  /** What the second form sends beside the fields: the end that the sentence names, the price that was shown, the key of this one order. */
  hidden: Record<string, string>;
  now: number;
};

/** What an order will do: it is placed by a press here. */
export function CheckOrderPage({ account, order, positions, sentence, prices, hidden, now }: CheckProps) {
  const { symbol, side, orderType } = order;
  const deed =
    orderType === "market" ? `Execute ${sideWord(side)} ${symbol}` : `Place ${sideWord(side)} ${ORDER_TYPE_WORDS[orderType].toLowerCase()} ${symbol}`;
  return (
    <div className="mx-auto flex w-full max-w-2xl flex-col gap-4 px-4 py-6">
      <h1 className="text-title font-semibold">Check Your Order</h1>
      <OrderFrame label="Preview" demo={account.isDemo}>
        <div className="p-4">
          <h2 className="pb-2 text-[0.9375rem] font-semibold">What it will do</h2>
          <TradePreview
            {...order}
            sentence={sentence}
            prices={prices}
            leverage={leverageOf(account, order, positions)}
            commission={account.commission}
            swap={account.swap}
            now={now}
          />
        </div>
      </OrderFrame>
      <form method="post" action="/positions/new" className="grid gap-2">
        {Object.entries({ ...order, ...hidden }).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <Button type="submit" name="step" value="place" variant={side} size="large">
          {`${deed}${liveMark(account.isDemo)}`}
        </Button>
        <Button type="submit" name="step" value="change" variant="secondary">
          Change it
        </Button>
      </form>
    </div>
  );
}
