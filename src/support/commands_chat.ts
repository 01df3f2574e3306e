import type { Db } from "../platform/database/db";
import type { Act, AppContext } from "../platform/app_context";
import { type Done, done } from "../platform/http/idempotency";
import type { ChatMessage, ChatSession } from "./schema_chat";

/** The commands in a chat; what is written is one SQL function each (sql/functions/support_chat.sql). The screens are told after the commit. */

type Said = { message: string; clientId: string };

/** The trader writes. Sent again with the same `clientId` it is the same message. Refuses (too_many_requests) a flood. */
export async function say({ sql, bus }: AppContext, userId: string, { message, clientId }: Said): Promise<ChatMessage> {
  const { answer, repeated } = await done<Done<ChatMessage>>(sql`select chat_say(${userId}, ${message}, ${clientId}) as done`);
  if (repeated) return answer;
  bus.publish("chat", { userId, sessionId: answer.sessionId, about: "message", from: "trader", number: answer.number });
  bus.publish("raised", {});
  return answer;
}

/** Staff write, and with `end` end the chat by it. Refuses (conflict) where the chat was ended, or somebody wrote after `seen`. */
export async function answer(
  { sql, bus }: AppContext,
  act: Act,
  sessionId: string,
  { message, clientId, end = false, seen = null }: Said & { end?: boolean; seen?: number | null | undefined },
): Promise<ChatMessage> {
  const { answer: said, repeated } = await done<Done<ChatMessage>>(
    sql`select chat_answer(${act.admin.id}, ${sessionId}, ${message}, ${clientId}, ${end}, ${seen}, ${act.ip}, ${act.userAgent}) as done`,
  );
  if (repeated) return said;
  const { userId, number } = said;
  bus.publish("chat", { userId, sessionId, about: "message", from: "staff", number });
  bus.publish("chat", { userId, sessionId, about: "read", from: "staff", number: number - 1 });
  if (end) bus.publish("chat", { userId, sessionId, about: "ended", from: "staff", number });
  bus.publish("notice", { userId, title: "New chat message from support", message: message.slice(0, 120), kind: "info", topic: "support" });
  return said;
}

/** Ends a chat. Refuses (conflict) one that is ended. */
export async function end({ sql, bus }: AppContext, act: Act, sessionId: string): Promise<ChatSession> {
  const session = await done<ChatSession>(sql`select chat_end(${act.admin.id}, ${sessionId}, ${act.ip}, ${act.userAgent}) as done`);
  bus.publish("chat", { userId: session.userId, sessionId, about: "ended", from: "staff", number: session.lastNumber });
  return session;
}

/** Marks as read what the other side wrote up to a number. True where anything was not. */
const markRead = async (sql: Db, userId: string, byTrader: boolean, through: number): Promise<boolean> => {
  const read = await sql`
    update chat_messages set read_at = clock_timestamp()
    where user_id = ${userId} and is_from_admin = ${byTrader} and read_at is null and number <= ${through}
  `;
  return read.count > 0;
};

export async function readByTrader({ sql, bus }: AppContext, userId: string, sessionId: string, through: number): Promise<void> {
  if (await markRead(sql, userId, true, through)) bus.publish("chat", { userId, sessionId, about: "read", from: "trader", number: through });
}

export async function readByStaff({ sql, bus }: AppContext, { id, userId }: ChatSession, through: number): Promise<void> {
  if (await markRead(sql, userId, false, through)) bus.publish("chat", { userId, sessionId: id, about: "read", from: "staff", number: through });
}
