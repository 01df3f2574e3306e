import type { ReactNode } from "react";
import type { StaffTicket } from "../../src/support/schema_inbox";
import { instantText } from "../ui/instant";
import { CATEGORY, PRIORITY } from "./words";
import { WaitText } from "./SupportTicketTable";
import { waitOfTicket } from "./staff_words";

const instant = (iso: string | null) => (iso ? `${instantText(iso).slice(0, 16)} UTC` : "–");

/** What staff need to know of a ticket beside its conversation. */
export const SupportTicketFacts = ({ ticket, now }: { ticket: StaffTicket; now: number }) => {
  const { category, priority, createdAt, respondedAt, resolvedAt, resolverName, positionId } = ticket;
  const facts: { name: string; value: ReactNode }[] = [
    { name: "Category", value: CATEGORY[category] },
    { name: "Answer due", value: `within ${PRIORITY[priority].response}` },
    { name: "Waits", value: <WaitText wait={waitOfTicket(ticket, now)} /> },
    { name: "Created", value: instant(createdAt) },
    { name: "Answered", value: instant(respondedAt) },
    { name: "Resolved", value: resolvedAt ? `${instant(resolvedAt)}${resolverName ? `, ${resolverName}` : ""}` : "–" },
  ];
  if (positionId)
    facts.push({
      name: "Disputes",
      value: (
        <a href={`/admin?tab=trades&status=corrections&q=${positionId}`} className="text-accent underline underline-offset-2">
          the correction of a position
        </a>
      ),
    });
  return (
    <dl className="flex flex-col gap-2 text-table">
      {facts.map(({ name, value }) => (
        <div key={name} className="grid grid-cols-[6rem_1fr] gap-x-3">
          <dt className="text-soft">{name}</dt>
          <dd className="min-w-0">{value}</dd>
        </div>
      ))}
    </dl>
  );
};
