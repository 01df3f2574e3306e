import { useRef, useState } from "react";
import { displayMoney } from "../../src/lib/money";
import { cancelOrder, closePosition, type Position } from "../../src/trading/schema";
import { Button } from "../../views/ui/Button";
import { ApiError, call, newKey } from "./api";
import { takePosition } from "./desk";
import { toast } from "./toasts";

type Props = {
  position: Position;
  /** What the position would close at as the screen shows it at this moment. */
  priceNow: () => string | null;
  onEdit: () => void;
};
type Closing = { key: string; currentPrice: string | null };

/** What can be done with a position in its row. Closing acts at once; a closing whose answer was lost is sent again word for word. */
export function PositionActions({ position, priceNow, onEdit }: Props) {
  const [busy, setBusy] = useState(false);
  const unanswered = useRef<Closing | null>(null);
  const { id, symbol, status } = position;

  const act = async (failed: string, deed: () => Promise<Position>, done: (position: Position) => { title: string; description: string }) => {
    setBusy(true);
    try {
      const news = await deed();
      takePosition(news);
      toast(done(news));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status !== 0) unanswered.current = null;
      toast({ title: failed, description: error.message, variant: "destructive" });
    } finally {
      setBusy(false);
    }
  };
  const close = () => {
    const closing = (unanswered.current ??= { key: newKey(), currentPrice: priceNow() });
    const { key, currentPrice } = closing;
    return act(
      "Closing failed",
      () => call(closePosition, { currentPrice }, { params: { id }, idempotencyKey: key }),
      ({ profit }) => ({ title: "Position closed", description: `${symbol} closed with ${displayMoney(profit ?? "0.00", { sign: true })}` }),
    );
  };
  const cancel = () =>
    act(
      "Cancelling failed",
      () => call(cancelOrder, undefined, { params: { id } }),
      () => ({ title: "Order cancelled", description: `The waiting order on ${symbol} was cancelled.` }),
    );
  const pending = status === "pending";
  return (
    <span className="js-only inline-flex gap-2">
      <Button look="quiet" size="small" disabled={busy} aria-label={`Edit ${symbol}`} onClick={onEdit}>
        Edit
      </Button>
      <Button
        look="secondary"
        size="small"
        disabled={busy}
        aria-label={`${pending ? "Cancel" : "Close"} ${symbol}`}
        onClick={() => void (pending ? cancel() : close())}
      >
        {pending ? (busy ? "Cancelling..." : "Cancel") : busy ? "Closing..." : "Close"}
      </Button>
    </span>
  );
}
