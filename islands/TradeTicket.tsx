import { useSignals } from "@preact/signals-react/runtime";
import { type SubmitEvent, useEffect, useRef, useState } from "react";
import { amountAtRisk } from "../src/trading/rules_risk";
import type { Side } from "../views/portal/model";
import { OrderForm, PriceTiles, Spread } from "../views/portal/OrderForm";
import { SHORTCUTS } from "../views/portal/shortcut_keys";
import { accounts, selectedSide } from "./lib/desk";
import { island } from "./lib/island";
import { later } from "./lib/later";
import { onPortalKey } from "./lib/portal_keys";
import { selectedSymbol } from "./lib/selection";
import { OwnPrices, type TicketProps, useTicket } from "./lib/ticket";
import { toast } from "./lib/toasts";

const TicketDialog = later(() => import("./lib/TicketDialog"));

/** The order panel: the account's own prices, the order, its preview. What it shows is what the server would fill at. */
export function TradeTicket(props: TicketProps) {
  useSignals();
  const { account } = props;
  const { here, begun, order, errors, pending, refused, waits, priced, priceNow, set, check, send } = useTicket(props);
  const { symbol, side } = order;
  const [dialog, setDialog] = useState<"preview" | "shortcuts" | null>(null);
  const [opened, setOpened] = useState(false);
  const show = (which: "preview" | "shortcuts") => {
    setOpened(true);
    setDialog(which);
  };
  const onPreview = () => check(order, priceNow(), "preview") && priced && show("preview");
  useShortcuts({ preview: onPreview, help: () => show("shortcuts") });
  const onRisk = (perCent: string) => {
    const { balance } = accounts.peek()?.find(({ id }) => id === account.id) ?? account;
    const price = priceNow();
    const amount = price && exitOf(order.stopLoss) ? amountAtRisk(side, balance, perCent, price, order.stopLoss) : null;
    if (amount && Number(amount) > 0) set("amount", amount);
    else toast({ title: "The amount can't be sized", description: whyNot(amount, side), variant: "destructive" });
  };
  const execute = async () => {
    if (refused) return;
    if (await send(order, priceNow())) setDialog(null);
  };
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void execute();
  };
  const onSide = (chosen: Side) => {
    selectedSide.value = chosen;
  };
  const own = { account, symbol, quote: begun, here };
  return (
    <>
      <section id="execute-trade" aria-label="Execute Trade" className="scroll-mt-20 rounded-card border border-line bg-surface">
        <OrderForm
          order={order}
          spread={<OwnPrices {...own}>{(prices) => <Spread symbol={symbol} prices={prices} />}</OwnPrices>}
          tiles={
            <OwnPrices {...own}>{(prices) => <PriceTiles symbol={symbol} side={side} prices={prices} faded={refused !== null} onSide={onSide} />}</OwnPrices>
          }
          leverage={account.leverage}
          notice={refused}
          priced={priced}
          waits={waits}
          errors={errors}
          pending={pending}
          onField={set}
          onSymbol={(chosen) => (selectedSymbol.value = chosen)}
          onSide={onSide}
          onPreview={onPreview}
          onRisk={onRisk}
          onSubmit={onSubmit}
        />
      </section>
      {opened ? (
        <TicketDialog
          shown={priced ? dialog : null}
          order={order}
          own={own}
          leverage={account.leverage}
          refused={pending || refused !== null}
          onExecute={() => void execute()}
          onClose={() => setDialog(null)}
        />
      ) : null}
    </>
  );
}

const exitOf = (text: string) => /^\d{1,12}(\.\d{1,8})?$/.test(text);

function whyNot(amount: string | null, side: Side): string {
  if (amount !== null) return "This account has no balance to risk.";
  return `Enter from 0.01 to 100 per cent, and a stop loss ${side === "buy" ? "below" : "above"} the price.`;
}

const FIELDS: Record<string, string> = {
  [SHORTCUTS.instrument]: "order-symbol",
  [SHORTCUTS.amount]: "order-amount",
  [SHORTCUTS.stop]: "order-stopLoss",
  [SHORTCUTS.target]: "order-takeProfit",
};

/** Single keys, for as long as nobody is writing and no dialog is open. */
function useShortcuts(does: { preview: () => void; help: () => void }) {
  const latest = useRef(does);
  useEffect(() => {
    latest.current = does;
  });
  useEffect(
    () =>
      onPortalKey((key, event) => {
        const field = FIELDS[key];
        if (key === SHORTCUTS.buy) selectedSide.value = "buy";
        else if (key === SHORTCUTS.sell) selectedSide.value = "sell";
        else if (key === SHORTCUTS.preview) latest.current.preview();
        else if (key === SHORTCUTS.help) latest.current.help();
        else if (field) {
          event.preventDefault();
          document.getElementById(field)?.focus();
        }
      }),
    [],
  );
}

export default island("TradeTicket", TradeTicket);
