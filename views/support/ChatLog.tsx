import type { ChatMessage } from "../../src/support/schema_chat";
import { instantText } from "../ui/instant";
import { classes } from "../ui/classes";
import { Words } from "./Conversation";

/** A message on its way, or one that did not arrive. */
export type Waiting = { clientId: string; message: string; failed: boolean };
type Props = {
  messages: readonly ChatMessage[];
  waiting: readonly Waiting[];
  isOwn: (message: ChatMessage) => boolean;
  /** Whether the reader wrote it, where several write on one side: a colleague's words carry the colleague's name. */
  isMine?: (message: ChatMessage) => boolean;
  onAgain: (waiting: Waiting) => void;
};

/** What was said in a chat, oldest first. Words are text, whatever they hold. */
export function ChatLog({ messages, waiting, isOwn, isMine = isOwn, onAgain }: Props) {
  const last = messages.findLast(isOwn)?.id;
  return (
    <div role="log" aria-label="Chat messages">
      <ol className="flex flex-col gap-3 p-4">
        {messages.map((message, place) => {
          const own = isOwn(message);
          const begins =
            messages[place - 1]?.adminUserId !== message.adminUserId ||
            messages[place - 1]?.author !== message.author ||
            message.sessionId !== messages[place - 1]?.sessionId;
          return (
            <li key={message.id} className={classes("flex max-w-[85%] flex-col gap-1", own ? "self-end items-end" : "self-start items-start")}>
              {begins ? (
                <p className="text-note text-soft">
                  {isMine(message) ? "You" : message.author} · <time dateTime={message.createdAt}>{instantText(message.createdAt).slice(0, 16)} UTC</time>
                </p>
              ) : null}
              <div className={classes("rounded-card px-3.5 py-2", own ? "bg-accent-soft" : "bg-sunken")}>
                <Words text={message.message} />
              </div>
              {message.id === last ? <p className="text-note text-soft">{message.isRead ? "Read" : "Sent"}</p> : null}
            </li>
          );
        })}
        {waiting.map((each) => (
          <li key={each.clientId} className="flex max-w-[85%] flex-col items-end gap-1 self-end">
            <div className="rounded-card bg-accent-soft px-3.5 py-2 grayscale">
              <Words text={each.message} />
            </div>
            {each.failed ? (
              <p className="text-note text-loss">
                Not sent.{" "}
                <button type="button" className="min-h-6 font-medium underline underline-offset-2" onClick={() => onAgain(each)}>
                  Try again
                </button>
              </p>
            ) : (
              <p className="text-note text-soft">Sending...</p>
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}
