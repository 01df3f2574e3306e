import type { ReactNode } from "react";
import AdminInbox, { type InboxProps } from "../../islands/admin/AdminInbox";
import AdminChat, { type ChatProps } from "../../islands/support/AdminChat";
import AdminSupport, { type TicketsProps } from "../../islands/support/AdminSupport";
import AdminSupportAnswers from "../../islands/support/AdminSupportAnswers";
import AdminSupportContact, { type ContactProps } from "../../islands/support/AdminSupportContact";
import SavedFilters from "../../islands/ui/SavedFilters";
import type { SavedFilter } from "../../src/admin/schema_queues";
import { categories, priorities, ticketStatuses } from "../../src/support/schema";
import type { Agent, CannedAnswer } from "../../src/support/schema_inbox";
import { CATEGORY, PRIORITY, STATUS } from "../support/words";
import { classes } from "../ui/classes";
import { type Choice, ExportLink, FilterMenu, SearchForm, StatusLinks } from "../ui/staff/Filters";
import { type ListQuery, said } from "../ui/staff/address";
import { INBOX, SUPPORT_TAB, type SupportView, TICKETS } from "../support/staff_words";

type Props =
  | ({ view: "inbox"; filters: SavedFilter[] } & InboxProps)
  | ({ view: "tickets"; agents: Agent[]; filters: SavedFilter[] } & TicketsProps)
  | ({ view: "chat" } & ChatProps)
  | { view: "answers"; canned: CannedAnswer[] }
  | ({ view: "contact" } & ContactProps);

const VIEWS: { id: SupportView; label: string }[] = [
  { id: "inbox", label: "Inbox" },
  { id: "tickets", label: "Tickets" },
  { id: "chat", label: "Live Chat" },
  { id: "answers", label: "Ready Answers" },
  { id: "contact", label: "Contact Messages" },
];

/** The Support tab: the inbox, all tickets, the chat console, answers that are kept ready, and what visitors wrote. */
export function SupportInbox(props: Props) {
  const { tools, list } = viewOf(props);
  return (
    <div className="group flex flex-col gap-1">
      <div className="max-lg:group-has-[[data-thread]]:hidden relative flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
        <nav aria-label="Support" className="min-w-0 max-w-full overflow-x-auto">
          <ul className="flex">
            {VIEWS.map(({ id, label }) => {
              const current = id === props.view;
              return (
                <li key={id}>
                  <a
                    href={id === "inbox" ? SUPPORT_TAB : `${SUPPORT_TAB}&view=${id}`}
                    aria-current={current ? "page" : undefined}
                    className={classes(
                      "inline-flex min-h-11 items-center whitespace-nowrap rounded-control px-3 text-table no-underline md:min-h-9",
                      current ? "bg-sunken font-semibold text-ink" : "text-soft hover:text-ink",
                    )}
                  >
                    {label}
                  </a>
                </li>
              );
            })}
          </ul>
        </nav>
        {tools}
      </div>
      <div>{list}</div>
    </div>
  );
}

/** A view's tools, which stand in one line with the way to the others, and what it shows. */
function viewOf(props: Props): { tools: ReactNode; list: ReactNode } {
  switch (props.view) {
    case "inbox": {
      const { view: _view, filters, ...inbox } = props;
      return { tools: <InboxTools query={inbox.query} filters={filters} />, list: <AdminInbox {...inbox} /> };
    }
    case "tickets":
      return {
        tools: <TicketTools query={props.query} agents={props.agents} filters={props.filters} />,
        list: <AdminSupport tickets={props.tickets} query={props.query} now={props.now} />,
      };
    case "chat": {
      const { sessions, session, messages, canned, query, now, me, at } = props;
      const tools = <Tools query={query} search="Search by person, words or ID" states={CHAT_STATES} of="chat" path="/api/admin/chat/sessions" />;
      return { tools, list: <AdminChat {...{ sessions, session, messages, canned, query, now, me, at }} /> };
    }
    case "answers":
      return { tools: null, list: <AdminSupportAnswers canned={props.canned} /> };
    case "contact": {
      const { messages, snoozes, query, me, now } = props;
      const tools = <Tools query={query} search="Search by name, email or words" states={CONTACT_STATES} of="message" path="/api/admin/contact-messages" />;
      return { tools, list: <AdminSupportContact {...{ messages, snoozes, query, me, now }} /> };
    }
  }
}

const ALL = { id: "all", label: "All" };
/** The days of a list, in UTC. */
const DAYS = [
  { name: "from", label: "From (UTC)", type: "date" },
  { name: "to", label: "to", type: "date" },
] as const;

/** A filter is kept with the view that it filters. */
const named = (view: SupportView, query: ListQuery): ListQuery => (said({ ...query, cursor: undefined }).length > 0 ? { view, ...query } : query);

const STATES = [
  { id: "waiting", label: "Needs an answer" },
  { id: "all", label: "All" },
  { id: "resolved", label: "Resolved" },
];
const MINE = [ALL, { id: "me", label: "Me" }, { id: "none", label: "Nobody" }];

const InboxTools = ({ query, filters }: { query: InboxProps["query"]; filters: SavedFilter[] }) => (
  <>
    <StatusLinks at={INBOX} query={query} name="state" choices={STATES} label="State" />
    <SearchForm at={INBOX} query={query} label="Search by person or words" />
    <FilterMenu
      at={INBOX}
      query={query}
      label="Filter the inbox"
      fields={[
        { name: "kind", label: "Kind", choices: [ALL, { id: "ticket", label: "Tickets" }, { id: "chat", label: "Chats" }] },
        { name: "priority", label: "Priority", choices: [ALL, ...priorities.map((id) => ({ id, label: PRIORITY[id].label }))] },
        { name: "assignee", label: "Whose", choices: MINE },
      ]}
    />
    <SavedFilters queue="support" query={named("inbox", query)} filters={filters} />
  </>
);

const TicketTools = ({ agents, query, filters }: { agents: Agent[]; query: TicketsProps["query"]; filters: SavedFilter[] }) => (
  <>
    <SearchForm at={TICKETS} query={query} label="Search by subject, name, email or ID" />
    <FilterMenu
      at={TICKETS}
      query={query}
      label="Filters"
      fields={[
        {
          name: "status",
          label: "Status",
          choices: [ALL, { id: "active", label: "Active" }, ...ticketStatuses.map((id) => ({ id, label: STATUS[id].label }))],
        },
        { name: "priority", label: "Priority", choices: [ALL, ...priorities.map((id) => ({ id, label: PRIORITY[id].label }))] },
        { name: "category", label: "Category", choices: [ALL, ...categories.map((id) => ({ id, label: CATEGORY[id] }))] },
        {
          name: "assignee",
          label: "Assigned to",
          choices: [
            ALL,
            { id: "me", label: "Me" },
            { id: "none", label: "Nobody" },
            ...agents.map(({ id, name, email }) => ({ id, label: `${name}, ${email}` })),
          ],
        },
        ...DAYS,
      ]}
    />
    <SavedFilters queue="support" query={named("tickets", query)} filters={filters} />
    <span className="md:ml-auto">
      <ExportLink path="/api/admin/support-tickets" query={query} />
    </span>
  </>
);

const CHAT_STATES = [ALL, { id: "unread", label: "Unread" }, { id: "open", label: "Open" }, { id: "ended", label: "Ended" }];
const CONTACT_STATES = [ALL, { id: "new", label: "New" }, { id: "answered", label: "Answered" }, { id: "closed", label: "Closed" }];

type ToolsProps = { query: ChatProps["query"] | ContactProps["query"]; search: string; states: Choice[]; of: string; path: string };
const Tools = ({ query, search, states, of, path }: ToolsProps) => (
  <>
    <SearchForm at={SUPPORT_TAB} query={query} label={search} />
    <StatusLinks at={SUPPORT_TAB} query={query} choices={states} label={`State of the ${of}`} />
    {"from" in query ? <FilterMenu at={SUPPORT_TAB} query={query} label={`Days of the ${of}s`} fields={DAYS} /> : null}
    <span className="md:ml-auto">
      <ExportLink path={path} query={{ q: query.q, status: query.status, ...("from" in query ? { from: query.from, to: query.to } : {}) }} />
    </span>
  </>
);
