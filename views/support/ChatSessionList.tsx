import type { ChatSession } from "../../src/support/schema_chat";
import { classes } from "../ui/classes";
import { chatAddress } from "./staff_words";
import { waitOf } from "../ui/staff/waits";

type Props = { at: string; sessions: ChatSession[]; current: string | null; typing: ReadonlySet<string>; now: number; onPick: (session: ChatSession) => void };

/** The chats, the one that was spoken in last first, with what was not read. */
export const ChatSessionList = ({ at, sessions, current, typing, now, onPick }: Props) => (
  <ul aria-label="Chats">
    {sessions.map((session) => {
      const { id, firstName, lastName, email, unread, lastMessage, lastMessageAt, status } = session;
      return (
        <li key={id} data-row={id} className="border-b border-line last:border-b-0">
          <a
            href={chatAddress(at, id)}
            data-opens=""
            aria-current={id === current ? "true" : undefined}
            onClick={(event) => {
              if (event.metaKey || event.ctrlKey || event.shiftKey) return;
              event.preventDefault();
              onPick(session);
            }}
            className={classes("flex flex-col gap-0.5 px-3 py-2.5 text-ink no-underline", id === current ? "bg-accent-soft/60" : "hover:bg-sunken/60")}
          >
            <span className="flex items-baseline justify-between gap-3">
              <span className="truncate text-product font-medium">{`${firstName} ${lastName}`}</span>
              <span className="shrink-0 text-note text-soft">{waitOf(lastMessageAt, now).text}</span>
            </span>
            <span className="truncate text-note text-soft">{email}</span>
            <span className="flex items-center justify-between gap-3">
              <span className="truncate text-table text-soft">{typing.has(id) ? "is typing..." : lastMessage}</span>
              {unread > 0 ? (
                <span className="shrink-0 rounded-full bg-warn-soft px-2 text-note tabular-nums text-warn">{`${unread} new`}</span>
              ) : status === "ended" ? (
                <span className="shrink-0 text-note text-soft">Ended</span>
              ) : null}
            </span>
          </a>
        </li>
      );
    })}
  </ul>
);
