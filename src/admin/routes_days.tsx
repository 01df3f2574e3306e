import * as v from "valibot";
import type { ReactNode } from "react";
import { DayLinesPage } from "../../views/admin/DayLinesPage";
import { DayPage } from "../../views/admin/DayPage";
import { TodayPage } from "../../views/admin/TodayPage";
import { queryOf } from "../lib/fit";
import { notFound } from "../lib/refusal";
import type { AppContext } from "../platform/app_context";
import type { Page } from "../platform/page/page";
import type { DayBooks } from "./day_books";
import { datesOf, dayLines } from "./queries_days";
import { dayText, lineQuery } from "./schema_days";

/** Lines of a page. */
const ROWS = 50;

/** The Today tab as its address asks for it: a day's figures, or the lines of one of them. */
export async function todayTab({ sql }: AppContext, books: DayBooks, asked: URLSearchParams): Promise<ReactNode> {
  const named = asked.get("day");
  const { today } = await datesOf(sql);
  // An address that somebody mistyped, or a day to come, still shows today.
  const day = v.is(dayText, named) && named <= today ? named : today;
  if (!asked.has("part") && !asked.has("since")) {
    const book = await books(day);
    return <TodayPage book={book} asks={asked.get("close") === "next"} now={new Date().toISOString()} />;
  }
  const query = queryOf(lineQuery, asked);
  const [book, lines] = await Promise.all([books(day), dayLines(sql, day, { ...query, limit: ROWS })]);
  const last = lines.at(-1);
  return <DayLinesPage book={book} lines={lines} query={query} next={last && lines.length === ROWS ? last.id : null} />;
}

/** A day on paper. Refuses (not_found) what is no day, and days to come. */
export const dayPage =
  (app: AppContext, books: DayBooks) =>
  async (day: string | undefined): Promise<Exclude<Page, { kind: "error" }>> => {
    if (!v.is(dayText, day)) throw notFound();
    const book = await books(day);
    return {
      title: `Day ${day}`,
      surface: "product",
      noindex: true,
      body: <DayPage book={book} brand={app.brand.name} now={new Date().toISOString()} />,
    };
  };
