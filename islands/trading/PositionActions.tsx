import { useSignals } from "@preact/signals-react/runtime";
import { type MouseEvent, useState } from "react";
import { displayMoney } from "../../src/lib/money";
import { closePosition, type Position } from "../../src/trading/schema";
import { sideWord } from "../../src/trading/rules_prices";
import { Button, ButtonLink } from "../../views/ui/Button";
import { ApiError } from "../wire/api";
import { tellRefusal } from "../wire/attempt";
import { later } from "../runtime/later";
import { positions, takePosition } from "../runtime/trading_store";
import { sendOnce } from "../wire/intent";
import { toast } from "../wire/toasts";
import { closingChoice, holdClosing, secondsLeft, undoClosing } from "./closing";

const CloseDialog = later(() => import("../../views/trading/CloseDialog"));

type Props = {
  position: Position;
  /** Its account's money is virtual. */
  demo: boolean;
  /** What the position would close at as the screen shows it at this moment. */
  priceNow: () => string | null;
  onEdit: () => void;
};

/** What can be done with a position in its row. Virtual money is closed at once, live money as its owner chose. */
export function PositionActions({ position, demo, priceNow, onEdit }: Props) {
  useSignals();
  const [busy, setBusy] = useState(false);
  const [asking, setAsking] = useState(false);
  const { id, symbol } = position;
  const left = secondsLeft.value[id];
  const words = `${sideWord(position.type)} ${symbol} ${displayMoney(position.amount)}`;

  const act = async (failed: string, action: () => Promise<Position>, done: (position: Position) => { title: string; description: string }) => {
    setBusy(true);
    try {
      const news = await action();
      takePosition(news);
      toast(done(news));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      tellRefusal(failed, error);
    } finally {
      setBusy(false);
    }
  };
  const send = () =>
    act(
      "Closing failed",
      () => sendOnce(closePosition, {}, { id }, { currentPrice: priceNow() }),
      ({ profit }) => ({ title: "Position closed", description: `${symbol} closed with ${displayMoney(profit ?? "0.00", { sign: true })}` }),
    );
  const close = () => {
    const choice = demo ? "now" : closingChoice();
    if (choice === "now") void send();
    else if (choice === "ask") setAsking(true);
    // Another tab, or its stop, may have closed it meanwhile.
    else holdClosing(id, words, async () => positions.peek()?.some((each) => each.id === id) && send());
  };
  const confirm = async () => {
    await send();
    setAsking(false);
  };
  if (left !== undefined)
    return (
      // The second press of a double click is no second thought.
      <Button variant="secondary" size="small" aria-label={`Undo closing ${symbol}`} onClick={({ detail }) => detail < 2 && undoClosing(id)}>
        Undo ({left} s)
      </Button>
    );
  return (
    <span className="inline-flex gap-2 md:max-lg:flex-col">
      <EditLink id={id} of={symbol} onEdit={onEdit} />
      <Button
        variant="secondary"
        size="small"
        className="js-only"
        disabled={busy}
        aria-label={`Close ${symbol}`}
        data-plain={`/positions/${id}/close`}
        onClick={close}
      >
        {busy ? "Closing..." : "Close"}
      </Button>
      <noscript>
        <ButtonLink variant="secondary" size="small" href={`/positions/${id}/close`} aria-label={`Close ${symbol}`}>
          Close
        </ButtonLink>
      </noscript>
      {asking ? (
        <CloseDialog
          id={`close-${id}`}
          title={`Close ${symbol}`}
          open
          busy={busy}
          words={{ keep: "Keep it open", close: "Close position" }}
          onClose={() => setAsking(false)}
          onConfirm={() => void confirm()}
        >
          {words} of live money closes at its current price.
        </CloseDialog>
      ) : null}
    </span>
  );
}

/** Opens the dialog; without scripts, or in another tab, the page. */
export function EditLink({ id, of, onEdit }: { id: string; of: string; onEdit: () => void }) {
  const edit = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    onEdit();
  };
  return (
    <ButtonLink variant="quiet" size="small" href={`/positions/${id}/edit`} aria-label={`Edit ${of}`} onClick={edit}>
      Edit
    </ButtonLink>
  );
}
