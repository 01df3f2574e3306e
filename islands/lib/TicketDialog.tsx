import Shortcuts from "../../views/portal/Shortcuts";
import TradePreview from "../../views/portal/TradePreview";
import { Button } from "../../views/ui/Button";
import { Dialog } from "../../views/ui/Dialog";
import type { ComponentProps } from "react";
import type { Order } from "./order";
import { OwnPrices } from "./ticket";

type Props = {
  shown: "preview" | "shortcuts" | null;
  order: Order;
  /** Whose prices, in what. */
  own: Omit<ComponentProps<typeof OwnPrices>, "children">;
  leverage: string;
  /** Nothing can be executed now. */
  refused: boolean;
  onExecute: () => void;
  onClose: () => void;
};

/** What the order panel opens over the page. */
export default function TicketDialog({ shown, order, own, leverage, refused, onExecute, onClose }: Props) {
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
            <Button look="secondary" onClick={onClose}>
              Close Preview
            </Button>
            <Button look={order.side} disabled={refused} onClick={onExecute}>
              {order.side === "buy" ? "Confirm & Execute BUY" : "Confirm & Execute SELL"}
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
