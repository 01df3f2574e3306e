import type { ReactNode } from "react";
import { Button } from "../../views/ui/Button";
import { EmptyState } from "../../views/ui/States";
import type { RequestOrder, RequestStatus } from "../../src/funding/schema";
import { nextOf } from "../../src/lib/cursor";
import { ExportLink, dayFields, FilterMenu, Pager, SearchForm, StatusLinks } from "../../views/ui/staff/Filters";
import { panelTab } from "../../views/ui/staff/address";
import { LostNotice } from "../ui/LostNotice";

/** What the page shows of the decided ones; all that wait are shown whatever the status. */
export type QueueQuery = {
  q: string;
  status: "decided" | Exclude<RequestStatus, "pending">;
  sort: RequestOrder;
  from: string;
  to: string;
  limit: string;
  cursor?: string;
};

const STATUSES = [
  { id: "decided", label: "All" },
  { id: "approved", label: "Approved" },
  { id: "rejected", label: "Rejected" },
  { id: "cancelled", label: "Cancelled" },
] as const;

type Props = {
  /** "deposits", "withdrawals". */
  what: string;
  /** `more`: the way to see the rest, where there is one. */
  waiting: { count: string; empty: boolean; table: ReactNode; more: (() => void) | null };
  decided: { rows: readonly { id: string; createdAt: string }[]; fresh: ReactNode; table: ReactNode };
  /** What came while somebody was in the list. */
  fresh: ReactNode;
  /** Selects all rows that are shown. */
  selectAll: ReactNode;
  /** What its reader put away, below what waits. */
  away: ReactNode;
  query: QueueQuery;
  lost: boolean;
  /** Filters with a name. */
  named: ReactNode;
  /** Stands beside the heading. */
  extra: ReactNode;
};

/** What waits, then what was decided. */
export function QueueFrame({ what, waiting, decided, query, lost, fresh, selectAll, away, named, extra }: Props) {
  const { q, from, to, limit } = query;
  const at = panelTab(what);
  const nothing = q ? `No ${what} match this search` : from || to ? `No ${what} were asked for on these days` : null;
  return (
    <>
      {lost ? <LostNotice /> : null}
      <section aria-label={`Waiting ${what}`}>
        {/* The search and the days narrow both lists. */}
        <div className="relative flex flex-wrap items-center gap-x-4">
          <h2 className="flex items-center gap-2 text-product font-semibold">
            Waiting
            <span
              data-count="waiting"
              className={
                waiting.count !== "0"
                  ? "rounded-full bg-warn-soft px-2 text-note tabular-nums text-warn"
                  : "rounded-full bg-sunken px-2 text-note tabular-nums text-soft"
              }
            >
              {waiting.count}
            </span>
          </h2>
          {selectAll}
          <SearchForm at={at} query={query} label="Search by person, ID, address or hash" />
          <FilterMenu at={at} query={query} label="Days" fields={dayFields("Asked from")} />
          {named}
          {fresh}
          <span className="ml-auto flex items-center">{extra}</span>
        </div>
        {waiting.empty ? (
          <EmptyState icon="check" title={nothing ?? "Nothing waits"}>
            {nothing ? null : `New ${what} appear here by themselves.`}
          </EmptyState>
        ) : (
          waiting.table
        )}
        {waiting.more ? (
          <Button variant="secondary" className="js-only mt-2" onClick={waiting.more}>
            Show more that wait
          </Button>
        ) : null}
        {away}
      </section>
      <section aria-label={`Decided ${what}`} className="mt-6">
        <div className="flex flex-wrap items-center justify-between gap-x-4">
          <h2 className="text-product font-semibold">Decided</h2>
          {decided.fresh}
          <div className="relative flex min-w-0 max-w-full flex-wrap items-center gap-x-2">
            <StatusLinks at={at} query={query} choices={STATUSES} label="Status of the decided ones" />
            <ExportLink path={`/api/admin/${what}`} query={{ ...query, sort: "-created", status: "all" }} />
          </div>
        </div>
        {decided.rows.length > 0 ? decided.table : <p className="py-4 text-soft">{nothing ?? `No ${what} here`}.</p>}
        <Pager at={at} query={query} next={nextOf(decided.rows, limit)} />
      </section>
    </>
  );
}
