import type { ReactNode } from "react";
import { classes } from "../classes";
import { swipingRow, type Ways } from "./swiping";
import { Icon } from "../Icon";
import { withSigns } from "../Signed";
import { addressOf, type ListQuery, orderAfter } from "./address";
import { useMarks } from "./marks";

export type AdminColumn<Row> = {
  key: string;
  title: string;
  cell: (row: Row) => ReactNode;
  numeric?: boolean;
  /** Stands as the card's heading on a small screen. */
  lead?: boolean;
  /** The name by which the list is sorted by this column. */
  sort?: string;
  /** Shows what grows as the sorted value falls, as an age does beside its date. */
  inverse?: boolean;
  /** Left out on cards, where the others tell enough. */
  wide?: boolean;
  /** Where it stands on a phone's low card: beside the heading (unsaid, the first figures do), or beside the last column. Others are folded. */
  low?: "sum" | "brief";
  /** Holds names or addresses, which would rather break than give way. */
  roomy?: boolean;
  /** Its width at a desk, a class such as "lg:w-32"; without it, an equal part of what the others leave. None follows its content. */
  width?: string;
};

/** The list's address, by which its heads sort it. */
export type Sorting = { at: string; query: ListQuery };

type Props<Row> = {
  caption: string;
  sorting?: Sorting;
  columns: AdminColumn<Row>[];
  rows: Row[];
  rowKey: (row: Row) => string;
  /** The row that the keys act on; null: no row can be chosen. */
  current?: string | null;
  onCurrent?: (key: string) => void;
  /** Where the heads stay in sight while the rows move: under the page's own header, or at the top of a box that scrolls; `still`: nowhere. */
  heads?: "page" | "box" | "still";
  /** On a phone a finger decides about the row by these; null for one that can't be. */
  swipe?: (row: Row) => Ways | null;
};

const HEADS = { page: "lg:sticky lg:top-10 lg:z-10 lg:bg-paper", box: "lg:sticky lg:top-0 lg:z-10 lg:bg-surface", still: "" } as const;

/** The order of what the column shows. */
function orderOf<Row>({ sort, inverse }: AdminColumn<Row>, order: string | undefined): "ascending" | "descending" | null {
  if (sort === undefined || (order !== sort && order !== `-${sort}`)) return null;
  return (order === sort) === !inverse ? "ascending" : "descending";
}

/** A head that sorts: a link, so that an order has an address. On cards, which have no heads, `SortLinks` stands above. */
function Head<Row>({ column, sorting, heads }: { column: AdminColumn<Row>; sorting: Sorting | undefined; heads: keyof typeof HEADS }) {
  const { title, sort, numeric, width } = column;
  const order = orderOf(column, sorting?.query.sort);
  return (
    <th
      scope="col"
      aria-sort={order ?? undefined}
      className={classes("px-2 py-1 font-medium text-soft shadow-[inset_0_-1px_var(--c-line)]", HEADS[heads], width, numeric ? "text-right" : "text-left")}
    >
      {sort && sorting ? (
        <>
          <a
            href={addressOf(sorting.at, { ...sorting.query, sort: orderAfter(sort, sorting.query.sort) })}
            className={classes("whitespace-nowrap no-underline hover:text-ink max-lg:hidden", order && "text-ink")}
          >
            {title}
            <span aria-hidden="true" className={order ? "" : "opacity-40"}>
              {order === "ascending" ? " ↑" : order === "descending" ? " ↓" : " ↕"}
            </span>
          </a>
          <span className="lg:hidden">{title}</span>
        </>
      ) : (
        title
      )}
    </th>
  );
}

/** The same orders for a screen that shows cards. */
function SortLinks<Row>({ caption, columns, sorting }: { caption: string; columns: AdminColumn<Row>[]; sorting: Sorting }) {
  const able = columns.filter(({ sort }) => sort);
  if (able.length === 0) return null;
  return (
    <nav aria-label={`Sort: ${caption}`} className="-mx-1 flex max-w-full items-center gap-1 overflow-x-auto px-1 text-table lg:hidden">
      <span className="text-soft">Sort</span>
      {able.map((column) => {
        const { key, title, sort = "" } = column;
        const order = orderOf(column, sorting.query.sort);
        return (
          <a
            key={key}
            href={addressOf(sorting.at, { ...sorting.query, sort: orderAfter(sort, sorting.query.sort) })}
            aria-current={order ? "true" : undefined}
            className={classes(
              "inline-flex min-h-11 items-center gap-1 whitespace-nowrap rounded-control px-3 no-underline",
              order ? "bg-sunken font-semibold text-ink" : "text-soft",
            )}
          >
            {title}
            {order ? <span aria-hidden="true">{order === "ascending" ? "↑" : "↓"}</span> : null}
          </a>
        );
      })}
    </nav>
  );
}

type Part = "select" | "lead" | "sum" | "brief" | "last" | null;
/** Where each column stands on a phone's low card; null: folded. */
function partsOf<Row>(columns: AdminColumn<Row>[]): Part[] {
  const last = columns.length - 1;
  const sum = columns.find(({ low }) => low === "sum") ?? columns.find(({ numeric, lead }, n) => numeric && !lead && n < last);
  return columns.map((column, n) =>
    column.key === "select" ? "select" : column.lead ? "lead" : column === sum ? "sum" : column.low === "brief" ? "brief" : n === last ? "last" : null,
  );
}

/**
 * The back office's table: rows of one height and columns of fixed widths, two lines to a cell where facts belong together, so that
 * nothing jumps when a row changes. What does not fit is whole under the pointer, and once the row was unfolded (`o`). Cards below a
 * desk's width, so low that a press unfolds the rest of them; on a tablet each in one line. With `onCurrent` one row is the current one: it can be focused, and a focus inside a row makes it current.
 */
export function AdminTable<Row>({ caption, columns, rows, rowKey, sorting, current = null, onCurrent, heads = "page", swipe }: Props<Row>) {
  const markOf = useMarks();
  const parts = partsOf(columns);
  const table = (
    <table className={classes("low-cards w-full text-table max-lg:block", heads !== "box" && "staff-rows")}>
      <caption className="sr-only">{caption}</caption>
      <thead className="max-lg:sr-only">
        <tr>
          {columns.map((column) => (
            <Head key={column.key} column={column} sorting={sorting} heads={heads} />
          ))}
        </tr>
      </thead>
      <tbody className="max-lg:block">
        {rows.map((row) => {
          const key = rowKey(row);
          const mark = markOf(key);
          const ways = mark === null ? (swipe?.(row) ?? null) : null;
          return (
            <tr
              key={key}
              data-row={key}
              data-marked={mark === null ? undefined : ""}
              data-current={key === current ? "" : undefined}
              tabIndex={-1}
              onFocus={onCurrent && (() => onCurrent(key))}
              {...(ways ? swipingRow(ways) : {})}
              className={classes(
                "scroll-my-32 border-b border-line align-top focus-visible:-outline-offset-2 focus-within:bg-accent-soft/30 max-lg:py-1",
                mark !== null ? "bg-sunken" : key === current ? "bg-accent-soft/30 shadow-[inset_3px_0_var(--c-accent)]" : "hover:bg-sunken/60",
              )}
            >
              {columns.map((column, n) => (
                <td
                  key={column.key}
                  data-cell={column.key}
                  data-part={parts[n] ?? undefined}
                  className={classes(
                    "px-2 py-2 lg:py-1.5",
                    heads === "box" && "lg:h-10 lg:py-0 lg:align-middle",
                    column.wide ? "max-lg:hidden" : "max-lg:flex max-lg:items-baseline max-lg:justify-between max-lg:gap-4 max-lg:py-1",
                    column.numeric && "tabular-nums lg:text-right lg:whitespace-nowrap",
                    column.lead && "max-lg:text-base",
                  )}
                >
                  {column.lead ? null : <span className="shrink-0 text-soft lg:hidden">{column.title}</span>}
                  <div className={classes(column.roomy && heads === "box" ? "min-w-0 lg:min-w-44" : "min-w-0", !column.lead && "max-lg:text-right")}>
                    {(n === columns.length - 1 ? mark : null) ?? column.cell(row)}
                  </div>
                  {column.lead && parts.includes(null) ? (
                    <button
                      type="button"
                      data-unfolds=""
                      aria-expanded="false"
                      aria-label="All of it"
                      className="js-only -mr-2 inline-flex min-h-11 w-8 shrink-0 items-center justify-center text-soft lg:hidden"
                    >
                      <Icon name="chevronDown" className="size-4" />
                    </button>
                  ) : null}
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
  return sorting ? (
    <>
      <SortLinks caption={caption} columns={columns} sorting={sorting} />
      {table}
    </>
  ) : (
    table
  );
}

/** Two lines of one cell: the fact, and what belongs to it; `byEnd`: of that its end stands there where it has no room, as numbers differ in it. */
export const Two = ({ first, second, byEnd }: { first: ReactNode; second: ReactNode; byEnd?: boolean }) => (
  <>
    <div className="line [overflow-wrap:anywhere]">{withSigns(first)}</div>
    <div className={classes("line text-note text-soft [overflow-wrap:anywhere]", byEnd && "by-end")}>{withSigns(second)}</div>
  </>
);

/** A person in a row, with the way to the client's page. */
export const ClientLink = ({ id, name, email }: { id: string; name: string; email: string }) => (
  <Two
    first={
      <a href={`/admin/users/${id}`} className="inline-block min-h-6 font-medium text-ink underline-offset-4 hover:underline lg:min-h-5">
        {name}
      </a>
    }
    second={email}
  />
);

/** A person in a row: the name, and the address that tells two of the same name apart. */
export const Person = ({ firstName, lastName, email }: { firstName: string; lastName: string; email: string }) => (
  <Two first={<span className="font-medium">{`${firstName} ${lastName}`}</span>} second={email} />
);
