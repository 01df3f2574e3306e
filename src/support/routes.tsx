import { companyOf } from "../../views/content/company";
import { SupportPage, type SupportProps } from "../../views/support/SupportPage";
import { FILL_ALL } from "../../views/support/words";
import { cursorOf } from "../lib/cursor";
import { fit } from "../lib/fit";
import { found, notFound } from "../lib/refusal";
import { id } from "../lib/shapes";
import { paged } from "../platform/answer";
import { refusalOf } from "../platform/db";
import type { House, Me } from "../platform/house";
import { Doors, redirect, statusOf, type Visit } from "../platform/http";
import { type Done, once } from "../platform/once";
import type { Page } from "../platform/page";
import { fileResponse, mediaTypeOf, UPLOAD_LIMIT, UPLOAD_TYPES } from "../platform/upload";
import * as deeds from "./commands";
import { say } from "./commands_chat";
import * as queries from "./queries";
import * as chats from "./queries_chat";
import * as calls from "./schema";
import { chatForm } from "./schema_chat";

const LIST = 100;
const BLANK = { values: {}, errors: {}, message: null };

/**
 * What `SupportPortal` needs, for the page that embeds it. `search` is the page's query (`view`, `ticket`), `path` its address with
 * its own tab in it.
 */
export async function supportOf({ sql, config }: House, me: Me, search: URLSearchParams, path: string): Promise<SupportProps> {
  const asked = fit(id, search.get("ticket"));
  const view = viewOf(search.get("view"));
  const [tickets, named, messages, unread] = await Promise.all([
    queries.ticketsOf(sql, me.id, { limit: LIST }),
    asked.ok ? queries.ticketOf(sql, me.id, asked.value) : null,
    view === "chat" ? chats.messagesOf(sql, { userId: me.id }, { limit: LIST }) : null,
    chats.unreadOf(sql, me.id),
  ]);
  const opened = named && { id: named.id, thread: await queries.threadOf(sql, named.id) };
  return {
    // One that is older than the list's end is shown all the same.
    tickets: named && !tickets.some((ticket) => ticket.id === named.id) ? [...tickets, named] : tickets,
    view,
    path,
    company: supportContact(config),
    opened,
    written: BLANK,
    me: me.id,
    chat: messages,
    unreadChat: unread,
  };
}

const viewOf = (name: string | null) => (name === "new" || name === "chat" ? name : "tickets");

/** What `SupportPortal` needs where its tab is not shown at first: it asks for the rest itself once it is. */
export const supportLater = ({ config }: House, me: Me, path: string): SupportProps => ({
  tickets: null,
  view: "tickets",
  path,
  company: supportContact(config),
  opened: null,
  written: BLANK,
  me: me.id,
  chat: null,
  unreadChat: 0,
});

/** How else support is reached. */
const supportContact = ({ company, siteMode }: House["config"]) => {
  const { phone, email } = companyOf(company, siteMode === "demo");
  return { phone, email };
};

/** The trader's doors to support, and its page, whose forms work without scripts. */
export function supportDoors(house: House): Doors {
  const { sql, bus } = house;

  /** Runs a deed under the caller's Idempotency-Key; the screens are told the first time only. */
  async function deal<T>(me: Me, visit: Visit, deed: () => Promise<Done<T>>, ticketOf: (answer: T) => string) {
    const { reply, done } = await once(sql, me, visit.once, deed);
    if (!done.repeated) deeds.announceTicket(bus, { userId: me.id, ticketId: ticketOf(done.answer) });
    return reply;
  }
  const own = async (me: Me, ticketId: string) => found(await queries.ticketOf(sql, me.id, ticketId));
  const page = async (me: Me, search: URLSearchParams, given: Partial<SupportProps> = {}, status = 200): Promise<Page> => ({
    title: "Support",
    look: "product",
    status,
    body: <SupportPage {...await supportOf(house, me, search, "/support")} {...given} />,
  });

  return new Doors(house)
    .user(calls.listTickets, async ({ me, query, visit }) => paged(visit.headers, await queries.ticketsOf(sql, me.id, query), query.limit, cursorOf))
    .user(calls.createTicket, ({ me, body, visit }) =>
      deal(
        me,
        visit,
        () => deeds.openTicket(sql, me.id, body, visit.once),
        (ticket) => ticket.id,
      ),
    )
    .user(calls.unreadSupport, async ({ me }) => {
      const [tickets, messages] = await Promise.all([queries.unreadTicketsOf(sql, me.id), chats.unreadOf(sql, me.id)]);
      return { count: tickets + messages };
    })
    .user(calls.readTicket, async ({ me, params }) => ({ ...(await own(me, params.id)), ...(await queries.threadOf(sql, params.id)) }))
    .user(calls.replyToTicket, ({ me, params, body, visit }) =>
      deal(
        me,
        visit,
        () => deeds.reply(sql, me.id, params.id, body.message ?? "", visit.once),
        () => params.id,
      ),
    )
    .user(calls.closeTicket, ({ me, params, visit }) =>
      deal(
        me,
        visit,
        () => deeds.close(sql, me.id, params.id, visit.once),
        () => params.id,
      ),
    )
    .user(calls.markTicketRead, async ({ me, params }) => {
      await deeds.markRead(sql, me.id, params.id);
      return own(me, params.id);
    })
    .upload(calls.attachFile, { types: UPLOAD_TYPES, limit: UPLOAD_LIMIT }, async ({ me, params, query, file }) => {
      await own(me, params.id);
      const sent = await deeds.attach(sql, me.id, params.id, { name: query.name || "File", type: mediaTypeOf(file), content: file });
      deeds.announceTicket(bus, { userId: me.id, ticketId: params.id });
      return sent;
    })
    .user(calls.readFile, async ({ me, params }) => {
      const file = found(await queries.fileOf(sql, params.id, params.fileId, me));
      return fileResponse(file, file.name);
    })
    .userPage("/support", ({ me, visit }) => page(me, visit.url.searchParams))
    .form("/support", async ({ me, form }) => {
      if (!me) return redirect("/login?returnTo=/support", 303);
      const ticketId = form.ticket;
      const isChat = form.deed === "chat";
      const search = new URLSearchParams(isChat ? { view: "chat" } : ticketId === undefined ? { view: "new" } : { ticket: ticketId });
      const again = (status: number, errors: Record<string, string>, message: string) =>
        page(me, search, { written: { values: form, errors, message } }, status);
      try {
        if (isChat) {
          const said = fit(chatForm, form);
          if (!said.ok) return await again(400, said.fields, Object.values(said.fields)[0] ?? "");
          await say(house, me.id, { message: said.value.message, clientId: crypto.randomUUID() });
          return redirect("/support?view=chat", 303);
        }
        if (ticketId === undefined) {
          const asked = fit(calls.ticketBody, form);
          if (!asked.ok) return await again(400, asked.fields, FILL_ALL.description);
          const { answer } = await deeds.openTicket(sql, me.id, asked.value, null);
          deeds.announceTicket(bus, { userId: me.id, ticketId: answer.id });
          return redirect(`/support?ticket=${answer.id}`, 303);
        }
        if (!fit(id, ticketId).ok) throw notFound();
        const asked = fit(calls.replyForm, form);
        if (form.deed === "close") await deeds.close(sql, me.id, ticketId, null);
        else if (asked.ok) await deeds.reply(sql, me.id, ticketId, asked.value.message, null);
        else return await again(400, asked.fields, Object.values(asked.fields)[0] ?? "");
        deeds.announceTicket(bus, { userId: me.id, ticketId });
        return redirect(`/support?ticket=${ticketId}`, 303);
      } catch (error) {
        const refusal = refusalOf(error);
        if (!refusal || refusal.code === "not_found") throw error;
        return again(statusOf(refusal), refusal.fields ?? {}, refusal.message);
      }
    });
}
