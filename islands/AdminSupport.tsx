import { type StaffTicket, staffTickets, type TicketOrder } from "../src/support/schema_desk";
import type { Category, Priority, TicketStatus } from "../src/support/schema";
import { nextOf } from "../src/lib/cursor";
import { Pager } from "../views/admin/Filters";
import { SUPPORT_TAB } from "../views/admin/support_words";
import { SupportTicketTable } from "../views/admin/SupportTicketTable";
import { EmptyState } from "../views/ui/States";
import { call } from "./lib/api";
import { island } from "./lib/island";
import { useLive } from "./lib/live_list";
import { LostNotice } from "./lib/LostNotice";
import { useNow } from "./lib/queue";

type DeskQuery = {
  q: string;
  status: "all" | "active" | TicketStatus;
  priority: "all" | Priority;
  category: "all" | Category;
  assignee: string;
  sort: TicketOrder;
  limit: string;
  cursor?: string;
};
export type DeskProps = { tickets: StaffTicket[]; query: DeskQuery; now: string };

/** The desk's tickets: who waits, for how long, and who has it. */
export function AdminSupport({ tickets, query, now: first }: DeskProps) {
  const { value, lost } = useLive(tickets, () => call(staffTickets, undefined, { query }), ["ticket"]);
  const now = useNow(first);
  const narrowed = query.q || [query.status, query.priority, query.category, query.assignee].some((choice) => choice !== "all");
  return (
    <>
      {lost ? <LostNotice /> : null}
      {value.length > 0 ? (
        <SupportTicketTable rows={value} now={now} sorting={{ at: SUPPORT_TAB, query }} />
      ) : (
        <EmptyState icon="lifebuoy" title={narrowed ? "No tickets match this" : "No tickets yet"}>
          {narrowed ? null : "What traders ask appears here by itself."}
        </EmptyState>
      )}
      <Pager at={SUPPORT_TAB} query={query} next={nextOf(value, query.limit)} />
    </>
  );
}

export default island("AdminSupport", AdminSupport);
