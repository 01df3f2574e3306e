import { csvFile } from "../platform/http/csv";
import type { AppContext } from "../platform/app_context";
import { Routes } from "../platform/http/routes";
import type { Trading } from "../trading/trading";
import { closeDay } from "./commands_days";
import type { DayBooks } from "./day_books";
import * as calls from "./schema_days";
import { partName } from "./rules_days";

/** The staff's routes to a day's figures and its closing. */
export const dayRoutes = (app: AppContext, trading: Trading, books: DayBooks): Routes =>
  new Routes(app, import.meta.path)
    .admin("overview.read", calls.readDay, async ({ params, query }) => {
      const book = await books(params.day);
      return query.format === "csv" ? dayFile(book) : book;
    })
    .admin("days.close", calls.closeDay, ({ act, params }) => closeDay(app, act, params.day, trading.board()));

type Cells = { figure: string; amount: string | null; count: number | null };

/** A day's figures as a file: as they were written down, where the day is closed. */
function dayFile({ day, figures, floating, closed }: calls.DayBook): Response {
  const { house, moneyIn, moneyOut, parts } = closed?.figures ?? figures;
  const sums = (wanted: readonly string[]): Cells[] =>
    parts.filter(({ part }) => wanted.includes(part)).map((sum) => ({ figure: partName(sum), amount: sum.amount, count: sum.count }));
  const rows: Cells[] = [
    { figure: "House's realised result", amount: house, count: null },
    ...sums(calls.resultParts),
    { figure: "House's floating result", amount: closed ? closed.floating : floating, count: null },
    { figure: "Money in", amount: moneyIn, count: null },
    ...sums(["in"]),
    { figure: "Money out", amount: moneyOut, count: null },
    ...sums(["out"]),
  ];
  return csvFile<Cells>({
    name: `day-${day}`,
    most: 100,
    columns: [
      ["Day (UTC)", () => day],
      ["Figure", (row) => row.figure],
      ["Amount (USD)", (row) => row.amount],
      ["Lines", (row) => row.count?.toString() ?? null],
      ["Closed (UTC)", () => closed?.closedAt ?? null],
      ["Closed by", () => closed?.closedBy ?? null],
      ["Audit hash", () => closed?.hash ?? null],
    ],
    rowsAfter: (last) => Promise.resolve(last ? [] : rows),
  });
}
