import { cursorOf } from "../lib/cursor";
import { csvFile } from "../platform/http/csv";
import type { Db } from "../platform/database/db";
import { type Search as ChatSearch, sessionsOf } from "./queries_chat";
import { listContact } from "./queries_contact";
import { staffTicketsOf, type TicketSearch } from "./queries_inbox";
import type { ChatSession } from "./schema_chat";
import type { StaffContactMessage } from "./schema_contact";
import type { StaffTicket } from "./schema_inbox";

/** The inbox's lists as files for a spreadsheet. */

/** Rows of a file, at most. */
const MOST = 100_000;

/** `me` is who asks, for `assignee=me`. */
export const ticketsFile = (sql: Db, me: string, search: Omit<TicketSearch, "limit" | "cursor">): Response =>
  csvFile<StaffTicket>({
    name: "tickets",
    most: MOST,
    columns: [
      ["ID", (t) => t.id],
      ["Created (UTC)", (t) => t.createdAt],
      ["Client", (t) => `${t.firstName} ${t.lastName}`],
      ["Email", (t) => t.email],
      ["Subject", (t) => t.subject],
      ["Category", (t) => t.category],
      ["Priority", (t) => t.priority],
      ["Status", (t) => t.status],
      ["Waiting since (UTC)", (t) => t.waitingSince],
      ["Assigned to", (t) => t.assigneeName],
      ["Messages", (t) => String(t.messages)],
      ["First message", (t) => t.message],
      ["Newest answer", (t) => t.adminResponse],
      ["Answered (UTC)", (t) => t.respondedAt],
      ["Resolved (UTC)", (t) => t.resolvedAt],
      ["Updated (UTC)", (t) => t.updatedAt],
    ],
    rowsAfter: (last, limit) => staffTicketsOf(sql, me, { ...search, limit, cursor: last && cursorOf(last) }),
  });

export const contactFile = (sql: Db, search: Omit<Parameters<typeof listContact>[1], "limit" | "cursor">): Response =>
  csvFile<StaffContactMessage>({
    name: "contact-messages",
    most: MOST,
    columns: [
      ["ID", (m) => m.id],
      ["Received (UTC)", (m) => m.createdAt],
      ["Name", (m) => m.name],
      ["Email", (m) => m.email],
      ["Subject", (m) => m.subject],
      ["Message", (m) => m.message],
      ["Status", (m) => m.status],
      ["Note", (m) => m.note],
      ["Handled by", (m) => m.handledBy],
      ["Handled (UTC)", (m) => m.handledAt],
    ],
    rowsAfter: (last, limit) => listContact(sql, { ...search, limit, cursor: last && cursorOf(last) }),
  });

export const chatsFile = (sql: Db, search: Omit<ChatSearch, "limit" | "cursor">): Response =>
  csvFile<ChatSession>({
    name: "chats",
    most: MOST,
    columns: [
      ["ID", (s) => s.id],
      ["Begun (UTC)", (s) => s.createdAt],
      ["Client", (s) => `${s.firstName} ${s.lastName}`],
      ["Email", (s) => s.email],
      ["Status", (s) => s.status],
      ["Messages", (s) => String(s.lastNumber)],
      ["Not read", (s) => String(s.unread)],
      ["Newest message", (s) => s.lastMessage],
      ["Newest (UTC)", (s) => s.lastMessageAt],
      ["Ended (UTC)", (s) => s.endedAt],
    ],
    rowsAfter: (last, limit) => sessionsOf(sql, { ...search, limit, cursor: last && cursorOf(last) }),
  });
