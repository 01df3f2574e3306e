import AdminToday from "../../islands/admin/AdminToday";
import type { DayBook } from "../../src/admin/schema_days";
import { panelTab } from "../ui/staff/address";
import { ExportLink, FilterForm } from "../ui/staff/Filters";
import { dayAddress, dayBeside, dayName } from "./day_words";

/** `asks`: whoever came wants to close the day that comes next. */
type Props = { book: DayBook; asks: boolean; now: string };
const LINK = "inline-flex min-h-11 items-center rounded-control px-3 text-table text-accent no-underline hover:bg-accent-soft md:min-h-9";

/** The Today tab: this day or an earlier one, and the way to the others. */
export const TodayPage = ({ book, asks, now }: Props) => (
  <div className="flex flex-col gap-3">
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <h2 className="text-base font-semibold">{book.day === book.today ? `Today, ${dayName(book.day)}` : dayName(book.day)}</h2>
      <span className="text-note text-soft">00:00 to 24:00 UTC, as on statements</span>
      <nav aria-label="Days" className="flex flex-wrap md:ml-auto">
        <a href={dayAddress(dayBeside(book.day, -1))} className={LINK}>
          Day before
        </a>
        {book.day < book.today ? (
          <a href={dayAddress(dayBeside(book.day, 1))} className={LINK}>
            Day after
          </a>
        ) : null}
      </nav>
      <ExportLink path={`/api/admin/days/${book.day}`} query={{}} />
      <a href={`/admin/days/${book.day}`} className={LINK}>
        To print
      </a>
      <FilterForm at={panelTab("today")} query={{ day: book.day }} label="Show a day" fields={[{ name: "day", label: "Day (UTC)", type: "date" }]} />
    </div>
    <AdminToday book={book} asks={asks} now={now} />
  </div>
);
