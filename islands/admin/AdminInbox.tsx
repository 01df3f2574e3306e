import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import { takeNext } from "../../src/admin/schema_queues";
import type { ChatMessage } from "../../src/support/schema_chat";
import { type Agent, type CannedAnswer, type InboxRow, type StaffThread, staffTicket, supportInbox } from "../../src/support/schema_inbox";
import { nextInbox } from "../../src/support/rules_inbox";
import { InboxList } from "../../views/support/InboxList";
import { INBOX } from "../../views/support/staff_words";
import { addressOf, pageAt } from "../../views/ui/staff/address";
import { InboxPager } from "../../views/support/InboxPager";
import { classes } from "../../views/ui/classes";
import { EmptyState, Skeleton } from "../../views/ui/States";
import { ChatPane, type Talk } from "../support/ChatPane";
import { TicketPane } from "../support/TicketPane";
import { useTyping } from "../support/typing";
import { Fresh, markOf } from "../ui/Fresh";
import { LostNotice } from "../ui/LostNotice";
import { island } from "../runtime/island";
import { useKeyboardInset } from "../runtime/keyboard_inset";
import { useViewers } from "../runtime/claims";
import { useLive } from "../runtime/live_list";
import { useNow } from "../runtime/now";
import { idOf, usePress, useSteady } from "../runtime/steady";
import { call } from "../wire/api";
import { attempt } from "../wire/attempt";
import { toast } from "../wire/toasts";
import { ClientAside } from "./ClientAside";

export type InboxQuery = { q: string; state: "waiting" | "all" | "resolved"; kind: string; priority: string; assignee: string; limit: string; cursor?: string };
type Opened = { kind: "ticket"; id: string; ticket: StaffThread } | { kind: "chat"; id: string; session: Talk; messages: ChatMessage[] | null };
export type InboxProps = {
  rows: InboxRow[];
  query: InboxQuery;
  opened: Opened | null;
  agents: Agent[];
  canned: CannedAnswer[];
  me: string;
  now: string;
};

const withItem = (at: string, { kind, id }: Pick<InboxRow, "kind" | "id">) => `${at}&${kind === "ticket" ? "ticket" : "session"}=${id}`;
const rowOf = (id: string) => [...document.querySelectorAll<HTMLElement>("main [data-row]")].find(({ dataset }) => dataset.row === id);

/**
 * Tickets and chats that need an answer, the most overdue first, and one of them to answer, with its client beside. On a phone the list or the
 * conversation, not both.
 */
export function AdminInbox({ rows, query, opened: begun, agents, canned, me, now: at }: InboxProps) {
  const { value, lost } = useLive(rows, () => call(supportInbox, undefined, { query: query as never }), ["ticket", "chat"]);
  const now = useNow(at);
  const [list, area] = useSteady(value, idOf);
  const typing = useTyping();
  const mayPress = usePress();
  useKeyboardInset();
  const [opened, setOpened] = useState(begun);
  const [wanted, setWanted] = useState<string | null>(null);
  const [begins, setBegins] = useState(false);
  const latest = useRef({ value, wanted });
  useLayoutEffect(() => {
    latest.current = { value, wanted };
  });
  const current = wanted ?? opened?.id ?? null;
  const viewers = useViewers(me);
  const { limit: _limit, cursor, state, ...search } = query;
  const first = addressOf(INBOX, { state, ...search });
  const here = cursor ? pageAt(INBOX, { state, ...search }, cursor) : first;
  const hrefOf = (row: InboxRow) => withItem(here, row);

  const close = () => {
    setOpened(null);
    setWanted(null);
    window.history.replaceState(null, "", here);
  };
  const open = async (row: InboxRow, writes: boolean) => {
    latest.current.wanted = row.id;
    setWanted(row.id);
    const step = current === null ? "pushState" : "replaceState";
    window.history[step](null, "", hrefOf(row));
    const next = await attempt("Error", () => read(row));
    if (latest.current.wanted !== row.id) return;
    setWanted(null);
    setBegins(writes);
    if (next) setOpened(next);
  };
  // The browser's own way back leads to the list.
  useEffect(() => {
    const back = () => {
      const asked = new URLSearchParams(location.search);
      if (asked.has("ticket") || asked.has("session")) return location.reload();
      setOpened(null);
      setWanted(null);
    };
    addEventListener("popstate", back);
    return () => removeEventListener("popstate", back);
  }, []);

  /** To the next one that waits, which no colleague is at. */
  const goOn = async (id: string) => {
    const taken = await attempt("Error", () => call(takeNext, { ...search, ...(cursor ? { cursor } : {}) } as never));
    if (latest.current.wanted !== null) return;
    if (taken?.next) return open(taken.next, true);
    close();
    area.current?.focus();
    const left = latest.current.value.some((row) => row.since !== null && row.userId !== me && row.id !== id);
    if (taken && left) toast({ title: "Nothing is left for you", description: "Colleagues are at what still waits." });
  };
  const leave = (id: string) => rowOf(id)?.focus();
  const pane = (id: string, aside: ReactNode) => ({
    aside,
    begins,
    mayPress,
    onDone: () => list.decide(id, { text: "Resolved" }),
    onNext: () => void goOn(id),
    onBack: close,
    onLeave: () => leave(id),
  });
  const nothing = query.q || query.kind !== "all" || query.priority !== "all" || query.assignee !== "all";
  return (
    <div
      data-thread={current === null ? undefined : ""}
      className="grid min-h-0 gap-3 lg:h-[calc(100dvh-var(--keyboard,0px)-11.5rem)] lg:min-h-96 lg:grid-cols-[19rem_minmax(0,1fr)] xl:grid-cols-[20rem_minmax(0,1fr)_20rem]"
    >
      {lost ? <LostNotice /> : null}
      <section
        ref={area}
        aria-label="Inbox"
        tabIndex={-1}
        className={classes(
          "flex min-h-0 min-w-0 flex-col overflow-hidden rounded-card border border-line bg-surface outline-none lg:h-full",
          current !== null && "max-lg:hidden",
        )}
      >
        <div className="min-h-0 flex-1 overflow-y-auto">
          {list.rows.length > 0 ? (
            <InboxList
              rows={list.rows}
              {...{ now, current, typing, viewers, hrefOf }}
              onPick={(row) => void open(row, matchMedia("(hover: hover)").matches)}
              markOf={({ id, firstName, lastName }) => markOf(list, id, `${firstName} ${lastName}`, () => "No longer in this list")}
            />
          ) : cursor ? (
            <EmptyState icon="check" title="Nothing is left on this page">
              What is still there stands on the pages before it.
            </EmptyState>
          ) : (
            <EmptyState
              icon={nothing ? "search" : "check"}
              title={nothing ? "Nothing matches this" : query.state === "waiting" ? "Nothing needs an answer" : "Nothing here yet"}
            >
              {nothing ? null : "What clients ask, in tickets and in the chat, appears here by itself."}
            </EmptyState>
          )}
          <InboxPager at={first} isLater={cursor !== undefined} next={nextInbox(value, query.limit)} />
        </div>
        <Fresh list={list} floats />
      </section>
      {wanted !== null ? (
        <div role="status" aria-label="Opening" className="rounded-card border border-line bg-surface p-4 xl:col-span-2">
          <Skeleton className="h-64 w-full" />
        </div>
      ) : opened?.kind === "ticket" ? (
        <TicketPane
          key={opened.id}
          {...{ ticket: opened.ticket, agents, canned, me, now: at }}
          {...pane(opened.id, <ClientAside userId={opened.ticket.userId} now={now} target={opened.ticket.mergedInto ? null : opened.ticket} />)}
        />
      ) : opened?.kind === "chat" ? (
        <ChatPane
          key={opened.id}
          {...{ session: sessionNow(opened.session, value), first: opened.messages, canned, me }}
          {...pane(opened.id, <ClientAside userId={opened.session.userId} now={now} target={null} />)}
        />
      ) : (
        <div className="rounded-card border border-dashed border-line max-lg:hidden xl:col-span-2">
          <EmptyState icon="lifebuoy" title="Choose a conversation">
            With j and k you walk the list, o opens one, Ctrl Shift Enter sends, resolves and opens the next.
          </EmptyState>
        </div>
      )}
    </div>
  );
}

/** The chat as the list knows it now: it may have been ended elsewhere. */
function sessionNow(session: Talk, rows: InboxRow[]): Talk {
  const row = rows.find(({ id }) => id === session.id);
  return row ? talkOf(row) : session;
}
const talkOf = ({ id, userId, firstName, lastName, email, status, endedAt }: InboxRow): Talk => ({
  ...{ id, userId, firstName, lastName, email, endedAt },
  status: status === "ended" ? "ended" : "open",
});

const read = async (row: InboxRow): Promise<Opened> =>
  row.kind === "ticket"
    ? { kind: "ticket", id: row.id, ticket: await call(staffTicket, undefined, { params: { id: row.id } }) }
    : { kind: "chat", id: row.id, session: talkOf(row), messages: null };

export default island("AdminInbox", AdminInbox);
