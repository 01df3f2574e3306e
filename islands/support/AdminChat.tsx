import { useEffect, useMemo, useState } from "react";
import { nextOf } from "../../src/lib/cursor";
import { myStream } from "../../src/portal/schema";
import {
  answerChat,
  type ChatEvent,
  type ChatMessage,
  type ChatSession,
  endSession,
  listSessions,
  readSession,
  staffChat,
  typeSession,
} from "../../src/support/schema_chat";
import type { CannedAnswer } from "../../src/support/schema_inbox";
import { ChatSessionList } from "../../views/support/ChatSessionList";
import { Pager } from "../../views/ui/staff/Filters";
import { chatAddress } from "../../views/support/staff_words";
import { Button } from "../../views/ui/Button";
import { Card } from "../../views/ui/Card";
import { classes } from "../../views/ui/classes";
import { Icon } from "../../views/ui/Icon";
import { EmptyState } from "../../views/ui/States";
import { call } from "../wire/api";
import { CannedPick } from "./CannedPick";
import type { Side } from "./chat";
import { type Beside, ChatBox } from "./ChatBox";
import { attempt } from "../wire/attempt";
import { island } from "../runtime/island";
import { refreshLists, useLive } from "../runtime/live_list";
import { Fresh } from "../ui/Fresh";
import { idOf, useSteady } from "../runtime/steady";
import { LostNotice } from "../ui/LostNotice";
import { useBeside, useWriting } from "../runtime/writing";
import { BesideNotice } from "../ui/BesideNotice";
import { useNow } from "../runtime/now";
import { listen } from "../wire/stream";
import { toast } from "../wire/toasts";

export type ChatProps = {
  sessions: ChatSession[];
  /** The chat that the address opens, with its newest messages. */
  session: ChatSession | null;
  messages: ChatMessage[] | null;
  canned: CannedAnswer[];
  query: { view: "chat"; q: string; status: "all" | "open" | "unread" | "ended"; limit: string; cursor?: string };
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
      <div className="grid items-start gap-4 lg:grid-cols-[20rem_minmax(0,1fr)]">
        <div ref={area} className={classes("min-w-0", current && "max-lg:hidden")}>
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
          <Talk key={current.id} session={current} first={current.id === session?.id ? messages : null} canned={canned} me={me} onBack={() => pick(null)} />
        ) : (
          <Card label="Chat" className="max-lg:hidden">
            <EmptyState icon="chat" title="Choose a chat" />
          </Card>
        )}
      </div>
    </>
  );
}

/** Which colleague writes in this chat, or has answered since one began to write. */
const besideIn =
  (sessionId: string): Beside =>
  (draft, newest) => {
    const others = useWriting(sessionId, draft);
    const { author, ...beside } = useBeside(draft, newest);
    return {
      ...beside,
      shown: (
        <div className="px-4 pb-1">
          <p role="status" className="min-h-5 text-note text-warn">
            {others}
          </p>
          {author ? <BesideNotice author={author} /> : null}
        </div>
      ),
    };
  };

type TalkProps = { session: ChatSession; first: ChatMessage[] | null; canned: CannedAnswer[]; me: string; onBack: () => void };

function Talk({ session: { id, userId, firstName, lastName, email, status, endedAt }, first, canned, me, onBack }: TalkProps) {
  const side = useMemo<Side>(
    () => ({
      concerns: ({ sessionId }) => sessionId === id,
      list: (query) => call(staffChat, undefined, { params: { id }, query }),
      send: ({ message, clientId }) => call(answerChat, { message, clientId }, { params: { id } }),
      read: (through) => call(readSession, { through }, { params: { id } }),
      typing: () => call(typeSession, undefined, { params: { id } }),
      isOwn: ({ isFromAdmin }) => isFromAdmin,
      isMine: ({ adminUserId }) => adminUserId === me,
      other: "trader",
    }),
    [id, me],
  );
  const useColleagues = useMemo(() => besideIn(id), [id]);
  const end = async () => {
    if (await attempt("Error", () => call(endSession, undefined, { params: { id } }))) toast({ title: "Chat ended" });
    await refreshLists();
  };
  const name = `${firstName} ${lastName}`;
  return (
    <Card label={`Chat with ${name}`} className="overflow-hidden">
      <div className="flex min-h-12 flex-wrap items-center gap-x-3 border-b border-line px-3 py-1">
        <button
          type="button"
          aria-label="All chats"
          onClick={onBack}
          className="inline-flex size-11 items-center justify-center rounded-control text-soft hover:text-ink lg:hidden"
        >
          <Icon name="arrowLeft" />
        </button>
        <div className="min-w-0 flex-1">
          <h2 className="truncate text-product font-semibold">
            <a href={`/admin/users/${userId}`} className="text-ink underline-offset-4 hover:underline">
              {name}
            </a>
          </h2>
          <p className="truncate text-note text-soft">{email}</p>
        </div>
        {status === "open" ? (
          <Button variant="secondary" size="small" className="js-only" onClick={() => void end()}>
            End chat
          </Button>
        ) : null}
      </div>
      <ChatBox
        id={`chat-${id}`}
        side={side}
        first={first}
        empty="Nothing was said yet."
        other={firstName}
        closed={status === "ended" ? `This chat was ended${endedAt ? ` on ${endedAt.slice(0, 10)}` : ""}. The trader's next message begins a new one.` : null}
        beside={useColleagues}
        tools={(add) =>
          canned.length > 0 ? (
            <div className="px-4 pb-2">
              <CannedPick id={`canned-${id}`} canned={canned} onPick={add} />
            </div>
          ) : null
        }
      />
    </Card>
  );
}

const TYPING_MS = 5000;

/** The chats in which the trader is writing just now. */
function useTyping(): ReadonlySet<string> {
  const [typing, setTyping] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const timers = new Map<string, ReturnType<typeof setTimeout>>();
    const quiet = (id: string) => setTyping((all) => new Set([...all].filter((each) => each !== id)));
    const stop = listen<{ chat: ChatEvent }>(myStream.path, {
      chat: (event) => {
        const { sessionId, about } = event;
        if (about === "message") quiet(sessionId);
        if (about !== "typing" || event.from !== "trader") return;
        clearTimeout(timers.get(sessionId));
        timers.set(
          sessionId,
          setTimeout(() => quiet(sessionId), TYPING_MS),
        );
        setTyping((all) => new Set([...all, sessionId]));
      },
    });
    return () => {
      for (const timer of timers.values()) clearTimeout(timer);
      stop();
    };
  }, []);
  return typing;
}

export default island("AdminChat", AdminChat);
