import type { ReactNode } from "react";
import AdminChat, { type ChatProps } from "../../islands/support/AdminChat";
import AdminSupport, { type InboxProps } from "../../islands/support/AdminSupport";
import AdminSupportAnswers from "../../islands/support/AdminSupportAnswers";
import AdminSupportContact, { type ContactProps } from "../../islands/support/AdminSupportContact";
import AdminSupportTicket, { type TicketProps } from "../../islands/support/AdminSupportTicket";
import { categories, priorities, ticketStatuses } from "../../src/support/schema";
import type { Agent, CannedAnswer } from "../../src/support/schema_inbox";
import { CATEGORY, PRIORITY, STATUS } from "./words";
import { classes } from "../ui/classes";
import { type Choice, ExportLink, FilterMenu, SearchForm, StatusLinks } from "../ui/staff/Filters";
import { SUPPORT_TAB, type SupportView } from "./staff_words";

type Props =
  | ({ view: "ticket" } & TicketProps)
  | ({ view: "tickets"; agents: Agent[] } & InboxProps)
  | ({ view: "chat" } & ChatProps)
  | { view: "answers"; canned: CannedAnswer[] }
  | ({ view: "contact" } & ContactProps);

const VIEWS: { id: SupportView; label: string }[] = [
  { id: "tickets", label: "Tickets" },
  { id: "chat", label: "Live Chat" },
  { id: "answers", label: "Ready Answers" },
  { id: "contact", label: "Contact Messages" },
];

/** The Support tab: tickets, the chat console, answers that are kept ready, and what visitors wrote. */
export function SupportInbox(props: Props) {
  const { tools, list } = viewOf(props);
  return (
    <div className="flex flex-col gap-1">
      <div className="relative flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
        <nav aria-label="Support" className="min-w-0">
          <ul className="flex flex-wrap">
            {VIEWS.map(({ id, label }) => {
              const current = id === (props.view === "ticket" ? "tickets" : props.view);
              return (
                <li key={id}>
                  <a
                    href={id === "tickets" ? SUPPORT_TAB : `${SUPPORT_TAB}&view=${id}`}
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
    case "ticket":
      return { tools: null, list: <AdminSupportTicket ticket={props.ticket} agents={props.agents} canned={props.canned} me={props.me} now={props.now} /> };
    case "tickets":
      return {
        tools: <TicketTools query={props.query} agents={props.agents} />,
        list: <AdminSupport tickets={props.tickets} query={props.query} now={props.now} />,
      };
    case "chat": {
      const { sessions, session, messages, canned, query, now, me, at } = props;
      const tools = <Tools query={query} search="Search by name, email or ID" states={CHAT_STATES} of="chat" path="/api/admin/chat/sessions" />;
      return { tools, list: <AdminChat {...{ sessions, session, messages, canned, query, now, me, at }} /> };
    }
    case "answers":
      return { tools: null, list: <AdminSupportAnswers canned={props.canned} /> };
    case "contact": {
      const { messages, query } = props;
      const tools = <Tools query={query} search="Search by name, email or words" states={CONTACT_STATES} of="message" path="/api/admin/contact-messages" />;
      return { tools, list: <AdminSupportContact messages={messages} query={query} /> };
    }
  }
}

const ALL = { id: "all", label: "All" };
/** The days of a list, in UTC. */
const DAYS = [
  { name: "from", label: "From (UTC)", type: "date" },
  { name: "to", label: "to", type: "date" },
] as const;

const TicketTools = ({ agents, query }: { agents: Agent[]; query: InboxProps["query"] }) => (
  <>
    <SearchForm at={SUPPORT_TAB} query={query} label="Search by subject, name, email or ID" />
    <FilterMenu
      at={SUPPORT_TAB}
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
