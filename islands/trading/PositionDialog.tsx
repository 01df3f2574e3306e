import { type SubmitEvent, useState } from "react";
import { fit } from "../../src/lib/fit";
import { displayMoney, plainPrice } from "../../src/lib/money";
import { closePosition, editPosition, type Position } from "../../src/trading/schema";
import { dealDigitsOf, sideWord } from "../../src/trading/rules_prices";
import { Button } from "../../views/ui/Button";
import { Dialog } from "../../views/ui/Dialog";
import { Field } from "../../views/ui/Field";
import { ApiError, call } from "../wire/api";
import { attempt, tellRefusal } from "../wire/attempt";
import { takePosition } from "../runtime/trading_store";
import { sendOnce } from "../wire/intent";
import { toast } from "../wire/toasts";
import { closingChoice, holdClosing } from "./closing";

/** Moves a position's stop and target, or closes a part of it. Null: closed. */
export function PositionDialog({ position, ...rest }: Omit<FormsProps, "position"> & { position: Position | null }) {
  return (
    <Dialog id="position" title={position ? `${sideWord(position.type)} ${position.symbol}` : "Position"} open={position !== null} onClose={rest.onClose}>
      {position ? <Forms key={position.id} position={position} {...rest} /> : null}
    </Dialog>
  );
}

type FormsProps = { position: Position; /** Its account's money is virtual. */ demo: boolean; onClose: () => void };

function Forms({ position, demo, onClose }: FormsProps) {
  const { id, symbol } = position;
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [busy, setBusy] = useState<"exits" | "part" | null>(null);

  const act = async (what: "exits" | "part", title: string, action: () => Promise<Position>, said: (done: Position) => string) => {
    setBusy(what);
    try {
      const done = await action();
      takePosition(done);
      toast({ title, description: said(done) });
      onClose();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setErrors(error.fields);
      if (!Object.keys(error.fields).length) tellRefusal("That did not work", error);
    } finally {
      setBusy(null);
    }
  };
  const onExits = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const body = { stopLoss: textOf(form, "stopLoss") || null, takeProfit: textOf(form, "takeProfit") || null };
    const checked = fit(editPosition.body, body);
    setErrors(checked.ok ? {} : checked.fields);
    if (checked.ok)
      void act(
        "exits",
        "Position changed",
        () => call(editPosition, body, { params: { id } }),
        () => `Stop loss and take profit of ${symbol} are set.`,
      );
  };
  const onPart = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const body = { amount: textOf(new FormData(event.currentTarget), "amount") };
    const checked = fit(closePosition.body, body);
    setErrors(checked.ok ? {} : checked.fields);
    if (!checked.ok) return;
    const send = () => sendOnce(closePosition, body, { id });
    const said = (done: Position) => `${displayMoney(done.amount)} of ${symbol} closed with ${displayMoney(done.profit ?? "0.00", { sign: true })}`;
    if (demo || closingChoice() !== "undo") return void act("part", "Position closed", send, said);
    onClose();
    holdClosing(id, `${displayMoney(body.amount)} of ${symbol}`, async () => {
      const done = await attempt("Closing failed", send);
      if (!done) return;
      takePosition(done);
      toast({ title: "Position closed", description: said(done) });
    });
  };
  const exit = (name: "stopLoss" | "takeProfit", label: string) => (
    <Field
      id={`position-${name}`}
      name={name}
      type="number"
      inputMode="decimal"
      min={0}
      step="any"
      label={label}
      placeholder="None"
      defaultValue={position[name] ? plainPrice(position[name], dealDigitsOf(symbol)) : ""}
      error={errors[name]}
    />
  );
  return (
    <div className="flex flex-col gap-6">
      <form noValidate onSubmit={onExits} className="flex flex-col gap-4">
        <div className="grid grid-cols-2 items-start gap-4">
          {exit("stopLoss", "Stop loss price")}
          {exit("takeProfit", "Take profit price")}
        </div>
        <Button type="submit" disabled={busy !== null}>
          {busy === "exits" ? "Saving..." : "Save stop and target"}
        </Button>
      </form>
      {position.status === "open" ? (
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
      ) : null}
    </div>
  );
}

const textOf = (form: FormData, name: string) => String(form.get(name) ?? "").trim();
