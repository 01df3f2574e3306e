import { useCallback, useEffect, useRef, useState } from "react";
import { myStream } from "../../src/portal/schema";
import type { ChatEvent, ChatMessage } from "../../src/support/schema_chat";
import { listTickets, markTicketRead, readTicket, type Thread, type Ticket } from "../../src/support/schema";
import type { Company } from "../../views/support/company";
import { SupportAside } from "../../views/support/SupportAside";
import { TicketItem } from "../../views/support/TicketItem";
import { ButtonLink } from "../../views/ui/Button";
import { Card } from "../../views/ui/Card";
import { EmptyState, Notice } from "../../views/ui/States";
import { TabPanel, Tabs } from "../../views/ui/Tabs";
import { ApiError, call } from "../wire/api";
import { useTradingStore } from "../runtime/trading_store";
import { inOrder } from "../runtime/in_order";
import { island } from "../runtime/island";
import { FailedNotice } from "../ui/LostNotice";
import { listen } from "../wire/stream";
import { TraderChat } from "./TraderChat";
import { TicketForm, type Written } from "./TicketForm";
import { TicketThread } from "./TicketThread";

export type SupportView = "tickets" | "new" | "chat";
export type SupportProps = {
  /** The person's tickets, newest first; null where the page did not fetch them: they are asked for when it is drawn in the browser. */
  tickets: Ticket[] | null;
  view: SupportView;
  /** The page's own address with all that stays in it: "/support", "/traders-portal?tab=support". */
  path: string;
  company: Pick<Company, "phone" | "email">;
  /** The ticket that the address opens, with its conversation. */
  opened: { id: string; thread: Thread } | null;
  /** From a post without scripts. */
  written: Written;
  /** Whose portal it is. */
  me: string;
  /** The chat's newest messages, where its tab is shown at first; else they are asked for. */
  chat: ChatMessage[] | null;
  /** Messages of staff that were not read. */
  unreadChat: number;
};

const OF_VIEW = { tickets: "tickets", new: "new", chat: "chat" } as const;
const viewOf = (name: string): SupportView => OF_VIEW[name as SupportView] ?? "tickets";
const withQuery = (path: string, query: string) => `${path}${path.includes("?") ? "&" : "?"}${query}`;

/**
 * The support portal: one's tickets and the form of a new one. To embed it, get its props on the server by
 * `supportOf(app, me, search, path)` of src/support/queries_portal, where `path` is your page's address with your own tab in it, and draw
 * `<SupportPortal {...props} />`: the default export in a view, the named one inside another island. Its own tab is the address's
 * `view`, an opened ticket the address's `ticket`. Where your tab is not shown at first, pass `tickets: null`.
 */
export function SupportPortal({ tickets: first, view: firstView, path, company, opened, written, me, chat, unreadChat: firstUnread }: SupportProps) {
  useTradingStore({}); // for the notices, which are told here as on the trading screens
  const [view, setView] = useState(firstView);
  const [openId, setOpenId] = useState(opened?.id ?? null);
  const { tickets, threads, lost, refresh, load } = useTickets(first, opened, openId);
  const unreadChat = useUnreadChat(me, firstUnread, view === "chat");

  const pick = (name: string) => {
    setView(viewOf(name));
    if (name === "tickets") void refresh();
  };
  const toggle = (id: string) => {
    setOpenId(openId === id ? null : id);
    if (openId !== id) void load(id);
  };
  const unread = tickets?.filter(({ isUnread }) => isUnread).length ?? 0;
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_18rem]">
      <div className="min-w-0">
        <Tabs
          label="Support"
          param="view"
          path={path}
          current={view}
          onPick={pick}
          tabs={[
            { id: "tickets", label: "My Tickets", ...(tickets ? { count: tickets.length, waits: unread > 0 } : {}) },
            { id: "new", label: "New Ticket" },
            { id: "chat", label: "Live Chat", ...(unreadChat > 0 ? { count: unreadChat, waits: true } : {}) },
          ]}
        />
        <TabPanel id={view}>
          {view === "chat" ? <TraderChat me={me} first={chat} fault={written.message} /> : null}
          {view === "new" ? (
            <Card label="New Ticket" className="p-4 md:p-6">
              <TicketForm
                {...written}
                onCreated={() => {
                  setView("tickets");
                  void refresh();
                }}
              />
            </Card>
          ) : null}
          {view === "tickets" ? (
            <>
              {written.message && !written.errors.message ? (
                <Notice kind="error" className="mb-3">
                  {written.message}
                </Notice>
              ) : null}
              {lost ? <FailedNotice what="Your tickets" again={refresh} className="mb-3" /> : null}
              {tickets === null ? (
                lost ? null : (
                  <p className="py-8 text-center text-soft">Loading your tickets...</p>
                )
              ) : tickets.length === 0 ? (
                <EmptyState icon="lifebuoy" title="No support tickets yet" action={<CreateTicket path={path} onPick={pick} />}>
                  Ask us anything about your account, your money or the platform.
                </EmptyState>
              ) : (
                <Card label="My Tickets">
                  <ul>
                    {tickets.map((ticket) => (
                      <TicketItem
                        key={ticket.id}
                        ticket={ticket}
                        open={ticket.id === openId}
                        href={withQuery(path, ticket.id === openId ? "view=tickets" : `ticket=${ticket.id}`)}
                        onToggle={() => toggle(ticket.id)}
                      >
                        <TicketThread
                          ticket={ticket}
                          thread={threads[ticket.id] ?? null}
                          errors={ticket.id === opened?.id ? written.errors : undefined}
                          addressOf={(id) => withQuery(path, `ticket=${id}`)}
                          onChanged={() => void Promise.all([refresh(), load(ticket.id)])}
                        />
                      </TicketItem>
                    ))}
                  </ul>
                </Card>
              )}
            </>
          ) : null}
        </TabPanel>
      </div>
      <SupportAside company={company} />
    </div>
  );
}

const CreateTicket = ({ path, onPick }: { path: string; onPick: (name: string) => void }) => (
  <ButtonLink
    href={withQuery(path, "view=new")}
    onClick={(event) => {
      event.preventDefault();
      onPick("new");
    }}
  >
    Create New Ticket
  </ButtonLink>
);

/** How many messages of staff were not read; none while the chat is shown, which reads them. */
function useUnreadChat(me: string, first: number, shown: boolean): number {
  const [count, setCount] = useState(first);
  useEffect(
    () =>
      listen<{ chat: ChatEvent }>(myStream.path, {
        chat: (event) => {
          if (event.userId !== me) return;
          if (event.about === "message" && event.message.isFromAdmin && !shown) setCount((before) => before + 1);
          if (event.about === "read" && event.from === "trader") setCount(0);
        },
      }),
    [me, shown],
  );
  return shown ? 0 : count;
}

/** The list and the conversations that were opened, followed by the stream; what was missed while it was away is asked for. */
function useTickets(first: Ticket[] | null, opened: SupportProps["opened"], openId: string | null) {
  const [tickets, setTickets] = useState(first);
  const [threads, setThreads] = useState<Record<string, Thread>>(opened ? { [opened.id]: opened.thread } : {});
  const [lost, setLost] = useState(false);
  const given = useRef({ first, opened });
  const shown = useRef(openId);
  useEffect(() => {
    shown.current = openId;
  });
  const guarded = useCallback(async (load: () => Promise<void>) => {
    try {
      await load();
      setLost(false);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setLost(true);
    }
  }, []);
  const heard = useRef(0);
  const refresh = useCallback(
    () =>
      guarded(async () => {
        for (;;) {
          const before = heard.current;
          const all = await call(listTickets, undefined, { query: {} });
          // What was told meanwhile may be newer than the answer.
          if (heard.current === before) return setTickets(all);
        }
      }),
    [guarded],
  );
  const turns = useRef(new Map<string, ReturnType<typeof inOrder>>());
  const load = useCallback(
    (id: string) =>
      guarded(async () => {
        const take = turns.current.get(id) ?? inOrder();
        turns.current.set(id, take);
        let hasNews = false;
        await take(
          () => call(readTicket, undefined, { params: { id } }),
          ({ replies, files, merged, isUnread }) => {
            hasNews = isUnread;
            setThreads((all) => ({ ...all, [id]: { replies, files, merged } }));
          },
        );
        if (!hasNews) return;
        const read = await call(markTicketRead, undefined, { params: { id } });
        heard.current += 1;
        setTickets((all) => all && all.map((each) => (each.id === id ? read : each)));
        dispatchEvent(new Event("supportnews"));
      }),
    [guarded],
  );
  useEffect(() => {
    // Also what came between the page's drawing and now.
    let away = true;
    return listen<{ ticket: Ticket }>(
      myStream.path,
      {
        ticket: (ticket) => {
          heard.current += 1;
          setTickets((all) => all && (all.some(({ id }) => id === ticket.id) ? all.map((each) => (each.id === ticket.id ? ticket : each)) : [ticket, ...all]));
          if (shown.current === ticket.id) void load(ticket.id);
        },
      },
      (state) => {
        if (state === "lost") away = true;
        if (state !== "open" || !away) return;
        away = false;
        void refresh();
        if (shown.current) void load(shown.current);
      },
    );
  }, [load, refresh]);
  useEffect(() => {
    const { first: known, opened: shownFirst } = given.current;
    if (known === null) void refresh();
    if (shownFirst) void load(shownFirst.id);
  }, [refresh, load]);
  return { tickets, threads, lost, refresh, load };
}

export default island("SupportPortal", SupportPortal);
