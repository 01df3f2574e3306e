import { type StaffTicket, staffTickets, type TicketOrder } from "../../src/support/schema_inbox";
import type { Category, Priority, TicketStatus } from "../../src/support/schema";
import { nextOf } from "../../src/lib/cursor";
import { Pager } from "../../views/ui/staff/Filters";
import { TICKETS } from "../../views/support/staff_words";
import { SupportTicketTable } from "../../views/support/SupportTicketTable";
import { EmptyState } from "../../views/ui/States";
import { call } from "../wire/api";
import { island } from "../runtime/island";
import { useLive } from "../runtime/live_list";
import { Fresh, Marked } from "../ui/Fresh";
import { idOf, useSteady } from "../runtime/steady";
import { LostNotice } from "../ui/LostNotice";
import { useNow } from "../runtime/now";

type TicketsQuery = {
  q: string;
  status: "all" | "active" | TicketStatus;
  priority: "all" | Priority;
  category: "all" | Category;
  assignee: string;
  sort: TicketOrder;
  from: string;
  to: string;
  limit: string;
  cursor?: string;
};
export type TicketsProps = { tickets: StaffTicket[]; query: TicketsQuery; now: string };

/** Staff's tickets: who waits, for how long, and who has it. */
export function AdminSupport({ tickets, query, now: first }: TicketsProps) {
  const { value, lost } = useLive(tickets, () => call(staffTickets, undefined, { query }), ["ticket"]);
  const now = useNow(first);
  const [list, area] = useSteady(value, idOf);
  const narrowed = query.q || [query.status, query.priority, query.category, query.assignee].some((choice) => choice !== "all");
  return (
    <div ref={area}>
      {lost ? <LostNotice /> : null}
      <Fresh list={list} floats />
      {list.rows.length > 0 ? (
        <Marked list={list}>
          <SupportTicketTable rows={list.rows} now={now} sorting={{ at: TICKETS, query }} />
        </Marked>
      ) : (
        <EmptyState icon="lifebuoy" title={narrowed ? "No tickets match this" : "No tickets yet"}>
          {narrowed ? null : "What traders ask appears here by itself."}
        </EmptyState>
      )}
      <Pager at={TICKETS} query={query} next={nextOf(value, query.limit)} />
    </div>
  );
}

export default island("AdminSupport", AdminSupport);
