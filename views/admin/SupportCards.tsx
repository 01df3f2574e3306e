import type { ReactNode } from "react";
import { may } from "../../src/lib/may";
import { Swipe } from "../../islands/ui/Swipe";
import type { StaffContactMessage } from "../../src/support/schema_contact";
import type { StaffTicket } from "../../src/support/schema_inbox";
import { Button, ButtonLink } from "../ui/Button";
import { waitOf } from "../ui/staff/waits";
import { BusyButton } from "../ui/staff/BusyButton";
import type { Ways } from "../ui/staff/swiping";
import { PriorityBadge } from "../support/TicketBadges";
import { WaitText } from "../support/SupportTicketTable";
import { ticketAddress, waitOfTicket } from "../support/staff_words";
import { Decisions } from "./AppCard";
import { AppRow } from "./AppRow";

type Shown = {
  now: number;
  busy: boolean;
  /** Whether it may still be decided about. */
  isOpen: boolean;
};
type TicketProps = Shown & { ticket: StaffTicket; onAnswer: () => void; onResolve: () => void };

/** A row that a finger decides about while it is open. */
const Swiped = ({ id, isOpen, ways, children }: { id: string; isOpen: boolean; ways: Ways; children: ReactNode }) => (
  <li data-row={id}>{isOpen && may("support.answer") ? <Swipe {...ways}>{children}</Swipe> : children}</li>
);

/** A ticket with the beginning of what its owner wrote, and the two things to do about it on the way. */
export function TicketRow({ ticket, now, busy, isOpen, onAnswer, onResolve }: TicketProps) {
  const { id, subject, firstName, lastName, priority, message, assigneeName } = ticket;
  const of = `${firstName} ${lastName}`;
  return (
    <Swiped id={id} isOpen={isOpen && !busy} ways={{ right: { label: "Resolve", onSwipe: onResolve }, left: { label: "Answer", onSwipe: onAnswer } }}>
      <AppRow
        id={id}
        title={subject}
        mark={
          <span className="inline-flex items-center gap-2">
            <WaitText wait={waitOfTicket(ticket, now)} />
            <PriorityBadge priority={priority} />
          </span>
        }
        line={[of, assigneeName ? `with ${assigneeName}` : null, message].filter(Boolean).join(" · ")}
      >
        <Decisions>
          <ButtonLink size="small" variant="secondary" data-opens="" href={ticketAddress(id)} aria-label={`Read ${of}: ${subject}`}>
            Read
          </ButtonLink>
          {may("support.answer") ? (
            <>
              <BusyButton size="small" variant="secondary" busy={busy} aria-label={`Resolve ${of}: ${subject}`} onClick={onResolve}>
                Resolve
              </BusyButton>
              <BusyButton size="small" busy={busy} aria-label={`Answer ${of}: ${subject}`} onClick={onAnswer}>
                Answer
              </BusyButton>
            </>
          ) : null}
        </Decisions>
      </AppRow>
    </Swiped>
  );
}

type ContactProps = Shown & { message: StaffContactMessage; onRead: () => void; onDecide: (status: "answered" | "closed") => void };

/** What a visitor wrote, with the address to answer to. */
export function ContactRow({ message: { id, name, email, subject, message, createdAt }, now, busy, isOpen, onRead, onDecide }: ContactProps) {
  const close = () => onDecide("closed");
  return (
    <Swiped
      id={id}
      isOpen={isOpen && !busy}
      ways={{ right: { label: "Answered", onSwipe: () => onDecide("answered") }, left: { label: "Close", onSwipe: close } }}
    >
      <AppRow id={id} title={subject || "No subject"} mark={<WaitText wait={waitOf(createdAt, now)} />} line={`${name}, ${email} · ${message}`}>
        <Decisions>
          <Button size="small" variant="secondary" data-opens="" aria-label={`Read ${name}: ${subject || "No subject"}`} onClick={onRead}>
            Read
          </Button>
          {may("support.answer") ? (
            <>
              <BusyButton size="small" variant="secondary" busy={busy} aria-label={`Close: ${name}`} onClick={close}>
                Close
              </BusyButton>
              <BusyButton size="small" busy={busy} aria-label={`Answered: ${name}`} onClick={() => onDecide("answered")}>
                Answered
              </BusyButton>
            </>
          ) : null}
        </Decisions>
      </AppRow>
    </Swiped>
  );
}
