import type { StaffTicket } from "../../src/support/schema_inbox";
import { PriorityBadge, StatusBadge } from "./TicketBadges";
import { CATEGORY } from "./words";
import { dateText } from "../ui/instant";
import { classes } from "../ui/classes";
import { AdminTable, ClientLink, type Sorting, Two } from "../ui/staff/AdminTable";
import { ticketAddress, waitOfTicket } from "./staff_words";
import type { Wait } from "../ui/staff/waits";

const TONES = { fresh: "text-ink", long: "text-warn", late: "font-semibold text-loss" } as const;

/** How long somebody waits; red where the promise is broken. */
export const WaitText = ({ wait }: { wait: Wait | null }) =>
  wait ? (
    <span className={classes("whitespace-nowrap", TONES[wait.tone])}>{wait.tone === "late" ? `${wait.text}, late` : wait.text}</span>
  ) : (
    <span className="text-soft">–</span>
  );

type Props = { rows: StaffTicket[]; now: number; sorting: Sorting };

export const SupportTicketTable = ({ rows, now, sorting }: Props) => (
  <AdminTable
    caption="Support tickets"
    sorting={sorting}
    rowKey={({ id }) => id}
    rows={rows}
    columns={[
      {
        key: "subject",
        title: "Ticket",
        lead: true,
        roomy: true,
        cell: ({ id, subject, category, messages, positionId }) => (
          <Two
            first={
              <a
                href={ticketAddress(id)}
                data-opens=""
                className="font-medium text-ink underline-offset-4 hover:underline max-lg:inline-flex max-lg:min-h-11 max-lg:items-center"
              >
                {subject}
              </a>
            }
            second={`${CATEGORY[category]} · ${messages} ${messages === 1 ? "message" : "messages"}${positionId ? " · disputes a correction" : ""}`}
          />
        ),
      },
      {
        key: "client",
        low: "brief",
        title: "Client",
        roomy: true,
        width: "lg:w-[16%]",
        cell: ({ userId, firstName, lastName, email }) => <ClientLink id={userId} name={`${firstName} ${lastName}`} email={email} />,
      },
      { key: "priority", width: "lg:w-[7%]", title: "Priority", sort: "priority", cell: ({ priority }) => <PriorityBadge priority={priority} /> },
      { key: "status", width: "lg:w-[10%]", title: "Status", cell: ({ status }) => <StatusBadge status={status} /> },
      {
        key: "waiting",
        low: "sum",
        width: "lg:w-[8%]",
        title: "Waits",
        sort: "waiting",
        inverse: true,
        cell: (ticket) => <WaitText wait={waitOfTicket(ticket, now)} />,
      },
      {
        key: "assigned",
        width: "lg:w-[10.5%]",
        title: "Assigned to",
        cell: ({ assigneeName }) => <div className="line">{assigneeName ?? <span className="text-soft">Nobody</span>}</div>,
      },
      {
        key: "created",
        width: "lg:w-[8%]",
        title: "Created",
        sort: "created",
        cell: ({ createdAt }) => <span className="whitespace-nowrap">{dateText(createdAt)}</span>,
      },
      {
        key: "updated",
        width: "lg:w-[8%]",
        title: "Updated",
        sort: "updated",
        cell: ({ updatedAt }) => <span className="whitespace-nowrap">{dateText(updatedAt)}</span>,
      },
    ]}
  />
);
