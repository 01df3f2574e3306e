import { companyOf } from "../../views/support/company";
import type { SupportProps } from "../../views/support/SupportPage";
import { fit } from "../lib/fit";
import { id } from "../lib/shapes";
import type { AppContext, Me } from "../platform/app_context";
import { threadOf, ticketOf, ticketsOf } from "./queries";
import { messagesOf, unreadOf } from "./queries_chat";

const LIST = 100;
const BLANK = { values: {}, errors: {}, message: null };

/**
 * What `SupportPortal` needs, for the page that embeds it. `search` is the page's query (`view`, `ticket`), `path` its address with
 * its own tab in it.
 */
export async function supportOf({ sql, config }: AppContext, me: Me, search: URLSearchParams, path: string): Promise<SupportProps> {
  const asked = fit(id, search.get("ticket"));
  const view = viewOf(search.get("view"));
  const [tickets, named, messages, unread] = await Promise.all([
    ticketsOf(sql, me.id, { limit: LIST }),
    asked.ok ? ticketOf(sql, me.id, asked.value) : null,
    view === "chat" ? messagesOf(sql, { userId: me.id }, { limit: LIST }) : null,
    unreadOf(sql, me.id),
  ]);
  const opened = named && { id: named.id, thread: await threadOf(sql, named.id) };
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
export const supportLater = ({ config }: AppContext, me: Me, path: string): SupportProps => ({
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
const supportContact = ({ company, siteMode }: AppContext["config"]) => {
  const { phone, email } = companyOf(company, siteMode === "demo");
  return { phone, email };
};
