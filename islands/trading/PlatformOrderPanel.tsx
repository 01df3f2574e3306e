import { useSignals } from "@preact/signals-react/runtime";
import { type SubmitEvent, useEffect } from "react";
import { leverageOf, orderNote, type Side } from "../../src/trading/rules_prices";
import { AlertButton } from "../../views/alerts/AlertButton";
import { AmountField, ExitFields, SymbolField } from "../../views/trading/OrderFields";
import { PriceTiles, Spread } from "../../views/trading/OrderForm";
import { liveMark, OrderFrame } from "../../views/trading/OrderFrame";
import { Button } from "../../views/ui/Button";
import { classes } from "../../views/ui/classes";
import { positions, selectedSide } from "../runtime/trading_store";
import { island } from "../runtime/island";
import { pickSymbol } from "../runtime/pick";
import { askAlert } from "../runtime/alert_asked";
import { OwnPrices, type OrderPanelProps, useOrderPanel } from "./order_panel";

const DEFAULT_AMOUNT = "100";

/** The platform's order panel: the pair, the amount, a side with its price, and the order. */
export function PlatformOrderPanel(props: OrderPanelProps & { side: Side }) {
  useSignals();
  const { side: first } = props;
  useEffect(() => {
    selectedSide.value = first;
  }, [first]);
  const { account, here, begun, order, errors, pending, refused, waits, priced, kind, terms, deed, set, send } = useOrderPanel(props, DEFAULT_AMOUNT);
  const { symbol, side } = order;
  const fields = { id: "platform", symbol, values: order, errors, onField: set };
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!refused) void send(order);
  };
  return (
    <OrderFrame id="execute-trade" label="Place an order" demo={account.isDemo}>
      <div className="flex min-h-12 items-center justify-between border-b border-line pl-4 pr-2">
        <h2 className="text-[0.9375rem] font-semibold">Place an order</h2>
        <span className="flex items-center gap-2">
          <OwnPrices account={account} symbol={symbol} quote={begun} here={here}>
            {(prices) => <Spread symbol={symbol} prices={prices} accountId={account.id} />}
          </OwnPrices>
          <AlertButton symbol={symbol} onPress={() => askAlert(symbol)} />
        </span>
      </div>
      <form method="post" action="/positions/new" data-late="plain" noValidate onSubmit={onSubmit} className="flex flex-col gap-4 p-4">
        <input type="hidden" name="accountId" value={account.id} />
        <input type="hidden" name="side" value={side} />
        {kind}
        <SymbolField {...fields} onSymbol={pickSymbol} />
        <AmountField {...fields} label="Amount (USD)" />
        <ExitFields {...fields} />
        {terms}
        <OwnPrices account={account} symbol={symbol} quote={begun} here={here}>
          {(prices) => <PriceTiles symbol={symbol} side={side} prices={prices} faded={refused !== null} onSide={onSide} />}
        </OwnPrices>
        <p id="platform-note" className={classes("min-h-5 text-table", refused ? "text-warn" : "text-soft")}>
          {refused ?? orderNote(waits, order.amount, leverageOf(account, order, (here && positions.value) || []))}
        </p>
        <Button type="submit" variant={side} size="large" wide aria-describedby="platform-note" disabled={pending || refused !== null || !priced}>
          {pending ? "Executing..." : `${deed ?? "Execute Trade"}${liveMark(account.isDemo)}`}
        </Button>
      </form>
    </OrderFrame>
  );
}

const onSide = (side: Side) => {
  selectedSide.value = side;
};

export default island("PlatformOrderPanel", PlatformOrderPanel);
