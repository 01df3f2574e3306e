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
import { ExportLink, FilterForm, SearchForm, StatusLinks } from "../ui/staff/Filters";
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
export const SupportInbox = (props: Props) => (
  <div className="flex flex-col gap-3">
    <nav aria-label="Support">
      <ul className="flex flex-wrap gap-1">
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
    {viewOf(props)}
  </div>
);

function viewOf(props: Props): ReactNode {
  if (props.view === "ticket") return <AdminSupportTicket ticket={props.ticket} agents={props.agents} canned={props.canned} me={props.me} now={props.now} />;
  if (props.view === "tickets") return <Tickets {...props} />;
  if (props.view === "chat") return <Chat {...props} />;
  if (props.view === "answers") return <AdminSupportAnswers canned={props.canned} />;
  return <Contact {...props} />;
}

const ALL = { id: "all", label: "All" };

const Tickets = ({ tickets, agents, query, now }: InboxProps & { agents: Agent[] }) => (
  <>
    <div className="flex min-w-0 flex-wrap items-end gap-x-4 gap-y-2">
      <SearchForm at={SUPPORT_TAB} query={query} label="Search by subject, name, email or ID" />
      <FilterForm
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
        ]}
      />
      <span className="md:ml-auto">
        <ExportLink path="/api/admin/support-tickets" query={query} />
      </span>
    </div>
    <div>
      <AdminSupport tickets={tickets} query={query} now={now} />
    </div>
  </>
);

const CHAT_STATES = [ALL, { id: "unread", label: "Unread" }, { id: "open", label: "Open" }, { id: "ended", label: "Ended" }];

const Chat = ({ query, ...chats }: ChatProps) => (
  <>
    <div className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-2">
      <SearchForm at={SUPPORT_TAB} query={query} label="Search by name, email or ID" />
      <StatusLinks at={SUPPORT_TAB} query={query} choices={CHAT_STATES} label="State of the chat" />
      <span className="md:ml-auto">
        <ExportLink path="/api/admin/chat/sessions" query={{ q: query.q, status: query.status }} />
      </span>
    </div>
    <AdminChat query={query} {...chats} />
  </>
);

const CONTACT_STATES = [ALL, { id: "new", label: "New" }, { id: "answered", label: "Answered" }, { id: "closed", label: "Closed" }];

const Contact = ({ messages, query }: ContactProps) => (
  <>
    <div className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-2">
      <SearchForm at={SUPPORT_TAB} query={query} label="Search by name, email or words" />
      <StatusLinks at={SUPPORT_TAB} query={query} choices={CONTACT_STATES} label="State of the message" />
      <span className="md:ml-auto">
        <ExportLink path="/api/admin/contact-messages" query={{ q: query.q, status: query.status }} />
      </span>
    </div>
    <div>
      <AdminSupportContact messages={messages} query={query} />
    </div>
  </>
);
