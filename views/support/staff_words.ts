import type { TicketStatus } from "../../src/support/schema";
import { PROMISED_HOURS } from "../../src/lib/promises";
import { HOUR } from "../../src/lib/time";
import type { InboxRow, StaffTicket } from "../../src/support/schema_inbox";
import { type Wait, waitOf } from "../ui/staff/waits";

const supportViews = ["inbox", "tickets", "chat", "answers", "contact"] as const;
export type SupportView = (typeof supportViews)[number];
/** What only a list of tickets is asked for: an address that says so without naming a view is one of theirs. */
const TICKETS_ALONE = ["q", "status", "priority", "category", "assignee", "sort", "from", "to", "cursor"];

/** The view that an address names. Without a name it is the inbox. */
export function supportViewOf(asked: URLSearchParams): SupportView {
  const name = asked.get("view");
  const isOlder = name === null && !asked.has("ticket") && TICKETS_ALONE.some((each) => asked.has(each));
  return supportViews.find((view) => view === name) ?? (isOlder ? "tickets" : "inbox");
}

export const SUPPORT_TAB = "/admin?tab=support";
export const INBOX = `${SUPPORT_TAB}&view=inbox`;
export const TICKETS = `${SUPPORT_TAB}&view=tickets`;
export const ticketAddress = (id: string) => `${SUPPORT_TAB}&ticket=${id}`;
/** `at`: the page of support that shows it, in the panel or in the app. */
export const chatAddress = (at: string, id: string) => `${at}&view=chat&session=${id}`;

/** How long the owner has waited for staff; late where the priority's response time has passed. Null while it is the owner's turn. */
export function waitOfTicket({ waitingSince, priority }: Pick<StaffTicket, "waitingSince" | "priority">, now: number): Wait | null {
  if (waitingSince === null) return null;
  const { text } = waitOf(waitingSince, now);
  const share = (now - Date.parse(waitingSince)) / (PROMISED_HOURS.ticket[priority] * HOUR);
  return { text, tone: share >= 1 ? "late" : share >= 0.5 ? "long" : "fresh" };
}

/** How long somebody waits for an answer that was promised until `due`; null where nobody does. */
export function waitOfRow({ since, due }: Pick<InboxRow, "since" | "due">, now: number): Wait | null {
  if (since === null || due === null) return null;
  const share = (now - Date.parse(since)) / (Date.parse(due) - Date.parse(since));
  return { text: waitOf(since, now).text, tone: share >= 1 ? "late" : share >= 0.5 ? "long" : "fresh" };
}

/** What an administrator can make of a ticket, as verbs; the same moves as `ticket_may_become` in SQL. */
export const MOVES: Readonly<Record<TicketStatus, readonly { to: TicketStatus; label: string }[]>> = {
  open: [
    { to: "in_progress", label: "Take up" },
    { to: "resolved", label: "Resolve" },
    { to: "closed", label: "Close" },
  ],
  in_progress: [
    { to: "resolved", label: "Resolve" },
    { to: "open", label: "Back to open" },
    { to: "closed", label: "Close" },
  ],
  resolved: [
    { to: "in_progress", label: "Reopen" },
    { to: "closed", label: "Close" },
  ],
  closed: [{ to: "in_progress", label: "Reopen" }],
};
