import { type SubmitEvent, useState } from "react";
import { fit } from "../../src/lib/fit";
import { displayMoney } from "../../src/lib/money";
import { closePosition, type Position } from "../../src/trading/schema";
import { editAny } from "../../src/trading/schema_orders";
import { sideWord } from "../../src/trading/rules_prices";
import { changedTerms, partFaults, type Term, type Written, writtenTerms } from "../../src/trading/rules_terms";
import { orderSentence, orderWords, termWords } from "../../src/trading/rules_waiting";
import { TermFields } from "../../views/trading/TermFields";
import { Button } from "../../views/ui/Button";
import { Dialog } from "../../views/ui/Dialog";
import { Field } from "../../views/ui/Field";
import { Notice } from "../../views/ui/States";
import { ApiError, call } from "../wire/api";
import { attempt, tellRefusal } from "../wire/attempt";
import { unreadable, useFaultFocus } from "../runtime/field_faults";
import { takePosition } from "../runtime/trading_store";
import { sendOnce } from "../wire/intent";
import { toast } from "../wire/toasts";
import { closingChoice, holdClosing } from "./closing";

type Props = {
  /** As it was when the dialog was opened; null: it is closed. */
  position: Position | null;
  /** As it is now; undefined: it is over. */
  now: Position | undefined;
  /** Its account's money is virtual. */
  demo: boolean;
  onClose: () => void;
};

const DIALOG = "position";

/** Changes what an order waits for, or stop, target and what moves the stop of a position; closes a part of one. */
export default function PositionDialog({ position, ...rest }: Props) {
  const title = position && `${position.status === "pending" ? orderWords(position) : sideWord(position.type)} ${position.symbol}`;
  return (
    <Dialog id={DIALOG} title={title ?? "Position"} open={position !== null} onClose={rest.onClose}>
      {position ? <Forms key={position.id} position={position} {...rest} /> : null}
    </Dialog>
  );
}

/** What became of a position or an order while it was looked at; null while it is what it was. What the price moves of it is none of that. */
function newsOf(position: Position, now: Position | undefined): string | null {
  if (now?.status !== position.status) {
    if (position.status === "open") return "This position is closed by now.";
    return now ? "This order was filled meanwhile: it is an open position now." : "This order no longer waits.";
  }
  const [was, is] = [writtenTerms(position), writtenTerms(now)];
  const isFollowing = now.trailingDistance !== null || now.breakEvenAt !== null;
  const changed = (Object.keys(is) as Term[]).filter((term) => is[term] !== was[term] && !(term === "stopLoss" && isFollowing));
  if (changed.length === 0) return null;
  const words = changed.map((term) => `${term === "expiresAt" ? "Expires (UTC)" : termWords(now.orderType)[term]}: ${is[term]?.replace("T", " ") || "none"}`);
  return `It was changed meanwhile. ${words.join(", ")}. This form changes only what you write in it.`;
}

function Forms({ position, now, demo, onClose }: Omit<Props, "position"> & { position: Position }) {
  const { id, symbol, orderType } = position;
  const waits = position.status === "pending";
  const [shown] = useState(() => writtenTerms(position));
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [busy, setBusy] = useState<"terms" | "part" | null>(null);
  /** What was said as it was sent: the stream may tell what this form does before the answer does. */
  const [said, setSaid] = useState<string | null>(null);
  const news = busy ? said : newsOf(position, now);
  const seekFault = useFaultFocus(errors, DIALOG);
  const refuse = (fields: Record<string, string>) => {
    seekFault();
    setErrors(fields);
  };

  const act = async (what: "terms" | "part", title: string, action: () => Promise<Position>, words: (done: Position) => string) => {
    setSaid(news);
    setBusy(what);
    try {
      const done = await action();
      takePosition(done);
      toast({ title, description: words(done) });
      onClose();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      refuse(error.fields);
      if (!Object.keys(error.fields).length) tellRefusal("That did not work", error);
    } finally {
      setBusy(null);
    }
  };
  const onTerms = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const unread = unreadable(event.currentTarget);
    if (Object.keys(unread).length) return refuse(unread);
    const body = changedTerms(Object.fromEntries(new FormData(event.currentTarget)) as Written, shown);
    if (!Object.keys(body).length) return onClose();
    const checked = fit(editAny.body, body);
    refuse(checked.ok ? {} : checked.fields);
    if (checked.ok)
      void act(
        "terms",
        waits ? "Order changed" : "Position changed",
        () => call(editAny, checked.value, { params: { id } }),
        (done) => (done.status === "pending" ? orderSentence(done, Date.now()) : `What closes ${symbol} is set.`),
      );
  };
  const onPart = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const body = { amount: String(new FormData(event.currentTarget).get("amount") ?? "").trim() };
    const faults = partFaults(body, position.amount);
    refuse(faults);
    if (Object.keys(faults).length) return;
    const send = () => sendOnce(closePosition, body, { id });
    const words = (done: Position) => `${displayMoney(done.amount)} of ${symbol} closed with ${displayMoney(done.profit ?? "0.00", { sign: true })}`;
    if (demo || closingChoice() !== "undo") return void act("part", "Position closed", send, words);
    onClose();
    holdClosing(id, `${displayMoney(body.amount)} of ${symbol}`, async () => {
      const done = await attempt("Closing failed", send);
      if (!done) return;
      takePosition(done);
      toast({ title: "Position closed", description: words(done) });
    });
  };
  return (
    <div className="flex flex-col gap-6">
      {news ? <Notice kind="warning">{news}</Notice> : null}
      <form noValidate onSubmit={onTerms} className="flex flex-col gap-4">
        <TermFields orderType={orderType} shown={shown} errors={errors} />
        <Button type="submit" disabled={busy !== null}>
          {busy === "terms" ? "Saving..." : "Save changes"}
        </Button>
      </form>
      {waits ? null : (
        <form noValidate onSubmit={onPart} className="flex flex-col gap-4 border-t border-line pt-6">
          <Field
            id="position-amount"
            name="amount"
            type="number"
            inputMode="decimal"
            min={0}
            step="0.01"
            label="Amount to close ($)"
            hint={`At most ${displayMoney(position.amount)}.`}
            defaultValue={position.amount}
            error={errors.amount}
          />
          <Button type="submit" variant="secondary" disabled={busy !== null}>
            {busy === "part" ? "Closing..." : "Close this amount"}
          </Button>
        </form>
      )}
    </div>
  );
}
