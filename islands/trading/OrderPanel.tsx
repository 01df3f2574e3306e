import { useSignals } from "@preact/signals-react/runtime";
import { type SubmitEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import { leverageOf, type Side } from "../../src/trading/rules_prices";
import { OrderForm, PriceTiles, Spread } from "../../views/trading/OrderForm";
import { OrderFrame } from "../../views/trading/OrderFrame";
import { SHORTCUTS } from "../../views/ui/shortcut_keys";
import { positions, selectedSide, sheetOpen } from "../runtime/trading_store";
import { isPhone } from "../runtime/screen";
import { DealBar, type Strip } from "./DealBar";
import { island } from "../runtime/island";
import { afterPaint, whenIdle } from "../runtime/idle";
import { pickSymbol } from "../runtime/pick";
import { later } from "../runtime/later";
import { onPortalKey } from "../runtime/portal_keys";
import { OwnPrices, type OrderPanelProps, useOrderPanel } from "./order_panel";

const OrderDialog = later(() => import("./OrderDialog"));
const OrderSheet = later(() => import("./OrderSheet"));

/**
 * The order panel: the account's own prices, the order, its preview. What it shows is what the server would fill at. On a phone both prices stand
 * under the thumb instead, and a press opens the order in a sheet.
 */
export function OrderPanel(props: OrderPanelProps & { strip?: Strip }) {
  useSignals();
  const { strip } = props;
  const { account, here, begun, order, errors, pending, refused, waits, priced, kind, terms, deed, seen, set, check, send } = useOrderPanel(props);
  const { symbol, side } = order;
  const inSheet = here && sheetOpen.value;
  const [dialog, setDialog] = useState<"preview" | "shortcuts" | null>(null);
  // When the dialog was last opened; its nights are counted from there.
  const [opened, setOpened] = useState<number | null>(null);
  const show = (which: "preview" | "shortcuts") => {
    setOpened(Date.now());
    setDialog(which);
  };
  const onPreview = async () => (await check(order, "preview")) && priced && show("preview");
  useShortcuts({ preview: () => void onPreview(), help: () => show("shortcuts") });
  const execute = async () => {
    if (refused) return;
    if (!(await send(order))) return;
    setDialog(null);
    sheetOpen.value = false;
  };
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void execute();
  };
  const onSide = (chosen: Side) => {
    selectedSide.value = chosen;
  };
  const onBar = (chosen: Side) => {
    onSide(chosen);
    if (isPhone()) sheetOpen.value = true;
    else document.getElementById("execute-trade")?.scrollIntoView({ block: "start" });
  };
  // The sheet is there when it is pressed for, not a round trip later.
  useEffect(() => {
    if (strip && isPhone()) whenIdle(() => void OrderSheet.ready().catch(() => {}));
  }, [strip]);
  // A press is answered by the sheet's frame; what stands in it comes after that is seen, in place of the form in the page.
  const [isFilled, setFilled] = useState(false);
  useEffect(() => {
    if (!inSheet) return;
    const leave = afterPaint(() => setFilled(true));
    return () => {
      leave();
      setFilled(false);
    };
  }, [inSheet]);
  const filled = inSheet && isFilled;
  const own = { account, symbol, quote: begun, here };
  const tiles = (
    <OwnPrices {...own}>{(prices) => <PriceTiles symbol={symbol} side={side} prices={prices} faded={refused !== null} onSide={onSide} />}</OwnPrices>
  );
  const spread = <OwnPrices {...own}>{(prices) => <Spread symbol={symbol} prices={prices} accountId={account.id} />}</OwnPrices>;
  const form = {
    ...{ order, spread, tiles, kind, terms, deed, priced, waits, errors, pending, onSubmit },
    notice: refused,
    leverage: leverageOf(account, order, (here && positions.value) || []),
    demo: account.isDemo,
    onField: set,
    onPreview: () => void onPreview(),
  };
  return (
    <>
      {inSheet ? <OrderSheet {...form} isFilled={filled} own={own} onClose={() => (sheetOpen.value = false)} /> : null}
      {filled ? null : (
        <div className="desk-form">
          <OrderFrame id="execute-trade" label="Execute Trade" demo={account.isDemo}>
            <OrderForm {...form} onSymbol={pickSymbol} onSide={onSide} />
          </OrderFrame>
        </div>
      )}
      {strip ? <DealBar {...own} faded={refused !== null} strip={strip} onPick={onBar} /> : null}
      {opened !== null ? (
        <OrderDialog
          now={opened}
          shown={priced ? dialog : null}
          order={order}
          own={own}
          leverage={leverageOf(account, order, (here && positions.value) || [])}
          commission={account.commission}
          swap={account.swap}
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
  useLayoutEffect(() => {
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
