import { useEffect } from "react";
import { may } from "../../src/lib/may";
import { type DayBook, readDay } from "../../src/admin/schema_days";
import { DayFigures } from "../../views/admin/DayFigures";
import { shortDay } from "../../views/admin/day_words";
import { panelTab } from "../../views/ui/staff/address";
import { Button } from "../../views/ui/Button";
import { island } from "../runtime/island";
import { later } from "../runtime/later";
import { useAsked, useLive } from "../runtime/live_list";
import { useNow } from "../runtime/now";
import { LostNotice } from "../ui/LostNotice";
import { call } from "../wire/api";

/** However much happens, the figures are read no more often than this, in ms. */
const REST_MS = 2000;
const ABOUT = ["deposit", "withdrawal", "person", "correction", "trade", "account", "ticket", "chat", "contact", "day"] as const;

const CloseDay = later(() => import("./CloseDay"));

/** A day's figures, kept current, and its closing. */
export function AdminToday({ book, asks, now }: { book: DayBook; asks: boolean; now: string }) {
  const { value, lost } = useLive(book, () => call(readDay, undefined, { params: { day: book.day }, query: {} }), ABOUT, { rest: REST_MS });
  const clock = useNow(now);
  const [asked, ask, close] = useAsked<string>();
  const { next, behind } = value.closing;
  useEffect(() => {
    if (!asks) return;
    // A reload, or the way back, asks no more.
    history.replaceState(null, "", panelTab("today"));
    if (next && may("days.close")) ask(next);
    // Only whoever comes is asked, whatever is closed meanwhile.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  return (
    <div className="flex flex-col gap-3">
      {lost ? <LostNotice /> : null}
      {next && may("days.close") ? (
        <div className="js-only flex flex-wrap items-center gap-x-3 gap-y-1">
          <Button size="small" onClick={() => ask(next)}>{`Close ${shortDay(next)}`}</Button>
          <span className="text-table text-soft">
            {behind > 1 ? `${behind} days wait to be closed; ${shortDay(next)} comes first.` : "This day is over and not closed yet."}
          </span>
        </div>
      ) : asks && !next ? (
        <p className="text-table text-soft">No day waits to be closed: {shortDay(value.today)} is not over yet (days are in UTC).</p>
      ) : null}
      <DayFigures book={value} now={clock} />
      {asked ? <CloseDay day={asked} onClose={close} /> : null}
    </div>
  );
}

export default island("AdminToday", AdminToday);
