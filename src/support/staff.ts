import { cursorOf } from "../lib/cursor";
import { found } from "../lib/refusal";
import { steadyNow } from "../lib/time";
import { paged } from "../platform/answer";
import type { House } from "../platform/house";
import { Doors } from "../platform/http";
import { once } from "../platform/once";
import { mediaTypeOf, UPLOAD_LIMIT, UPLOAD_TYPES } from "../platform/upload";
import * as chat from "./commands_chat";
import * as deeds from "./commands_desk";
import { threadOf } from "./queries";
import * as chats from "./queries_chat";
import * as queries from "./queries_desk";
import * as talk from "./schema_chat";
import * as calls from "./schema_desk";
import { ticketsFile } from "./staff_files";
import { Typing } from "./typing";

/** The staff's doors to tickets, ready answers and chats. */
export function supportStaffDoors(house: House): Doors {
  const { sql, bus } = house;
  const typing = new Typing(steadyNow);
  const session = async (sessionId: string) => found(await chats.sessionOf(sql, sessionId));
  return new Doors(house)
    .admin(calls.staffTickets, async ({ me, query, visit }) =>
      query.format === "csv" ? ticketsFile(sql, me.id, query) : paged(visit.headers, await queries.staffTicketsOf(sql, me.id, query), query.limit, cursorOf),
    )
    .admin(calls.staffTicket, async ({ params }) => {
      const [ticket, thread] = await Promise.all([queries.staffTicketOf(sql, params.id), threadOf(sql, params.id)]);
      return { ...found(ticket), ...thread };
    })
    .admin(calls.decideTicket, async ({ me, act, params, body, visit }) => {
      const { reply, done } = await once(sql, me, visit.once, () => deeds.decide(sql, act, params.id, body, visit.once));
      if (!done.repeated) deeds.announceDecision(bus, done.answer, body);
      return reply;
    })
    .adminUpload(calls.sendTicketFile, { types: UPLOAD_TYPES, limit: UPLOAD_LIMIT }, async ({ act, params, query, file }) => {
      const sent = await deeds.sendFile(sql, act, params.id, { name: query.name || "File", type: mediaTypeOf(file), content: file });
      deeds.announceFile(bus, params.id, sent);
      return sent.file;
    })
    .admin(calls.listAgents, () => queries.agents(sql))
    .admin(calls.listCanned, () => queries.cannedAnswers(sql))
    .admin(calls.createCanned, ({ act, body }) => deeds.createAnswer(sql, act, body))
    .admin(calls.changeCanned, ({ act, params, body }) => deeds.changeAnswer(sql, act, params.id, body))
    .admin(calls.deleteCanned, ({ act, params }) => deeds.deleteAnswer(sql, act, params.id))
    .admin(talk.listSessions, async ({ query, visit }) => paged(visit.headers, await chats.sessionsOf(sql, query), query.limit, cursorOf))
    .admin(talk.staffChat, async ({ params, query, visit }) => {
      const { id } = await session(params.id);
      const messages = await chats.messagesOf(sql, { sessionId: id }, query);
      return query.after === undefined ? paged(visit.headers, messages, query.limit, ({ number }) => String(number)) : messages;
    })
    .admin(talk.answerChat, ({ me, act, params, body }) => {
      typing.forget(`${me.id} ${params.id}`);
      return chat.answer(house, act, params.id, { message: body.message, clientId: body.clientId ?? crypto.randomUUID() });
    })
    .admin(talk.readSession, async ({ params, body }) => {
      await chat.readByStaff(house, await session(params.id), body.through);
      return session(params.id);
    })
    .admin(talk.typeSession, async ({ me, params }) => {
      const { id, userId, status } = await session(params.id);
      if (status === "open" && typing.mayTell(`${me.id} ${id}`)) bus.publish("chat", { userId, sessionId: id, about: "typing", from: "staff", number: 0 });
    })
    .admin(talk.endSession, ({ act, params }) => chat.end(house, act, params.id));
}
