import { useEffect, useState } from "react";
import * as v from "valibot";
import { closeDay, type DayBook, readDay } from "../../src/admin/schema_days";
import { displayMoney } from "../../src/lib/money";
import { dayName, shortDay } from "../../views/admin/day_words";
import { Delta } from "../../views/ui/Price";
import { ActionDialog } from "../ui/ActionDialog";
import { attempt } from "../wire/attempt";
import { call } from "../wire/api";
import { toast } from "../wire/toasts";

const NOTHING = v.object({});

/** Asks before a day is closed, with the figures that are then written down. */
export default function CloseDay({ day, onClose }: { day: string; onClose: () => void }) {
  const [book, setBook] = useState<DayBook | null>(null);
  useEffect(() => {
    void attempt("The day could not be read", () => call(readDay, undefined, { params: { day }, query: {} })).then(setBook);
  }, [day]);
  return (
    <ActionDialog
      id="close-day"
      title={`Close ${dayName(day)}`}
      consequence="Its figures are written down for good, in the audit book. What changes afterwards is shown beside them."
      schema={NOTHING}
      names={[]}
      begin="button"
      ready={book !== null}
      fields={() =>
        book ? (
          <dl className="grid grid-cols-[1fr_auto] gap-x-6 gap-y-1">
            <dt>House's result</dt>
            <dd className="text-right">
              <Delta value={displayMoney(book.figures.house)} />
            </dd>
            <dt>Money in</dt>
            <dd className="text-right tabular-nums">{displayMoney(book.figures.moneyIn)}</dd>
            <dt>Money out</dt>
            <dd className="text-right tabular-nums">{displayMoney(book.figures.moneyOut)}</dd>
          </dl>
        ) : (
          <p className="text-soft">Reading the day…</p>
        )
      }
      submit="Close the day"
      busy="Closing..."
      failed="The day was not closed"
      send={async () => {
        await call(closeDay, undefined, { params: { day } });
        toast({ title: `${shortDay(day)} is closed`, description: "Its figures are in the audit book." });
      }}
      onClose={onClose}
    />
  );
}
