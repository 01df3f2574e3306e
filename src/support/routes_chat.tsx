import { steadyNow } from "../lib/time";
import type { AppContext } from "../platform/app_context";
import { Routes } from "../platform/http/routes";
import * as commands from "./commands_chat";
import * as queries from "./queries_chat";
import * as calls from "./schema_chat";
import { Typing } from "./typing";

/** The trader's routes to the chat. */
export function chatRoutes(app: AppContext): Routes {
  const { sql, bus } = app;
  const typing = new Typing(steadyNow);
  return new Routes(app, import.meta.path)
    .user(calls.listChat, async ({ me, query, context }) => {
      const messages = await queries.messagesOf(sql, { userId: me.id }, query);
      const last = messages.at(-1);
      if (last && query.after === undefined && messages.length === query.limit) context.headers.set("X-Next-Cursor", String(last.number));
      return messages;
    })
    .user(calls.sendChat, ({ me, body }) => {
      typing.forget(me.id);
      return commands.say(app, me.id, { message: body.message, clientId: body.clientId ?? crypto.randomUUID() });
    })
    .user(calls.unreadChat, async ({ me }) => ({ count: await queries.unreadOf(sql, me.id) }))
    .user(calls.readChat, async ({ me, body }) => {
      const sessionId = await queries.openSessionOf(sql, me.id);
      await commands.readByTrader(app, me.id, sessionId ?? "", body.through);
      return { count: await queries.unreadOf(sql, me.id) };
    })
    .user(calls.typeChat, async ({ me }) => {
      if (!typing.mayTell(me.id)) return;
      const sessionId = await queries.openSessionOf(sql, me.id);
      if (sessionId) bus.publish("chat", { userId: me.id, sessionId, about: "typing", from: "trader", number: 0 });
    });
}
