import Shortcuts from "../../views/trading/Shortcuts";
import { sideWord } from "../../src/trading/rules_prices";
import { liveMark } from "../../views/trading/OrderFrame";
import TradePreview from "../../views/trading/TradePreview";
import { Button } from "../../views/ui/Button";
import { Dialog } from "../../views/ui/Dialog";
import type { ComponentProps } from "react";
import { orderWords } from "../../src/trading/rules_waiting";
import { pricesAt } from "../../src/trading/rules_written";
import type { Order, Seen } from "./order_ways";
import { sentenceOf } from "./order_terms";
import { OwnPrices } from "./order_panel";

type Props = {
  shown: "preview" | "shortcuts" | null;
  order: Order;
  /** Whose prices, in what. */
  own: Omit<ComponentProps<typeof OwnPrices>, "children">;
  now: number;
  leverage: string;
  commission: string | undefined;
  swap: ComponentProps<typeof TradePreview>["swap"];
  demo: boolean;
  seen: () => Seen;
  /** Nothing can be executed now. */
  refused: boolean;
  onExecute: () => void;
  onClose: () => void;
};

/** What the order panel opens over the page. */
export default function OrderDialog({ shown, order, own, now, leverage, commission, swap, demo, seen, refused, onExecute, onClose }: Props) {
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
              {`Confirm & ${order.orderType === "market" ? `Execute ${sideWord(order.side)}` : `Place ${orderWords({ ...order, type: order.side })}`}${liveMark(demo)}`}
            </Button>
          </>
        }
      >
        <OwnPrices {...own}>
          {(prices) =>
            prices && (
              <TradePreview {...order} sentence={sentenceOf(order, seen())} prices={pricesAt(order, prices)} {...{ leverage, commission, swap }} now={now} />
            )
          }
        </OwnPrices>
      </Dialog>
      <Dialog id="shortcuts" title="Keyboard shortcuts" open={shown === "shortcuts"} onClose={() => shown === "shortcuts" && onClose()}>
        <Shortcuts />
      </Dialog>
    </>
  );
}
