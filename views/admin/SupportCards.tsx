import type { StaffContactMessage } from "../../src/support/schema_contact";
import type { StaffTicket } from "../../src/support/schema_inbox";
import { waitOf } from "../ui/staff/waits";
import { Badge } from "../ui/Badge";
import { BusyButton } from "../ui/staff/BusyButton";
import { PriorityBadge } from "../support/TicketBadges";
import { STATUS } from "../support/words";
import { AppCard, Decisions } from "./AppCard";

type TicketProps = { ticket: StaffTicket; now: number; busy: boolean; onAnswer: () => void; onResolve: () => void };

/** A ticket with what its owner wrote, and the two things to do about it on the way. */
export function TicketCard({ ticket, now, busy, onAnswer, onResolve }: TicketProps) {
  const { id, subject, firstName, lastName, priority, status, message, waitingSince, assigneeName } = ticket;
  const of = `${firstName} ${lastName}`;
  return (
    <AppCard
      id={id}
      title={subject}
      note={of}
      mark={<PriorityBadge priority={priority} />}
      facts={[
        ["Status", STATUS[status].label],
        ["Waits for staff", waitingSince ? waitOf(waitingSince, now).text : "no"],
        ["Assigned to", assigneeName ?? "nobody"],
      ]}
    >
      <p className="line-clamp-3 whitespace-pre-line text-table [overflow-wrap:anywhere]">{message}</p>
      <Decisions>
        <BusyButton size="small" busy={busy} aria-label={`Answer ${of}: ${subject}`} onClick={onAnswer}>
          Answer
        </BusyButton>
        <BusyButton size="small" variant="secondary" busy={busy} aria-label={`Resolve ${of}: ${subject}`} onClick={onResolve}>
          Resolve
        </BusyButton>
      </Decisions>
    </AppCard>
  );
}

type ContactProps = { message: StaffContactMessage; now: number; busy: boolean; onDecide: (status: "answered" | "closed") => void };

/** What a visitor wrote, with the address to answer to. */
export const ContactCard = ({ message: { id, name, email, subject, message, createdAt }, now, busy, onDecide }: ContactProps) => (
  <AppCard id={id} title={subject || "No subject"} note={`${name} · ${waitOf(createdAt, now).text}`} mark={<Badge tone="warning">new</Badge>}>
    <p className="whitespace-pre-line text-table [overflow-wrap:anywhere]">{message}</p>
    <a href={`mailto:${encodeURIComponent(email)}`} className="text-table text-accent underline-offset-4 [overflow-wrap:anywhere] hover:underline">
      {email}
    </a>
    <Decisions>
      <BusyButton size="small" busy={busy} aria-label={`Answered: ${name}`} onClick={() => onDecide("answered")}>
        Answered
      </BusyButton>
      <BusyButton size="small" variant="secondary" busy={busy} aria-label={`Close: ${name}`} onClick={() => onDecide("closed")}>
        Close
      </BusyButton>
    </Decisions>
  </AppCard>
);
