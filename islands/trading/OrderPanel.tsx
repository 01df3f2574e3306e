import { useSignals } from "@preact/signals-react/runtime";
import { type SubmitEvent, useEffect, useRef, useState } from "react";
import type { Side } from "../../src/trading/rules_prices";
import { OrderForm, PriceTiles, Spread } from "../../views/trading/OrderForm";
import { OrderFrame } from "../../views/trading/OrderFrame";
import { SHORTCUTS } from "../../views/ui/shortcut_keys";
import { selectedSide } from "../runtime/trading_store";
import { island } from "../runtime/island";
import { pickSymbol } from "../runtime/pick";
import { later } from "../runtime/later";
import { onPortalKey } from "../runtime/portal_keys";
import { OwnPrices, type OrderPanelProps, useOrderPanel } from "./order_panel";

const OrderDialog = later(() => import("./OrderDialog"));

/** The order panel: the account's own prices, the order, its preview. What it shows is what the server would fill at. */
export function OrderPanel(props: OrderPanelProps) {
  useSignals();
  const { account } = props;
  const { here, begun, order, errors, pending, refused, waits, priced, kind, terms, deed, seen, set, check, send } = useOrderPanel(props);
  const { symbol, side } = order;
  const [dialog, setDialog] = useState<"preview" | "shortcuts" | null>(null);
  const [opened, setOpened] = useState(false);
  const show = (which: "preview" | "shortcuts") => {
    setOpened(true);
    setDialog(which);
  };
  const onPreview = async () => (await check(order, "preview")) && priced && show("preview");
  useShortcuts({ preview: () => void onPreview(), help: () => show("shortcuts") });
  const execute = async () => {
    if (refused) return;
    if (await send(order)) setDialog(null);
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
      <OrderFrame id="execute-trade" label="Execute Trade" demo={account.isDemo}>
        <OrderForm
          order={order}
          spread={<OwnPrices {...own}>{(prices) => <Spread symbol={symbol} prices={prices} />}</OwnPrices>}
          tiles={
            <OwnPrices {...own}>{(prices) => <PriceTiles symbol={symbol} side={side} prices={prices} faded={refused !== null} onSide={onSide} />}</OwnPrices>
          }
          leverage={account.leverage}
          demo={account.isDemo}
          kind={kind}
          terms={terms}
          deed={deed}
          notice={refused}
          priced={priced}
          waits={waits}
          errors={errors}
          pending={pending}
          onField={set}
          onSymbol={pickSymbol}
          onSide={onSide}
          onPreview={() => void onPreview()}
          onSubmit={onSubmit}
        />
      </OrderFrame>
      {opened ? (
        <OrderDialog
          shown={priced ? dialog : null}
          order={order}
          own={own}
          leverage={account.leverage}
          demo={account.isDemo}
          seen={seen}
          refused={pending || refused !== null}
          onExecute={() => void execute()}
          onClose={() => setDialog(null)}
        />
      ) : null}
    </>
  );
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

export default island("OrderPanel", OrderPanel);
