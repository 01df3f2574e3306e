import { useEffect } from "react";
import { keepList } from "./list_before";
import { type StaffTicket, staffTickets, type TicketOrder } from "../../src/support/schema_inbox";
import type { Category, Priority, TicketStatus } from "../../src/support/schema";
import { nextOf } from "../../src/lib/cursor";
import { Pager } from "../../views/ui/staff/Filters";
import { SUPPORT_TAB } from "../../views/support/staff_words";
import { SupportTicketTable } from "../../views/support/SupportTicketTable";
import { EmptyState } from "../../views/ui/States";
import { call } from "../wire/api";
import { island } from "../runtime/island";
import { useLive } from "../runtime/live_list";
import { Fresh, Marked } from "../ui/Fresh";
import { idOf, useSteady } from "../runtime/steady";
import { LostNotice } from "../ui/LostNotice";
import { useNow } from "../runtime/now";

type InboxQuery = {
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
export type InboxProps = { tickets: StaffTicket[]; query: InboxQuery; now: string };

/** Staff's tickets: who waits, for how long, and who has it. */
export function AdminSupport({ tickets, query, now: first }: InboxProps) {
  const { value, lost } = useLive(tickets, () => call(staffTickets, undefined, { query }), ["ticket"]);
  const now = useNow(first);
  // The way back from a ticket leads to the list as it was.
  useEffect(() => keepList(location.search), []);
  const [list, area] = useSteady(value, idOf);
  const narrowed = query.q || [query.status, query.priority, query.category, query.assignee].some((choice) => choice !== "all");
  return (
    <div ref={area}>
      {lost ? <LostNotice /> : null}
      <Fresh list={list} floats />
      {list.rows.length > 0 ? (
        <Marked list={list}>
          <SupportTicketTable rows={list.rows} now={now} sorting={{ at: SUPPORT_TAB, query }} />
        </Marked>
      ) : (
        <EmptyState icon="lifebuoy" title={narrowed ? "No tickets match this" : "No tickets yet"}>
          {narrowed ? null : "What traders ask appears here by itself."}
        </EmptyState>
      )}
      <Pager at={SUPPORT_TAB} query={query} next={nextOf(value, query.limit)} />
    </div>
  );
}

export default island("AdminSupport", AdminSupport);
