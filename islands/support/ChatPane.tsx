import { useMemo, useRef, useState } from "react";
import { mayNot } from "../../src/lib/permissions";
import { may } from "../../src/lib/may";
import { answerChat, type ChatMessage, type ChatSession, endSession, readSession, staffChat, typeSession } from "../../src/support/schema_chat";
import type { CannedAnswer } from "../../src/support/schema_inbox";
import { ChatLog } from "../../views/support/ChatLog";
import { Badge } from "../../views/ui/Badge";
import { Button } from "../../views/ui/Button";
import { Notice } from "../../views/ui/States";
import { ApiError, call, newKey } from "../wire/api";
import { attempt } from "../wire/attempt";
import { BesideNotice } from "../ui/BesideNotice";
import { FailedNotice } from "../ui/LostNotice";
import { useClaim } from "../runtime/claims";
import { refreshLists } from "../runtime/live_list";
import { useBeside, useWriting } from "../runtime/writing";
import { toast } from "../wire/toasts";
import { type Side, useChat } from "./chat";
import { Composer } from "./Composer";
import { useKeptWords } from "./kept_words";
import { PaneHead, type PaneProps } from "./PaneHead";
import { SaidArea } from "./SaidArea";

export type Talk = Pick<ChatSession, "id" | "userId" | "firstName" | "lastName" | "email" | "status" | "endedAt">;
type Props = PaneProps & { session: Talk; first: ChatMessage[] | null; canned: CannedAnswer[]; me: string };

/** A chat, as staff answer it. Enter sends, Shift and Enter begin a new line. */
export function ChatPane({ session, first, canned, me, aside, begins, mayPress, onDone, onNext, onBack, onLeave }: Props) {
  const { id, userId, firstName, lastName, status, endedAt } = session;
  const answers = may("support.answer");
  useClaim("chat", answers ? id : null);
  const side = useMemo<Side>(
    () => ({
      concerns: ({ sessionId }) => sessionId === id,
      list: (query) => call(staffChat, undefined, { params: { id }, query }),
      send: ({ message, clientId }) => call(answerChat, { message, clientId }, { params: { id } }),
      read: async (through) => void (answers && (await call(readSession, { through }, { params: { id } }))),
      typing: () => call(typeSession, undefined, { params: { id } }),
      isOwn: ({ isFromAdmin }) => isFromAdmin,
      isMine: ({ adminUserId }) => adminUserId === me,
      other: "trader",
    }),
    [id, me, answers],
  );
  const { messages, waiting, typing, ended, lost, more, earlier, again, catchUp, send, type } = useChat(side, first);
  const [text, write] = useKeptWords(`chat chat-${id}`);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const draft = text.trim() !== "";
  const others = useWriting(id, draft);
  const newest = messages?.findLast((said) => side.isOwn(said) && said.adminUserId !== me) ?? null;
  const beside = useBeside(draft, newest);
  // Who ends it answers everything: a newer word of the trader asks, too.
  const besideLast = useBeside(draft, messages?.findLast(({ adminUserId }) => adminUserId !== me) ?? null);
  const author = beside.author ?? besideLast.author;
  /** What was tried last, under its id: tried again it is the same message. */
  const tried = useRef({ message: "", clientId: "" });

  const goOn = () => {
    beside.sent();
    besideLast.sent();
    write("");
  };
  const say = () => {
    const message = text.trim();
    if (!message) return document.getElementById(`chat-${id}`)?.focus();
    if (busy || beside.ask()) return;
    goOn();
    void send(message);
  };
  /** The last word of this chat: it is said and ended at once, or neither. */
  const sayLast = async (next: () => void) => {
    if (busy || !mayPress()) return;
    const message = text.trim();
    if (!message) return document.getElementById(`chat-${id}`)?.focus();
    if (besideLast.ask()) return;
    setBusy(true);
    setRefusal(null);
    if (tried.current.message !== message) tried.current = { message, clientId: newKey() };
    try {
      await call(answerChat, { ...tried.current, end: true, seen: messages?.at(-1)?.number ?? 0 }, { params: { id } });
      toast({ title: "Answered, and chat ended" });
      goOn();
      onDone?.();
      await refreshLists();
      next();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setRefusal(error.message);
      await Promise.all([refreshLists(), catchUp()]);
    } finally {
      setBusy(false);
    }
  };
  const end = async () => {
    if (!mayPress()) return;
    if (await attempt("Error", () => call(endSession, undefined, { params: { id } }))) toast({ title: "Chat ended" });
    await refreshLists();
  };
  const isEnded = status === "ended";
  const name = `${firstName} ${lastName}`;
  return (
    <PaneHead
      label={`Chat with ${name}`}
      title={name}
      person={{ id: userId, name }}
      badges={<Badge tone={isEnded ? "secondary" : "default"}>{isEnded ? "Chat, ended" : "Chat"}</Badge>}
      onBack={onBack}
      tools={
        isEnded || !answers ? null : (
          <Button variant="secondary" size="small" className="js-only shrink-0" onClick={() => void end()}>
            End chat
          </Button>
        )
      }
      beside={aside === null ? null : () => aside}
    >
      <SaidArea said={`${(messages?.length ?? 0) + waiting.length} ${typing}`}>
        {more ? (
          <Button variant="quiet" size="small" className="js-only mx-auto mt-2 shrink-0" onClick={() => void earlier()}>
            Earlier messages
          </Button>
        ) : null}
        {lost ? <FailedNotice what="The chat" again={catchUp} className="m-4 mb-0" /> : null}
        {messages === null && !lost ? <p className="p-4 text-center text-soft">Loading...</p> : null}
        {messages && messages.length + waiting.length > 0 ? (
          <ChatLog messages={messages} waiting={waiting} isOwn={side.isOwn} isMine={side.isMine ?? side.isOwn} onAgain={(said) => void again(said)} />
        ) : null}
      </SaidArea>
      <div className="flex flex-col gap-2 border-t border-line bg-surface p-3 pt-1">
        <p role="status" className="min-h-5 text-note text-soft">
          {typing ? `${firstName} is typing...` : ""}
          {others ? <span className="text-warn">{others}</span> : null}
        </p>
        {isEnded || ended ? (
          <p className="text-product text-soft">{`This chat was ended${endedAt ? ` on ${endedAt.slice(0, 10)}` : ""}. The trader's next message begins a new one.`}</p>
        ) : null}
        {refusal ? <Notice kind="error">{refusal}</Notice> : null}
        {answers || isEnded ? null : <Notice>{mayNot("support.answer")}</Notice>}
        {isEnded || !answers ? null : (
          <>
            {author ? <BesideNotice author={author} /> : null}
            <Composer
              id={`chat-${id}`}
              label="Message"
              text={text}
              write={(words) => {
                write(words);
                if (words) type();
              }}
              {...{ busy, canned, begins, onLeave }}
              about={{ firstName, lastName, subject: "" }}
              send="Send"
              enterSends
              onSend={say}
              onNext={onNext && (() => void sayLast(onNext))}
            />
          </>
        )}
      </div>
    </PaneHead>
  );
}
