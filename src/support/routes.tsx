import { SupportPage, type SupportProps } from "../../views/support/SupportPage";
import { cursorOf } from "../lib/cursor";
import { fit } from "../lib/fit";
import { found, notFound } from "../lib/refusal";
import { id } from "../lib/shapes";
import { paged } from "../platform/http/answer";
import { refusalOf } from "../platform/database/db";
import { refusedForm } from "../platform/http/refused";
import type { AppContext, Me } from "../platform/app_context";
import { Routes, redirect, statusOf, type RequestContext } from "../platform/http/routes";
import type { FormPlace } from "../platform/http/held_forms";
import { type Done, once } from "../platform/http/idempotency";
import type { Page } from "../platform/page/page";
import { fileResponse, inspector, UPLOAD_LIMIT, UPLOAD_TYPES } from "../platform/http/upload";
import * as commands from "./commands";
import { say } from "./commands_chat";
import * as queries from "./queries";
import * as chats from "./queries_chat";
import { supportOf } from "./queries_portal";
import * as calls from "./schema";
import { chatForm } from "./schema_chat";

/** The trader's routes to support, and its page, whose forms work without scripts. */
export function supportRoutes(app: AppContext): Routes {
  const { sql, bus } = app;

  /** Runs a command under the caller's Idempotency-Key; only the first time goes out to the screens. */
  async function deal<T>(me: Me, context: RequestContext, command: () => Promise<Done<T>>, ticketOf: (answer: T) => string) {
    const { reply, done } = await once(sql, me, context.idempotency, command);
    if (!done.repeated) commands.announceTicket(bus, { userId: me.id, ticketId: ticketOf(done.answer) });
    return reply;
  }
  const own = async (me: Me, ticketId: string) => found(await queries.ticketOf(sql, me.id, ticketId));
  const page = async (me: Me, search: URLSearchParams, given: Partial<SupportProps> = {}, status = 200): Promise<Page> => ({
    title: "Support",
    surface: "product",
    status,
    body: <SupportPage {...await supportOf(app, me, search, "/support")} {...given} />,
  });
  const place: FormPlace = { at: (form) => `/support?${searchOf(form).toString()}`, page: ({ me, form }) => page(me, searchOf(form)) };

  return new Routes(app, import.meta.path)
    .user(calls.listTickets, async ({ me, query, context }) => paged(context.headers, await queries.ticketsOf(sql, me.id, query), query.limit, cursorOf))
    .user(calls.createTicket, ({ me, body, context }) =>
      deal(
        me,
        context,
        () => commands.openTicket(sql, me.id, body, context.idempotency),
        (ticket) => ticket.id,
      ),
    )
    .user(calls.unreadSupport, async ({ me }) => {
      const [tickets, messages] = await Promise.all([queries.unreadTicketsOf(sql, me.id), chats.unreadOf(sql, me.id)]);
      return { count: tickets + messages };
    })
    .user(calls.readTicket, async ({ me, params }) => ({ ...(await own(me, params.id)), ...(await queries.threadOf(sql, params.id)) }))
    .user(calls.replyToTicket, ({ me, params, body, context }) =>
      deal(
        me,
        context,
        () => commands.reply(sql, me.id, params.id, body.message ?? "", context.idempotency),
        (reply) => reply.ticketId,
      ),
    )
    .user(calls.closeTicket, ({ me, params, context }) =>
      deal(
        me,
        context,
        () => commands.close(sql, me.id, params.id, context.idempotency),
        () => params.id,
      ),
    )
    .user(calls.markTicketRead, async ({ me, params }) => {
      await commands.markRead(sql, me.id, params.id);
      return own(me, params.id);
    })
    .upload(calls.attachFile, { types: UPLOAD_TYPES, limit: UPLOAD_LIMIT }, async ({ me, params, query, file }) => {
      await own(me, params.id);
      const sent = await commands.attach(sql, me.id, params.id, { name: query.name || "File", type: await inspector.typeOf(file), content: file });
      commands.announceTicket(bus, { userId: me.id, ticketId: sent.ticketId });
      return sent;
    })
    .user(calls.readFile, async ({ me, params }) => {
      const file = found(await queries.fileOf(sql, params.id, params.fileId, me));
      return fileResponse(file, file.name);
    })
    .userPage("/support", ({ me, context }) => page(me, context.url.searchParams))
    .userForm("/support", place, async ({ context, me, form }) => {
      const ticketId = form.ticket;
      const isChat = form.deed === "chat";
      const search = searchOf(form);
      const again = (status: number, errors: Record<string, string>, message: string) =>
        page(me, search, { written: { values: form, errors, message } }, status);
      try {
        if (isChat) {
          const said = fit(chatForm, form);
          if (!said.ok) return await again(400, said.fields, Object.values(said.fields)[0] ?? "");
          await say(app, me.id, { message: said.value.message, clientId: crypto.randomUUID() });
          return redirect("/support?view=chat", 303);
        }
        if (ticketId === undefined) {
          const asked = fit(calls.ticketBody, form);
          if (!asked.ok) return await again(400, asked.fields, Object.values(asked.fields)[0] ?? "");
          const { answer } = await commands.openTicket(sql, me.id, asked.value, null);
          commands.announceTicket(bus, { userId: me.id, ticketId: answer.id });
          return redirect(`/support?ticket=${answer.id}`, 303);
        }
        if (!fit(id, ticketId).ok) throw notFound();
        const asked = fit(calls.replyForm, form);
        let goesOn = ticketId;
        if (form.deed === "close") await commands.close(sql, me.id, ticketId, null);
        else if (asked.ok) goesOn = (await commands.reply(sql, me.id, ticketId, asked.value.message, null)).answer.ticketId;
        else return await again(400, asked.fields, Object.values(asked.fields)[0] ?? "");
        commands.announceTicket(bus, { userId: me.id, ticketId: goesOn });
        return redirect(`/support?ticket=${goesOn}`, 303);
      } catch (error) {
        if (refusalOf(error)?.code === "not_found") throw error;
        const refusal = refusedForm(app, context, error);
        return again(statusOf(refusal), refusal.fields ?? {}, refusal.message);
      }
    });
}

/** The view that has a form of this kind: the chat, a ticket's, or that of a new one. */
const searchOf = ({ deed, ticket }: Record<string, string>) =>
  new URLSearchParams(deed === "chat" ? { view: "chat" } : ticket === undefined ? { view: "new" } : { ticket });
