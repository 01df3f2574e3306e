import Shortcuts from "../../views/trading/Shortcuts";
import { sideWord } from "../../src/trading/rules_prices";
import { liveMark } from "../../views/trading/OrderFrame";
import TradePreview from "../../views/trading/TradePreview";
import { Button } from "../../views/ui/Button";
import { Dialog } from "../../views/ui/Dialog";
import type { ComponentProps } from "react";
import type { Order } from "./order";
import { OwnPrices } from "./order_panel";

type Props = {
  shown: "preview" | "shortcuts" | null;
  order: Order;
  /** Whose prices, in what. */
  own: Omit<ComponentProps<typeof OwnPrices>, "children">;
  leverage: string;
  demo: boolean;
  /** Nothing can be executed now. */
  refused: boolean;
  onExecute: () => void;
  onClose: () => void;
};

/** What the order panel opens over the page. */
export default function OrderDialog({ shown, order, own, leverage, demo, refused, onExecute, onClose }: Props) {
  return (
    <>
      <Dialog
        id="trade-preview"
        title="Trade Preview Analysis"
        wide
        open={shown === "preview"}
        onClose={() => shown === "preview" && onClose()}
        footer={
          <>
            <Button variant="secondary" onClick={onClose}>
              Close Preview
            </Button>
            <Button variant={order.side} disabled={refused} onClick={onExecute}>
              {`Confirm & Execute ${sideWord(order.side)}${liveMark(demo)}`}
            </Button>
          </>
        }
      >
        <OwnPrices {...own}>{(prices) => prices && <TradePreview {...order} prices={prices} leverage={leverage} />}</OwnPrices>
      </Dialog>
      <Dialog id="shortcuts" title="Keyboard shortcuts" open={shown === "shortcuts"} onClose={() => shown === "shortcuts" && onClose()}>
        <Shortcuts />
      </Dialog>
    </>
  );
}
