import type { ReactNode } from "react";
import { SupportInbox } from "../../views/admin/SupportInbox";
import { SUPPORT_TAB, supportViewOf } from "../../views/support/staff_words";
import { fit, queryOf } from "../lib/fit";
import { id } from "../lib/shapes";
import type { AppContext, Me } from "../platform/app_context";
import { threadOf } from "../support/queries";
import { messagesOf, sessionOf, sessionsOf } from "../support/queries_chat";
import { listContact } from "../support/queries_contact";
import { agents, cannedAnswers, staffTicketOf, staffTicketsOf } from "../support/queries_inbox";
import { listSessions } from "../support/schema_chat";
import { listContact as contact } from "../support/schema_contact";
import { inboxOf } from "../support/queries_all";
import { staffTickets, supportInbox } from "../support/schema_inbox";
import { filtersOf, snoozes } from "./queries_queues";

/** Rows of a page. */
const ROWS = 50;
const limit = String(ROWS);

const idIn = (asked: URLSearchParams, name: string) => {
  const value = fit(id, asked.get(name));
  return value.ok ? value.value : null;
};

/** The chat console, as an address asks for it: `session` opens a chat. */
export async function chatsOf({ sql }: Pick<AppContext, "sql">, asked: URLSearchParams) {
  const { q, status, from, to, cursor } = queryOf(listSessions.query, asked);
  const query = { view: "chat" as const, q, status, from, to, ...(cursor ? { cursor } : {}) };
  const sessionId = idIn(asked, "session");
  const [sessions, session, canned] = await Promise.all([
    sessionsOf(sql, { ...query, limit: ROWS }),
    sessionId ? sessionOf(sql, sessionId) : null,
    cannedAnswers(sql),
  ]);
  const messages = session ? await messagesOf(sql, { sessionId: session.id }, { limit: 100 }) : null;
  return { sessions, session, messages, canned, query: { ...query, limit } };
}

/** The inbox, as its address asks for it: `ticket` or `session` opens one. */
async function inbox({ sql }: AppContext, asked: URLSearchParams, me: Me) {
  const { q, state, kind, priority, assignee, cursor } = queryOf(supportInbox.query, asked);
  const query = { q, state, kind, priority, assignee, ...(cursor ? { cursor } : {}) };
  const [ticketId, sessionId] = [idIn(asked, "ticket"), idIn(asked, "session")];
  const [rows, agentsOfHouse, canned, filters, ticket, session] = await Promise.all([
    inboxOf(sql, me.id, { ...query, limit: ROWS }),
    agents(sql),
    cannedAnswers(sql),
    filtersOf(sql, me.id, "support"),
    ticketId ? staffTicketOf(sql, ticketId) : null,
    sessionId ? sessionOf(sql, sessionId) : null,
  ]);
  const opened = ticket
    ? { kind: "ticket" as const, id: ticket.id, ticket: { ...ticket, ...(await threadOf(sql, ticket.id)) } }
    : session && { kind: "chat" as const, id: session.id, session, messages: await messagesOf(sql, { sessionId: session.id }, { limit: 100 }) };
  return { rows, query: { ...query, limit }, opened, agents: agentsOfHouse, canned, filters, me: me.id };
}

/** The Support tab, as its address asks for it: `view` names what is not the inbox. */
export async function supportTab(app: AppContext, asked: URLSearchParams, me: Me): Promise<ReactNode> {
  const { sql } = app;
  const now = new Date().toISOString();
  const view = supportViewOf(asked);
  if (view === "inbox") return <SupportInbox view={view} {...await inbox(app, asked, me)} now={now} />;
  if (view === "answers") return <SupportInbox view={view} canned={await cannedAnswers(sql)} />;
  if (view === "contact") {
    const { q, status, from, to, cursor } = queryOf(contact.query, asked);
    const query = { view, q, status, from, to, ...(cursor ? { cursor } : {}) };
    const [messages, away] = await Promise.all([listContact(sql, { ...query, sort: "waiting", limit: ROWS }), snoozes(sql)]);
    return <SupportInbox view={view} messages={messages} snoozes={away} query={{ ...query, limit }} me={me.id} now={now} />;
  }
  if (view === "chat") return <SupportInbox view={view} {...await chatsOf({ sql }, asked)} at={SUPPORT_TAB} now={now} me={me.id} />;
  const { q, status, priority, category, assignee, sort, from, to, cursor } = queryOf(staffTickets.query, asked);
  const query = { q, status, priority, category, assignee, sort, from, to, ...(cursor ? { cursor } : {}) };
  const [tickets, people, filters] = await Promise.all([staffTicketsOf(sql, me.id, { ...query, limit: ROWS }), agents(sql), filtersOf(sql, me.id, "support")]);
  return <SupportInbox view={view} tickets={tickets} agents={people} filters={filters} query={{ ...query, limit }} now={now} />;
}
