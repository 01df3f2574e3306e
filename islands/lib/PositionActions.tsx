import { useRef, useState } from "react";
import { displayMoney } from "../../src/lib/money";
import { cancelOrder, closePosition, type Position } from "../../src/trading/schema";
import { Button } from "../../views/ui/Button";
import { call, newKey } from "./api";
import { attempt } from "./deed";
import { takePosition } from "./desk";
import { toast } from "./toasts";

/** What can be done with a position in its row. Closing acts at once; the key is the position's own, so a second press closes nothing else. */
export function PositionActions({ position, onEdit }: { position: Position; onEdit: () => void }) {
  const [busy, setBusy] = useState(false);
  const key = useRef<string>(undefined);
  const { id, symbol, status } = position;

  const act = async (title: string, deed: () => Promise<Position>) => {
    setBusy(true);
    const done = await attempt(title, deed);
    setBusy(false);
    if (done) takePosition(done);
    return done;
  };
  const close = async () => {
    key.current ??= newKey();
    const done = await act("Closing failed", () => call(closePosition, {}, { params: { id }, idempotencyKey: key.current }));
    if (done) toast({ title: "Position closed", description: `${symbol} closed with ${displayMoney(done.profit ?? "0.00", { sign: true })}` });
    else key.current = undefined;
  };
  const cancel = async () => {
    const done = await act("Cancelling failed", () => call(cancelOrder, undefined, { params: { id } }));
    if (done) toast({ title: "Order cancelled", description: `The waiting order on ${symbol} was cancelled.` });
  };
  return (
    <span className="js-only inline-flex gap-2">
      <Button look="quiet" size="small" disabled={busy} aria-label={`Edit ${symbol}`} onClick={onEdit}>
        Edit
      </Button>
      {status === "pending" ? (
        <Button look="secondary" size="small" disabled={busy} aria-label={`Cancel ${symbol}`} onClick={() => void cancel()}>
          {busy ? "Cancelling..." : "Cancel"}
        </Button>
      ) : (
        <Button look="secondary" size="small" disabled={busy} aria-label={`Close ${symbol}`} onClick={() => void close()}>
          {busy ? "Closing..." : "Close"}
        </Button>
      )}
    </span>
  );
}
