import type { ReactNode } from "react";
import { SupportInbox } from "../../views/support/SupportInbox";
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
import { staffTickets } from "../support/schema_inbox";

/** Rows of a page. */
const ROWS = 50;
const limit = String(ROWS);

const idIn = (asked: URLSearchParams, name: string) => {
  const value = fit(id, asked.get(name));
  return value.ok ? value.value : null;
};

/** The chat console, as an address asks for it: `session` opens a chat. */
export async function chatsOf({ sql }: Pick<AppContext, "sql">, asked: URLSearchParams) {
  const { q, status, cursor } = queryOf(listSessions.query, asked);
  const query = { view: "chat" as const, q, status, ...(cursor ? { cursor } : {}) };
  const sessionId = idIn(asked, "session");
  const [sessions, session, canned] = await Promise.all([
    sessionsOf(sql, { ...query, limit: ROWS }),
    sessionId ? sessionOf(sql, sessionId) : null,
    cannedAnswers(sql),
  ]);
  const messages = session ? await messagesOf(sql, { sessionId: session.id }, { limit: 100 }) : null;
  return { sessions, session, messages, canned, query: { ...query, limit } };
}

/** The Support tab, as its address asks for it: `ticket` opens one, `view` names the others, `session` a chat. */
export async function supportInbox({ sql }: AppContext, asked: URLSearchParams, me: Me): Promise<ReactNode> {
  const now = new Date().toISOString();
  const ticketId = idIn(asked, "ticket");
  const opened = ticketId && (await staffTicketOf(sql, ticketId));
  if (opened) {
    const [thread, people, canned] = await Promise.all([threadOf(sql, opened.id), agents(sql), cannedAnswers(sql)]);
    return <SupportInbox view="ticket" ticket={{ ...opened, ...thread }} agents={people} canned={canned} me={me.id} now={now} />;
  }
  const view = supportViewOf(asked.get("view"));
  if (view === "answers") return <SupportInbox view={view} canned={await cannedAnswers(sql)} />;
  if (view === "contact") {
    const { q, status, from, to, cursor } = queryOf(contact.query, asked);
    const query = { view, q, status, from, to, ...(cursor ? { cursor } : {}) };
    return <SupportInbox view={view} messages={await listContact(sql, { ...query, limit: ROWS })} query={{ ...query, limit }} />;
  }
  if (view === "chat") return <SupportInbox view={view} {...await chatsOf({ sql }, asked)} at={SUPPORT_TAB} now={now} me={me.id} />;
  const { q, status, priority, category, assignee, sort, from, to, cursor } = queryOf(staffTickets.query, asked);
  const query = { q, status, priority, category, assignee, sort, from, to, ...(cursor ? { cursor } : {}) };
  const [tickets, people] = await Promise.all([staffTicketsOf(sql, me.id, { ...query, limit: ROWS }), agents(sql)]);
  return <SupportInbox view={view} tickets={tickets} agents={people} query={{ ...query, limit }} now={now} />;
}
