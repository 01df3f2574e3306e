import * as v from "valibot";
import { answer, endpoint } from "../lib/endpoint";
import { asFile, days, idParams, idText, listQuery, text } from "../lib/shapes";

/** Live chat between a trader and staff. */

const nullableText = v.nullable(v.string());

export const chatRow = v.strictObject({
  id: v.string(),
  sessionId: v.string(),
  /** Whose chat it is, whoever wrote the message. */
  userId: v.string(),
  adminUserId: nullableText,
  /** Counts up through all of a person's chats: what is above the last number seen is what was missed. */
  number: v.number(),
  message: v.string(),
  messageType: v.literal("text"),
  isFromAdmin: v.boolean(),
  /** The names of who wrote it. */
  author: v.string(),
  isRead: v.boolean(),
  readAt: nullableText,
  fileUrl: v.null(),
  clientId: v.string(),
  createdAt: v.string(),
});
export type ChatMessage = v.InferOutput<typeof chatRow>;

export const sessionRow = v.strictObject({
  id: v.string(),
  userId: v.string(),
  firstName: v.string(),
  lastName: v.string(),
  email: v.string(),
  status: v.picklist(["open", "ended"]),
  lastNumber: v.number(),
  /** The beginning of the newest message. */
  lastMessage: v.string(),
  lastMessageAt: v.string(),
  endedAt: nullableText,
  createdAt: v.string(),
  /** The trader's messages that no administrator has read. */
  unread: v.number(),
});
export type ChatSession = v.InferOutput<typeof sessionRow>;

/** The event `chat` of the stream. Staff get every chat's events, so each names its person. */
export type ChatEvent = { userId: string; sessionId: string } & (
  | { about: "message"; message: ChatMessage }
  | { about: "typing"; from: "trader" | "staff" }
  /** Up to that number, `from` has read what the other side wrote. */
  | { about: "read"; from: "trader" | "staff"; through: number }
  | { about: "ended" }
);

const whole = (name: string) => v.pipe(v.string(), v.regex(/^\d{1,15}$/, `${name} must be the number of a message`), v.transform(Number));
/** Newest first; with `after`, oldest first what has a higher number. The cursor is a message's number. */
const messagesQuery = v.object({ limit: listQuery.entries.limit, cursor: v.optional(whole("cursor")), after: v.optional(whole("after")) });

/** `clientId` is made by the sender for each message: sent again, it is the same message. */
export const chatForm = v.object({
  message: text(5000, "Please write a message."),
  clientId: v.optional(v.nullable(idText("clientId must be a UUID"))),
});
const through = v.object({ through: v.pipe(v.number("through must be the number of a message"), v.safeInteger(), v.minValue(0)) });

export const listChat = endpoint("GET /api/chat/messages", { query: messagesQuery, answer: answer<ChatMessage[]>() });
export const sendChat = endpoint("POST /api/chat/messages", { body: chatForm, answer: answer<ChatMessage>(), status: 201 });
export const unreadChat = endpoint("GET /api/chat/unread", { answer: answer<{ count: number }>() });
export const readChat = endpoint("POST /api/chat/read", { body: through, answer: answer<{ count: number }>() });
/** Tells the other side, once in a while, and is not kept. */
export const typeChat = endpoint("POST /api/chat/typing", {});

/** With `format=csv` the same chats as a file. */
export const listSessions = endpoint("GET /api/admin/chat/sessions", {
  query: v.object({
    ...listQuery.entries,
    ...asFile,
    ...days,
    q: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(200, "At most 200 characters.")), ""),
    status: v.optional(v.picklist(["all", "open", "unread", "ended"], "status must be all, open, unread or ended"), "all"),
  }),
  answer: answer<ChatSession[]>(),
});
export const staffChat = endpoint("GET /api/admin/chat/sessions/:id/messages", { params: idParams, query: messagesQuery, answer: answer<ChatMessage[]>() });
const seenNumber = v.pipe(v.number("seen must be the number of a message"), v.safeInteger("seen must be the number of a message"), v.minValue(0));
/** `end`: it is the last word of this chat, in the same transaction. `seen`: the last message that it answers. 409 where another came since, or the chat was ended. */
export const answerChat = endpoint("POST /api/admin/chat/sessions/:id/messages", {
  params: idParams,
  body: v.object({ ...chatForm.entries, end: v.optional(v.boolean("end must be true or false"), false), seen: v.optional(v.nullable(seenNumber)) }),
  answer: answer<ChatMessage>(),
  status: 201,
});
export const readSession = endpoint("POST /api/admin/chat/sessions/:id/read", { params: idParams, body: through, answer: answer<ChatSession>() });
export const typeSession = endpoint("POST /api/admin/chat/sessions/:id/typing", { params: idParams });
export const endSession = endpoint("POST /api/admin/chat/sessions/:id/end", { params: idParams, answer: answer<ChatSession>() });
