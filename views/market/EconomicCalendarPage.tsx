import CalendarTable from "../../islands/market/CalendarTable";
import { CALENDAR_CURRENCIES, type CalendarCurrency, IMPACTS, type Impact } from "../../src/market/rules_calendar";
import { Button, ButtonLink } from "../ui/Button";
import { SelectField } from "../ui/Field";
import { EmptyState, Notice } from "../ui/States";
import type { CalendarRow } from "./calendar_row";
import { titled } from "../ui/titled";

export type CalendarFilter = { currency: CalendarCurrency | ""; impact: Impact | "" };
type Props = { rows: CalendarRow[]; filter: CalendarFilter; now: string };

/** What comes back by rules of the calendar, and when next. Its filters are a form that needs no script. */
export const EconomicCalendarPage = ({ rows, filter, now }: Props) => (
  <div className="mx-auto flex w-full max-w-[70rem] flex-col gap-6 px-4 py-6 md:px-6">
    <div>
      <h1 className="text-title font-semibold">Economic Calendar</h1>
      <p className="mt-1 max-w-[46rem] text-soft">The next four weeks, and of rarer events the next one.</p>
    </div>
    <Notice title="This calendar is computed from recurring rules. It is not news.">
      Each date follows from the rule beside it, such as the first Friday of a month. No source is asked: an authority may move a release, and no figures or
      forecasts are shown. Events that follow no rule, central banks’ meetings above all, are not listed.
    </Notice>
    <form method="get" action="/economic-calendar" aria-label="Filters" className="grid grid-cols-2 items-end gap-x-3 gap-y-4 sm:flex sm:gap-4">
      <Choice name="currency" label="Currency" all="All currencies" value={filter.currency} options={CALENDAR_CURRENCIES} />
      <Choice name="impact" label="Impact" all="Any impact" value={filter.impact} options={IMPACTS} />
      <Button type="submit" variant="secondary" className="max-sm:col-span-2">
        Filter
      </Button>
    </form>
    {rows.length === 0 ? (
      <EmptyState
        icon="search"
        title="No event matches these filters."
        action={
          <ButtonLink href="/economic-calendar" variant="secondary">
            Clear Filters
          </ButtonLink>
        }
      />
    ) : (
      <CalendarTable rows={rows} now={now} />
    )}
  </div>
);

type ChoiceProps = { name: string; label: string; all: string; value: string; options: readonly string[] };

const Choice = ({ name, label, all, value, options }: ChoiceProps) => (
  <div className="min-w-0 sm:w-40">
    <SelectField id={`calendar-${name}`} name={name} label={label} defaultValue={value}>
      <option value="">{all}</option>
      {options.map((option) => (
        <option key={option} value={option}>
          {option === "All" ? "Every currency" : titled(option)}
        </option>
      ))}
    </SelectField>
  </div>
);
