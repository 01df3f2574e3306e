import { type ReactNode, useState } from "react";
import { classes } from "./classes";

export type Column<Row> = {
  key: string;
  title: string;
  /** Null where there is nothing to say: a dash at a desk, no line at all on a phone. */
  cell: (row: Row) => ReactNode;
  numeric?: boolean;
  /** Stands as the card's heading on a phone. */ lead?: boolean;
  /** On a phone's trading screen a row has two lines, and this place in them; the cells without one come when it is opened. */
  brief?: "1" | "1-end" | "2" | "2-end";
  /** At a desk another cell says it. */
  phone?: true;
};

/**
 * A table at a desk, cards with the same order of facts on a phone (where each cell names its own column). `caption` is
 * read aloud; it shows only where the page says so itself.
 */
export function Table<Row>({
  caption,
  columns,
  rows,
  rowKey,
  className,
}: {
  caption: string;
  columns: Column<Row>[];
  rows: Row[];
  rowKey: (row: Row) => string;
  className?: string;
}) {
  const [open, setOpen] = useState<string | null>(null);
  const folds = columns.some(({ brief }) => brief);
  // A row of two lines has no names of columns, of which one says the zone of its times.
  const zoned = columns.some(({ brief, title }) => brief && title.endsWith("(UTC)"));
  const table = (
    <table className={classes("w-full text-table max-md:block", folds && "fold-rows", className)}>
      <caption className="sr-only">{caption}</caption>
      <thead className="max-md:sr-only">
        <tr className="border-b border-line">
          {columns.map((column) => (
            <th
              key={column.key}
              scope="col"
              className={classes("px-3 py-2 font-medium text-soft", column.numeric ? "text-right" : "text-left", column.phone && "md:hidden")}
            >
              {column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-md:block">
        {rows.map((row) => (
          <tr
            key={rowKey(row)}
            data-row={rowKey(row)}
            data-open={folds && open === rowKey(row) ? "" : undefined}
            className="border-b border-line last:border-b-0 max-md:block max-md:py-3"
          >
            {columns.map((column) => {
              const content = column.cell(row);
              return (
                <td
                  key={column.key}
                  data-cell={column.key}
                  data-brief={column.brief}
                  className={classes(
                    "px-3 py-2.5 max-md:items-center max-md:justify-between max-md:gap-4 max-md:px-4 max-md:py-1",
                    content === null ? "max-md:hidden" : "max-md:flex",
                    column.numeric && "md:whitespace-nowrap md:text-right",
                    column.phone && "md:hidden",
                    column.lead && "font-medium max-md:text-base",
                  )}
                >
                  {folds && column.lead ? <Fold open={open === rowKey(row)} onToggle={() => setOpen(open === rowKey(row) ? null : rowKey(row))} /> : null}
                  {column.lead ? null : <span className="cell-name text-soft md:hidden">{column.title}</span>}
                  {content ?? "–"}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
  if (!zoned) return table;
  return (
    <>
      <p className="fold-zone hidden text-right text-note text-soft">Times in UTC</p>
      {table}
    </>
  );
}

/** Opens a row of two lines: it lies over both of them. Where rows have all their cells there is none. */
const Fold = ({ open, onToggle }: { open: boolean; onToggle: () => void }) => (
  <button type="button" aria-label="Details" aria-expanded={open} onClick={onToggle} className="fold" />
);
