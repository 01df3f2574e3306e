import type { ReactNode } from "react";
import { classes } from "../ui/classes";

export type AdminColumn<Row> = {
  key: string;
  title: string;
  cell: (row: Row) => ReactNode;
  numeric?: boolean;
  /** Stands as the card's heading on a small screen. */
  lead?: boolean;
  /** Holds names or addresses, which would rather break than give way. */
  roomy?: boolean;
};

type Props<Row> = {
  caption: string;
  columns: AdminColumn<Row>[];
  rows: Row[];
  rowKey: (row: Row) => string;
  /** The row that the keys act on; null: no row can be chosen. */
  current?: string | null;
  onCurrent?: (key: string) => void;
};

/**
 * The back office's table: closer rows than a trader's, two lines to a cell where facts belong together; cards below a desk's
 * width, in two columns on a tablet. With `onCurrent` one row is the current one: it can be focused, and a focus inside a row makes it current.
 */
export function AdminTable<Row>({ caption, columns, rows, rowKey, current = null, onCurrent }: Props<Row>) {
  return (
    <table className="w-full text-table max-lg:block">
      <caption className="sr-only">{caption}</caption>
      <thead className="max-lg:sr-only">
        <tr className="border-b border-line">
          {columns.map(({ key, title, numeric }) => (
            <th key={key} scope="col" className={classes("px-2 py-1.5 font-medium text-soft", numeric ? "text-right" : "text-left")}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-lg:block">
        {rows.map((row) => {
          const key = rowKey(row);
          return (
            <tr
              key={key}
              data-row={key}
              data-current={key === current ? "" : undefined}
              tabIndex={onCurrent && -1}
              onFocus={onCurrent && (() => onCurrent(key))}
              className={classes(
                "scroll-my-32 border-b border-line align-top last:border-b-0 max-md:block max-lg:py-2 md:max-lg:grid md:max-lg:grid-cols-2 md:max-lg:gap-x-8",
                key === current ? "bg-accent-soft/60" : onCurrent && "hover:bg-sunken/60",
              )}
            >
              {columns.map((column) => (
                <td
                  key={column.key}
                  data-cell={column.key}
                  className={classes(
                    "px-2 py-2 max-lg:flex max-lg:items-start max-lg:justify-between max-lg:gap-4 max-lg:py-1",
                    column.numeric && "lg:text-right",
                    column.lead && "max-lg:text-base md:max-lg:col-span-2",
                  )}
                >
                  {column.lead ? null : <span className="shrink-0 text-soft lg:hidden">{column.title}</span>}
                  <div className={classes(column.roomy ? "min-w-0 lg:min-w-44" : "min-w-0", !column.lead && "max-lg:text-right")}>{column.cell(row)}</div>
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** Two lines of one cell: the fact, and what belongs to it. */
export const Two = ({ first, second }: { first: ReactNode; second: ReactNode }) => (
  <>
    <div className="[overflow-wrap:anywhere]">{first}</div>
    <div className="text-note text-soft [overflow-wrap:anywhere]">{second}</div>
  </>
);

/** A person in a row: the name, and the address that tells two of the same name apart. */
export const Person = ({ firstName, lastName, email }: { firstName: string; lastName: string; email: string }) => (
  <Two first={<span className="font-medium">{`${firstName} ${lastName}`}</span>} second={email} />
);
