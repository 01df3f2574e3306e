import type { BodyOf } from "../lib/endpoint";
import { conflict, found, invalid } from "../lib/refusal";
import type { Bus } from "../platform/cluster/bus";
import type { Db, Tx } from "../platform/database/db";
import { inParts } from "../platform/database/in_parts";
import type { Act } from "../platform/app_context";
import { type Done, done } from "../platform/http/idempotency";
import type { Idempotency } from "../platform/http/request_context";
import { cannedAnswer } from "./queries_inbox";
import type { TicketFile } from "./schema";
import type { CannedAnswer, cannedForm, decideTicket, StaffTicket } from "./schema_inbox";
import type * as v from "valibot";

/** What staff do with tickets and with the answers that they keep ready; each command one transaction with its line in the audit book. */

/** Answers a ticket, gives it to somebody, changes its state, or all at once. Refuses (conflict) what came too late. */
export async function decide(sql: Db, act: Act, ticketId: string, body: BodyOf<typeof decideTicket>, key: Idempotency | null): Promise<Done<StaffTicket>> {
  const { status = null, version = null, assignedTo } = body;
  const words = body.adminResponse || null;
  if (status === null && words === null && assignedTo === undefined) throw invalid("Say what is to change: an answer, a state, or who has it.");
  return done<Done<StaffTicket>>(sql`
    select ticket_decide(
      ${act.admin.id}, ${ticketId}, ${version}, ${status}, ${words}, ${assignedTo !== undefined}, ${assignedTo ?? null}, ${act.ip}, ${act.userAgent},
      ${key?.key ?? null}, ${key?.fingerprint ?? null}
    ) as done
  `);
}

/** Tells the owner what staff did, after the commit. */
export function announceDecision(bus: Bus, { id, userId, subject, status }: StaffTicket, asked: BodyOf<typeof decideTicket>) {
  bus.publish("ticket", { userId, ticketId: id });
  const notice = { userId, message: subject, kind: "info", topic: "support" } as const;
  if (asked.adminResponse) bus.publish("notice", { ...notice, title: "Support answered your ticket" });
  else if (asked.status === "resolved" || asked.status === "closed") bus.publish("notice", { ...notice, title: `Your ticket was ${status}` });
}

/** Merges other tickets of the same person into this one. Refuses (other_person, conflict, invalid) what can't be one conversation. */
export const merge = (sql: Db, act: Act, ticketId: string, others: string[], key: Idempotency | null) =>
  done<Done<StaffTicket>>(sql`
    select ticket_merge(
      ${act.admin.id}, ${ticketId}, ${others}::uuid[], ${act.ip}, ${act.userAgent}, ${key?.key ?? null}, ${key?.fingerprint ?? null}
    ) as done
  `);

/** Tells the owner, after the commit, where the conversation goes on. */
export function announceMerge(bus: Bus, { id, userId, subject }: StaffTicket, others: readonly string[]) {
  for (const ticketId of [...others, id]) bus.publish("ticket", { userId, ticketId });
  const merged = others.length === 1 ? "Support merged a ticket of yours" : `Support merged ${others.length} tickets of yours`;
  bus.publish("notice", { userId, title: merged, message: `It all goes on in “${subject}”.`, kind: "info", topic: "support" });
}

type SentFile = { file: TicketFile; userId: string; subject: string };
/** Sends the owner a file, whose type was found by its content. Refuses (conflict) where the ticket is closed. */
export const sendFile = (sql: Db, { admin, ip, userAgent }: Act, ticketId: string, file: { name: string; type: string; content: Uint8Array }) =>
  inParts(sql, file.content, (tx, oid) =>
    done<SentFile>(tx`select ticket_send_file(${admin.id}, ${ticketId}, ${file.name}, ${file.type}, lo_get(${oid}), ${ip}, ${userAgent}) as done`),
  );

/** Tells the owner of a file, after the commit. */
export function announceFile(bus: Bus, { file, userId, subject }: SentFile) {
  bus.publish("ticket", { userId, ticketId: file.ticketId });
  bus.publish("notice", { userId, title: "Support sent you a file", message: subject, kind: "info", topic: "support" });
}

type Words = v.InferOutput<typeof cannedForm>;

/** One change of the list at a time, by who is an administrator still. */
const alone = <T>(sql: Db, act: Act, command: (tx: Tx) => Promise<T>): Promise<T> =>
  sql.begin(async (tx) => {
    await tx`lock table canned_answers in share row exclusive mode`;
    await tx`select refuse_own(${act.admin.id}, null)`;
    return command(tx);
  }) as Promise<T>;

const audit = async (tx: Tx, act: Act, action: string, id: string, before: Words | null, after: Words | null) => {
  await tx`
    select audit_append(
      ${act.admin.id}, null, ${action}, ${JSON.stringify({ cannedAnswerId: id })}::text::json, ${JSON.stringify(before ?? {})}::text::json,
      ${JSON.stringify(after ?? {})}::text::json, '', ${act.ip}, ${act.userAgent}
    )
  `;
};

async function refuseTwice(tx: Tx, title: string, self: string | null) {
  const [other] = await tx`select from canned_answers where lower(title) = lower(${title}) and id is distinct from ${self}::uuid`;
  if (other) throw conflict("There is an answer of that title already.");
}

export const createAnswer = (sql: Db, act: Act, { title, body }: Words): Promise<CannedAnswer> =>
  alone(sql, act, async (tx) => {
    const [count] = await tx<{ count: number }[]>`select count(*)::int as count from canned_answers`;
    if ((count?.count ?? 0) >= 200) throw conflict("There are as many answers as the list can hold. Delete one first.");
    await refuseTwice(tx, title, null);
    const [made] = await tx<{ id: string }[]>`insert into canned_answers (title, body, updated_by) values (${title}, ${body}, ${act.admin.id}) returning id`;
    const id = made?.id ?? "";
    await audit(tx, act, "canned.create", id, null, { title, body });
    return found(await cannedAnswer(tx, id));
  });

/** Refuses (conflict) where somebody changed it since `version`. */
export const changeAnswer = (sql: Db, act: Act, id: string, { title, body, version }: Words & { version?: number | undefined }): Promise<CannedAnswer> =>
  alone(sql, act, async (tx) => {
    const before = found(await cannedAnswer(tx, id));
    if (version !== undefined && version !== before.version) throw conflict(`${before.updatedBy} changed this answer meanwhile. Look at it again.`);
    await refuseTwice(tx, title, id);
    await tx`
      update canned_answers
      set title = ${title}, body = ${body}, updated_by = ${act.admin.id}, updated_at = clock_timestamp(), version = version + 1
      where id = ${id}
    `;
    await audit(tx, act, "canned.change", id, { title: before.title, body: before.body }, { title, body });
    return found(await cannedAnswer(tx, id));
  });

export const deleteAnswer = (sql: Db, act: Act, id: string): Promise<void> =>
  alone(sql, act, async (tx) => {
    const { title, body } = found(await cannedAnswer(tx, id));
    await tx`delete from canned_answers where id = ${id}`;
    await audit(tx, act, "canned.delete", id, { title, body }, null);
  });
