import { type ComponentProps, type ReactNode, useEffect } from "react";
import { OrderSheetForm } from "../../views/trading/OrderSheetForm";
import { OrderGlance } from "../../views/trading/OrderGlance";
import { Dialog } from "../../views/ui/Dialog";
import { pricesAt } from "../../src/trading/rules_written";
import { OwnPrices } from "./order_panel";

type Form = Omit<ComponentProps<typeof OrderSheetForm>, "glance">;
type Props = Form & {
  /** Whose prices, in what. */
  own: Omit<ComponentProps<typeof OwnPrices>, "children">;
  /** Until then its frame stands alone. */
  isFilled: boolean;
  onClose: () => void;
};

/** The order on a phone, in a sheet: what would be confirmed stands at its foot, above the keyboard. */
export default function OrderSheet({ own, isFilled, onClose, ...form }: Props) {
  const { order, leverage } = form;
  useEffect(() => {
    if (isFilled) document.getElementById("execute-trade")?.focus({ preventScroll: true });
  }, [isFilled]);
  // While what it waits for can't be read, it is reckoned at the price of now.
  const at = /^\d{1,8}(\.\d{1,8})?$/.test(order.triggerPrice ?? "") ? order : { ...order, triggerPrice: "" };
  const glance: ReactNode = (
    <OwnPrices {...own}>{(prices) => prices && <OrderGlance {...order} prices={pricesAt(at, prices)} leverage={leverage} />}</OwnPrices>
  );
  return (
    <Dialog id="order-sheet" title={`${form.demo ? "Demo" : "Live"} order, ${order.symbol}`} open onClose={onClose} bare isModal={isFilled}>
      {isFilled ? <OrderSheetForm {...form} glance={glance} /> : <div className="h-96" />}
    </Dialog>
  );
}
