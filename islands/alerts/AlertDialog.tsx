import { useSignals } from "@preact/signals-react/runtime";
import { type SubmitEvent, useEffect, useState } from "react";
import { type Alert, alertBody, alertConditions, type AlertSide, alertSides, LONGEST_NOTE, setAlert } from "../../src/alerts/schema";
import { fit } from "../../src/lib/fit";
import { plainPrice, priceText, priceUnits } from "../../src/lib/money";
import { DAY, HOUR } from "../../src/lib/time";
import { instrumentOf } from "../../src/market/rules_listed";
import { offeredInstruments } from "../../src/market/rules_terms";
import { alertPrice, CONDITION_WORDS, conditionText, SIDE_WORDS, WHICH_PRICE } from "../../views/alerts/words";
import { Button } from "../../views/ui/Button";
import { Dialog } from "../../views/ui/Dialog";
import { Field, SelectField } from "../../views/ui/Field";
import { Notice } from "../../views/ui/States";
import { quoteOf } from "../runtime/trading_store";
import { ApiError } from "../wire/api";
import { sendOnce } from "../wire/intent";
import { toast } from "../wire/toasts";
import { takeAlert } from "./store";

/** How long an alert waits, in ms; 0: until it is deleted. */
const LASTING = [
  { ms: 0, label: "Until I delete it" },
  { ms: HOUR, label: "One hour" },
  { ms: DAY, label: "One day" },
  { ms: 7 * DAY, label: "One week" },
  { ms: 30 * DAY, label: "30 days" },
];

type Props = { symbol: string; /** Where the dialog begins; else at the price of the moment. */ price?: string | undefined; onClose: () => void };

/** Sets an alert. Rendered only while it is open. */
export function AlertDialog({ symbol: first, price: given, onClose }: Props) {
  useSignals();
  const [symbol, setSymbol] = useState(first);
  const [side, setSide] = useState<AlertSide>("mid");
  const [written, setWritten] = useState<string | null>(given ?? null);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [refusal, setRefusal] = useState<string | null>(null);
  const [pending, setPending] = useState(false);
  const now = priceNow(symbol, side, quoteOf(symbol).value);
  // The field begins with the price of the moment and then stands still: nobody types against a moving number.
  const [began] = useState(() => priceNow(first, "mid", quoteOf(first).peek()));
  useEffect(() => document.querySelector<HTMLInputElement>("#alert-price")?.select(), []);

  const onSubmit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const textOf = (name: string) => String(form.get(name) ?? "").trim();
    const lasts = Number(textOf("lasts"));
    const body = {
      symbol,
      side,
      condition: textOf("condition") as Alert["condition"],
      price: textOf("price"),
      note: textOf("note"),
      // To the minute, so that a second press on a lost answer sends the same wish.
      expiresAt: lasts ? new Date(Math.ceil((Date.now() + lasts) / 60_000) * 60_000).toISOString() : null,
    };
    const checked = fit(alertBody, body);
    setRefusal(null);
    setErrors(checked.ok ? {} : checked.fields);
    if (!checked.ok) return;
    setPending(true);
    try {
      const made = await sendOnce(setAlert, body);
      takeAlert(made);
      toast({ title: "Alert set", description: `You are told once: ${symbol} ${conditionText(made)}.` });
      onClose();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setErrors(error.fields);
      if (!Object.keys(error.fields).length) setRefusal(error.message);
    } finally {
      setPending(false);
    }
  };

  return (
    <Dialog
      id="alert"
      title="Set a price alert"
      open
      onClose={onClose}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form="alert-form" disabled={pending}>
            {pending ? "Setting..." : "Set alert"}
          </Button>
        </>
      }
    >
      <form id="alert-form" noValidate onSubmit={(event) => void onSubmit(event)} className="flex flex-col gap-4">
        <SelectField
          id="alert-symbol"
          name="symbol"
          label="Instrument"
          value={symbol}
          error={errors.symbol}
          onChange={({ target }) => {
            setSymbol(target.value);
            setWritten(priceNow(target.value, side, quoteOf(target.value).peek()) ?? "");
          }}
        >
          {offeredInstruments().map((each) => (
            <option key={each.symbol} value={each.symbol}>
              {each.symbol}
            </option>
          ))}
        </SelectField>
        <div className="grid grid-cols-2 items-start gap-4">
          <SelectField
            id="alert-side"
            name="side"
            label="Price"
            value={side}
            error={errors.side}
            onChange={({ target }) => setSide(alertSides.find((each) => each === target.value) ?? "mid")}
          >
            {alertSides.map((each) => (
              <option key={each} value={each}>
                {SIDE_WORDS[each]}
              </option>
            ))}
          </SelectField>
          <SelectField id="alert-condition" name="condition" label="Condition" defaultValue="crosses" error={errors.condition}>
            {alertConditions.map((each) => (
              <option key={each} value={each}>
                {CONDITION_WORDS[each]}
              </option>
            ))}
          </SelectField>
        </div>
        <Field
          id="alert-price"
          name="price"
          type="number"
          inputMode="decimal"
          min={0}
          step="any"
          label="At"
          hint={now ? `${SIDE_WORDS[side]} is ${alertPrice(now, symbol)} now. ${WHICH_PRICE}` : WHICH_PRICE}
          value={written ?? began ?? ""}
          onChange={({ target }) => setWritten(target.value)}
          error={errors.price}
        />
        <SelectField id="alert-lasts" name="lasts" label="Waits" defaultValue="0" error={errors.expiresAt}>
          {LASTING.map(({ ms, label }) => (
            <option key={ms} value={ms}>
              {label}
            </option>
          ))}
        </SelectField>
        <Field id="alert-note" name="note" label="Note" maxLength={LONGEST_NOTE} autoComplete="off" placeholder="Optional" error={errors.note} />
        {refusal ? <Notice kind="error">{refusal}</Notice> : null}
      </form>
    </Dialog>
  );
}

/** That side's price as one writes it into a field; null before the first quote. */
function priceNow(symbol: string, side: AlertSide, quote: { bid: string; ask: string } | null): string | null {
  if (!quote) return null;
  const mid = () => priceText(Math.round((priceUnits(quote.bid) + priceUnits(quote.ask)) / 2));
  return plainPrice(side === "mid" ? mid() : quote[side], instrumentOf(symbol)?.digits ?? 5);
}
