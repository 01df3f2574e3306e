import type { BodyOf } from "../lib/endpoint";
import type { Bus } from "../platform/cluster/bus";
import type { Db } from "../platform/database/db";
import { inParts } from "../platform/database/in_parts";
import { type Done, done } from "../platform/http/idempotency";
import type { Idempotency } from "../platform/http/request_context";
import type { createTicket, Ticket, TicketFile, TicketReply } from "./schema";

/** The trader's commands on tickets, each one SQL function (sql/functions/support_tickets.sql), so one round trip. */

/** Opens a ticket. Refuses (too_many_waiting, too_many_requests) a person with very many. */
export const openTicket = (sql: Db, userId: string, { subject, message, category, priority }: BodyOf<typeof createTicket>, key: Idempotency | null) =>
  done<Done<Ticket>>(sql`
    select ticket_open(${userId}, ${subject}, ${message}, ${category}, ${priority}, ${key?.key ?? null}, ${key?.fingerprint ?? null}) as done
  `);

/** Writes again about an own ticket; one that was resolved or closed is open again. */
export const reply = (sql: Db, userId: string, ticketId: string, message: string, key: Idempotency | null) =>
  done<Done<TicketReply>>(sql`select ticket_reply(${userId}, ${ticketId}, ${message}, ${key?.key ?? null}, ${key?.fingerprint ?? null}) as done`);

/** Closes an own ticket. Refuses (conflict) one that is closed. */
export const close = (sql: Db, userId: string, ticketId: string, key: Idempotency | null) =>
  done<Done<Ticket>>(sql`select ticket_close(${userId}, ${ticketId}, ${key?.key ?? null}, ${key?.fingerprint ?? null}) as done`);

/** Bytes of files that one person may keep here. */
const FILE_QUOTA = 50 * 1024 * 1024;

/** Adds a file, whose type was found by its content, to an own ticket that is not closed. */
export const attach = (sql: Db, userId: string, ticketId: string, file: { name: string; type: string; content: Uint8Array }) =>
  inParts(sql, file.content, (tx, oid) =>
    done<TicketFile>(tx`select ticket_attach(${userId}, ${ticketId}, ${file.name}, ${file.type}, lo_get(${oid}), ${FILE_QUOTA}) as done`),
  );

/** The owner has seen what staff answered. */
export const markRead = async (sql: Db, userId: string, ticketId: string): Promise<void> => {
  await sql`update support_tickets set is_unread = false where id = ${ticketId} and user_id = ${userId} and is_unread`;
};

/** Tells the owner's screens and staff's, after the commit, that a ticket is new or another. */
export function announceTicket(bus: Bus, { userId, ticketId }: { userId: string; ticketId: string }) {
  bus.publish("ticket", { userId, ticketId });
  bus.publish("raised", {});
}
