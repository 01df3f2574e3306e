import PrintButton from "../../islands/ui/PrintButton";
import type { DayBook } from "../../src/admin/schema_days";
import { TabPanel } from "../ui/Tabs";
import { DayFigures } from "./DayFigures";
import { dayAddress, dayName } from "./day_words";

const LINK = "inline-flex min-h-11 items-center text-accent underline-offset-4 hover:underline";

/** A day of business on paper, with the hash by which the audit book holds it. */
export const DayPage = ({ book, brand, now }: { book: DayBook; brand: string; now: string }) => (
  <TabPanel id="today" className="mx-auto flex w-full max-w-[70rem] flex-col gap-5 px-4 !py-6 md:px-6">
    <div className="flex flex-wrap items-start justify-between gap-4">
      <div>
        <p className="text-table text-soft">{brand}, day of business, 00:00 to 24:00 UTC</p>
        <h1 className="text-title font-semibold max-sm:text-heading">{dayName(book.day)}</h1>
        <p className="text-table text-soft [overflow-wrap:anywhere]">
          {book.closed ? `Audit entry ${book.closed.entry}, hash ${book.closed.hash}` : "Not closed: the figures are those of this moment."}
        </p>
      </div>
      <div className="no-print flex flex-wrap items-center gap-4">
        <a href={dayAddress(book.day)} className={LINK}>
          Back to the panel
        </a>
        <a href={`/api/admin/days/${book.day}?format=csv`} download="" className={LINK}>
          Download CSV
        </a>
        <PrintButton />
      </div>
    </div>
    <DayFigures book={book} now={Date.parse(now)} />
  </TabPanel>
);
