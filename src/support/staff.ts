import { cursorOf } from "../lib/cursor";
import { found } from "../lib/refusal";
import { steadyNow } from "../lib/time";
import { paged } from "../platform/http/answer";
import type { AppContext } from "../platform/app_context";
import { Routes } from "../platform/http/routes";
import { once } from "../platform/http/idempotency";
import { inspector, UPLOAD_LIMIT, UPLOAD_TYPES } from "../platform/http/upload";
import * as chat from "./commands_chat";
import * as commands from "./commands_inbox";
import { threadOf } from "./queries";
import * as chats from "./queries_chat";
import * as queries from "./queries_inbox";
import { inboxOf } from "./queries_all";
import { inboxCursor } from "./rules_inbox";
import * as talk from "./schema_chat";
import * as calls from "./schema_inbox";
import { chatsFile, ticketsFile } from "./staff_files";
import { Typing } from "./typing";

/** The staff's routes to tickets, ready answers and chats. */
export function supportStaffRoutes(app: AppContext): Routes {
  const { sql, bus } = app;
  const typing = new Typing(steadyNow);
  const session = async (sessionId: string) => found(await chats.sessionOf(sql, sessionId));
  return new Routes(app, import.meta.path)
    .admin("support.read", calls.staffTickets, async ({ me, query, context }) =>
      query.format === "csv"
        ? ticketsFile(await app.reading(), me.id, query)
        : paged(context.headers, await queries.staffTicketsOf(await app.reading(), me.id, query), query.limit, cursorOf),
    )
    .admin("support.read", calls.staffTicket, async ({ params }) => {
      const [ticket, thread] = await Promise.all([queries.staffTicketOf(sql, params.id), threadOf(sql, params.id)]);
      return { ...found(ticket), ...thread };
    })
    .admin("support.answer", calls.decideTicket, async ({ me, act, params, body, context }) => {
      const { reply, done } = await once(sql, me, context.idempotency, () => commands.decide(sql, act, params.id, body, context.idempotency));
      if (!done.repeated) commands.announceDecision(bus, done.answer, body);
      return reply;
    })
    .admin("support.answer", calls.mergeTickets, async ({ me, act, params, body, context }) => {
      const { reply, done } = await once(sql, me, context.idempotency, () => commands.merge(sql, act, params.id, body.tickets, context.idempotency));
      if (!done.repeated) commands.announceMerge(bus, done.answer, body.tickets);
      return reply;
    })
    .admin("support.read", calls.supportInbox, async ({ me, query, context }) =>
      paged(context.headers, await inboxOf(await app.reading(), me.id, query), query.limit, inboxCursor),
    )
    .adminUpload("support.answer", calls.sendTicketFile, { types: UPLOAD_TYPES, limit: UPLOAD_LIMIT }, async ({ act, params, query, file }) => {
      const sent = await commands.sendFile(sql, act, params.id, { name: query.name || "File", type: await inspector.typeOf(file), content: file });
      commands.announceFile(bus, sent);
      return sent.file;
    })
    .admin("support.read", calls.listAgents, () => queries.agents(sql))
    .admin("support.read", calls.listCanned, () => queries.cannedAnswers(sql))
    .admin("answers.change", calls.createCanned, ({ act, body }) => commands.createAnswer(sql, act, body))
    .admin("answers.change", calls.changeCanned, ({ act, params, body }) => commands.changeAnswer(sql, act, params.id, body))
    .admin("answers.change", calls.deleteCanned, ({ act, params }) => commands.deleteAnswer(sql, act, params.id))
    .admin("support.read", talk.listSessions, async ({ query, context }) =>
      query.format === "csv"
        ? chatsFile(await app.reading(), query)
        : paged(context.headers, await chats.sessionsOf(await app.reading(), query), query.limit, cursorOf),
    )
    .admin("support.read", talk.staffChat, async ({ params, query, context }) => {
      const { id } = await session(params.id);
      const messages = await chats.messagesOf(sql, { sessionId: id }, query);
      return query.after === undefined ? paged(context.headers, messages, query.limit, ({ number }) => String(number)) : messages;
    })
    .admin("support.answer", talk.answerChat, ({ me, act, params, body }) => {
      typing.forget(`${me.id} ${params.id}`);
      return chat.answer(app, act, params.id, { ...body, clientId: body.clientId ?? crypto.randomUUID() });
    })
    .admin("support.answer", talk.readSession, async ({ params, body }) => {
      await chat.readByStaff(app, await session(params.id), body.through);
      return session(params.id);
    })
    .admin("support.answer", talk.typeSession, async ({ me, params }) => {
      const { id, userId, status } = await session(params.id);
      if (status === "open" && typing.mayTell(`${me.id} ${id}`)) bus.publish("chat", { userId, sessionId: id, about: "typing", from: "staff", number: 0 });
    })
    .admin("support.answer", talk.endSession, ({ act, params }) => chat.end(app, act, params.id));
}
