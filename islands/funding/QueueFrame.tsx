import type { ReactNode } from "react";
import { Button } from "../../views/ui/Button";
import { Dialog } from "../../views/ui/Dialog";
import { Icon } from "../../views/ui/Icon";
import { EmptyState } from "../../views/ui/States";
import type { RequestOrder, RequestStatus } from "../../src/funding/schema";
import { nextOf } from "../../src/lib/cursor";
import { ExportLink, FilterForm, Pager, StatusLinks } from "../../views/ui/staff/Filters";
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
  /** Stands beside the heading. */
  extra: ReactNode;
  help: boolean;
  onHelp: (open: boolean) => void;
};

/** What waits, then what was decided. */
export function QueueFrame({ what, waiting, decided, query, lost, fresh, selectAll, away, extra, help, onHelp }: Props) {
  const { q, limit } = query;
  const at = panelTab(what);
  const nothing = q ? `No ${what} match this search` : null;
  return (
    <>
      {lost ? <LostNotice /> : null}
      <section aria-label={`Waiting ${what}`}>
        <div className="flex flex-wrap items-center gap-x-4">
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
          {fresh}
          <span className="ml-auto flex items-center">
            {extra}
            <button
              type="button"
              aria-label="Keyboard shortcuts"
              onClick={() => onHelp(true)}
              className="js-only inline-flex size-11 items-center justify-center rounded-control text-soft hover:text-ink max-lg:hidden md:size-9"
            >
              <Icon name="keyboard" />
            </button>
          </span>
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
          <div className="flex min-w-0 max-w-full flex-wrap items-center gap-x-2">
            <StatusLinks at={at} query={query} choices={STATUSES} label="Status of the decided ones" />
            <ExportLink path={`/api/admin/${what}`} query={{ ...query, sort: "-created", status: "all" }} />
          </div>
        </div>
        <FilterForm
          at={at}
          query={query}
          label="Days of the decided ones"
          fields={[
            { name: "from", label: "Asked from (UTC)", type: "date" },
            { name: "to", label: "to", type: "date" },
          ]}
        />
        {decided.rows.length > 0 ? decided.table : <p className="py-4 text-soft">{nothing ?? `No ${what} here`}.</p>}
        <Pager at={at} query={query} next={nextOf(decided.rows, limit)} />
      </section>
      <Help open={help} onClose={() => onHelp(false)} />
    </>
  );
}

const KEYS = [
  ["j", "Next request"],
  ["k", "Previous request"],
  ["a", "Approve it, or all that are selected"],
  ["r", "Reject it"],
  ["X", "Select all shown, or none"],
  ["z", "Put it away"],
  ["/", "Search"],
  ["Ctrl Enter", "Send a dialog from its text"],
  ["Esc", "Close a dialog"],
  ["?", "This list"],
] as const;

const Help = ({ open, onClose }: { open: boolean; onClose: () => void }) => (
  <Dialog id="queue-help" title="Keyboard shortcuts" open={open} onClose={onClose}>
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2">
      {KEYS.map(([key, meaning]) => (
        <div key={key} className="contents">
          <dt>
            <kbd className="rounded-control border border-line bg-sunken px-2 py-0.5 font-mono text-note">{key}</kbd>
          </dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  </Dialog>
);
