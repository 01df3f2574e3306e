import { useState } from "react";
import { nextOf } from "../../src/lib/cursor";
import { type ChatMessage, type ChatSession, listSessions } from "../../src/support/schema_chat";
import type { CannedAnswer } from "../../src/support/schema_inbox";
import { ChatSessionList } from "../../views/support/ChatSessionList";
import { chatAddress } from "../../views/support/staff_words";
import { Card } from "../../views/ui/Card";
import { classes } from "../../views/ui/classes";
import { EmptyState } from "../../views/ui/States";
import { Pager } from "../../views/ui/staff/Filters";
import { Fresh } from "../ui/Fresh";
import { LostNotice } from "../ui/LostNotice";
import { island } from "../runtime/island";
import { useKeyboardInset } from "../runtime/keyboard_inset";
import { useLive } from "../runtime/live_list";
import { useNow } from "../runtime/now";
import { idOf, usePress, useSteady } from "../runtime/steady";
import { call } from "../wire/api";
import { ChatPane } from "./ChatPane";
import { useTyping } from "./typing";

export type ChatProps = {
  sessions: ChatSession[];
  /** The chat that the address opens, with its newest messages. */
  session: ChatSession | null;
  messages: ChatMessage[] | null;
  canned: CannedAnswer[];
  query: { view: "chat"; q: string; status: "all" | "open" | "unread" | "ended"; from: string; to: string; limit: string; cursor?: string };
  now: string;
  /** Who is looking. */
  me: string;
  /** The address of the page's tab. */
  at: string;
};

/** The chat console: who wrote, what nobody has read, and one chat to answer in. On a phone the list or the chat, not both. */
export function AdminChat({ sessions: first, session, messages, canned, query: { view, ...query }, now: opened, me, at }: ChatProps) {
  const { value, lost } = useLive(first, () => call(listSessions, undefined, { query }), ["chat"]);
  const now = useNow(opened);
  const typing = useTyping();
  const mayPress = usePress();
  useKeyboardInset();
  const [list, area] = useSteady(value, idOf);
  const [picked, setPicked] = useState(session);
  const current = value.find(({ id }) => id === picked?.id) ?? picked;
  const pick = (next: ChatSession | null) => {
    setPicked(next);
    window.history.replaceState(null, "", next ? chatAddress(at, next.id) : `${at}&view=chat`);
  };
  return (
    <>
      {lost ? <LostNotice /> : null}
      <div
        data-thread={current ? "" : undefined}
        className="grid min-h-0 gap-4 lg:h-[calc(100dvh-var(--keyboard,0px)-11.5rem)] lg:min-h-96 lg:grid-cols-[20rem_minmax(0,1fr)]"
      >
        <div ref={area} className={classes("min-h-0 min-w-0 lg:overflow-y-auto", current && "max-lg:hidden")}>
          <Fresh list={list} floats />
          <Card label="Chats" className="overflow-hidden">
            {list.rows.length > 0 ? (
              <ChatSessionList at={at} sessions={list.rows} current={current?.id ?? null} typing={typing} now={now} onPick={pick} />
            ) : (
              <EmptyState icon="chat" title={query.q || query.status !== "all" ? "No chats match this" : "No chats yet"}>
                A trader's first message opens one.
              </EmptyState>
            )}
          </Card>
          <Pager at={at} query={{ view, ...query }} next={nextOf(value, query.limit)} />
        </div>
        {current ? (
          <ChatPane
            key={current.id}
            session={current}
            first={current.id === session?.id ? messages : null}
            {...{ canned, me, mayPress }}
            aside={null}
            begins={false}
            onBack={() => pick(null)}
            onLeave={() => document.querySelector<HTMLElement>(`main [data-row="${current.id}"]`)?.focus()}
          />
        ) : (
          <Card label="Chat" className="max-lg:hidden">
            <EmptyState icon="chat" title="Choose a chat" />
          </Card>
        )}
      </div>
    </>
  );
}

export default island("AdminChat", AdminChat);
