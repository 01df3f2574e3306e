import { type KeyboardEvent, type ReactNode, type SubmitEvent, useLayoutEffect, useRef } from "react";
import type { ChatMessage } from "../../src/support/schema_chat";
import { ChatLog } from "../../views/support/ChatLog";
import { Button } from "../../views/ui/Button";
import { FieldMessage } from "../../views/ui/Field";
import { type Side, useChat } from "./chat";
import { useKeptWords } from "./kept_words";
import { FailedNotice } from "../ui/LostNotice";

const MOST = 5000;
/** Nearer to its end than this, in pixels, the log follows what comes. */
const NEAR = 120;

type Props = {
  id: string;
  side: Side;
  first: ChatMessage[] | null;
  /** What stands where nothing was said yet. */
  empty: ReactNode;
  /** What the other side is called while it types. */
  other: string;
  /** The form's address and hidden fields where it also works without scripts, and what was refused then. */
  plain?: { action: string; fields: Record<string, string>; fault: string | null };
};

/** The log of a chat and the field below it. Enter sends, Shift and Enter begin a new line. */
export function ChatBox({ id, side, first, empty, other, plain }: Props) {
  const { messages, waiting, typing, ended, lost, more, earlier, again, catchUp, send, type } = useChat(side, first);
  const [text, write] = useKeptWords(`chat ${id}`);
  const box = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  const count = (messages?.length ?? 0) + waiting.length;
  useLayoutEffect(() => {
    const { current } = box;
    if (current && follows.current) current.scrollTop = current.scrollHeight;
  }, [count, typing]);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const message = text.trim();
    if (!message) return document.getElementById(id)?.focus();
    write("");
    follows.current = true;
    void send(message);
  };
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    event.currentTarget.form?.requestSubmit();
  };
  return (
    <div
      ref={box}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        follows.current = scrollHeight - scrollTop - clientHeight < NEAR;
      }}
      className="flex h-[32rem] max-h-[60dvh] flex-col overflow-y-auto overscroll-contain"
    >
      {more ? (
        <Button variant="quiet" size="small" className="js-only mx-auto mt-2" onClick={() => void earlier()}>
          Earlier messages
        </Button>
      ) : null}
      {lost ? <FailedNotice what="The chat" again={catchUp} className="m-4 mb-0" /> : null}
      {messages === null && !lost ? <p className="p-4 text-center text-soft">Loading your messages...</p> : null}
      {messages && count === 0 ? <div className="m-auto max-w-sm p-4 text-center text-product text-soft">{empty}</div> : null}
      {messages && count > 0 ? <ChatLog messages={messages} waiting={waiting} isOwn={side.isOwn} onAgain={(said) => void again(said)} /> : null}
      <div className="sticky bottom-0 mt-auto border-t border-line bg-surface">
        <p role="status" className="min-h-6 px-4 pt-1 text-note text-soft">
          {typing ? `${other} is typing...` : ended ? "This chat was ended. Your next message begins a new one." : ""}
        </p>
        {plain?.fault ? (
          <div className="px-4 pb-2">
            <FieldMessage id={`${id}-error`}>{plain.fault}</FieldMessage>
          </div>
        ) : null}
        <form method="post" action={plain?.action} onSubmit={submit} className="flex flex-wrap items-end gap-2 px-4 pb-4">
          {Object.entries(plain?.fields ?? {}).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <label htmlFor={id} className="sr-only">
            Message
          </label>
          <textarea
            id={id}
            name="message"
            rows={2}
            maxLength={MOST}
            aria-invalid={plain?.fault ? true : undefined}
            aria-describedby={plain?.fault ? `${id}-error` : undefined}
            placeholder="Write a message"
            value={text}
            onChange={(event) => {
              write(event.currentTarget.value);
              if (event.currentTarget.value) type();
            }}
            onKeyDown={press}
            className="block min-h-11 w-full min-w-0 flex-1 resize-none rounded-control border border-control bg-surface px-3 py-2 text-base placeholder:text-soft hover:border-ink md:text-[0.9375rem]"
          />
          <Button type="submit">Send</Button>
        </form>
      </div>
    </div>
  );
}
