import type { ReactNode } from "react";
import type { InboxRow } from "../../src/support/schema_inbox";
import { classes } from "../ui/classes";
import { Icon } from "../ui/Icon";
import { PriorityBadge } from "./TicketBadges";
import { waitOfRow } from "./staff_words";
import { WaitText } from "./SupportTicketTable";
import { STATUS } from "./words";

type Props = {
  rows: InboxRow[];
  now: number;
  current: string | null;
  typing: ReadonlySet<string>;
  /** Which other administrators have it open, in words, by its id. */
  viewers: ReadonlyMap<string, string>;
  hrefOf: (row: InboxRow) => string;
  onPick: (row: InboxRow) => void;
  /** What stands in a row that is done with; null in one that is not. */
  markOf: (row: InboxRow) => ReactNode;
};

const KINDS = { ticket: { icon: "mail", label: "Ticket" }, chat: { icon: "chat", label: "Chat" } } as const;
const statusOf = ({ status }: InboxRow) => (status === "ended" ? "Ended" : STATUS[status].label);

/** Tickets and chats in one list: whose it is, what of, how long it waits. */
export const InboxList = ({ rows, now, current, typing, viewers, hrefOf, onPick, markOf }: Props) => (
  <ul aria-label="Tickets and chats">
    {rows.map((row) => {
      const { kind, id, firstName, lastName, text, priority, assigneeName, since } = row;
      const mark = markOf(row);
      const isCurrent = id === current;
      return (
        <li key={id} data-row={id} data-current={isCurrent ? "" : undefined} tabIndex={-1} className="border-b border-line last:border-b-0">
          <a
            href={hrefOf(row)}
            data-opens=""
            aria-current={isCurrent ? "true" : undefined}
            onClick={(event) => {
              if (event.metaKey || event.ctrlKey || event.shiftKey) return;
              event.preventDefault();
              onPick(row);
            }}
            className={classes(
              "focus-visible:-outline-offset-2 grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-2.5 gap-y-0.5 px-3 py-2 text-ink no-underline",
              isCurrent ? "bg-accent-soft/60" : "hover:bg-sunken/60",
            )}
          >
            <span data-tip={KINDS[kind].label} className="text-soft">
              <Icon name={KINDS[kind].icon} className="size-5" />
              <span className="sr-only">{`${KINDS[kind].label} of`}</span>
            </span>
            <span className="truncate text-product font-medium">{`${firstName} ${lastName}`}</span>
            <span className="text-note">{since ? <WaitText wait={waitOfRow(row, now)} /> : <span className="text-soft">{statusOf(row)}</span>}</span>
            <span className="col-span-2 col-start-2 truncate text-table text-soft">{typing.has(id) ? "is typing..." : text}</span>
            <span className="col-span-2 col-start-2 flex min-h-6 items-center gap-2 overflow-hidden text-note text-soft">
              {mark ??
                (viewers.has(id) ? (
                  <span data-looking="" className="flex min-w-0 items-center gap-1 text-warn">
                    <Icon name="eye" className="size-4 shrink-0" />
                    <span className="truncate">{viewers.get(id)}</span>
                  </span>
                ) : (
                  <>
                    {priority ? <PriorityBadge priority={priority} /> : <span>Chat</span>}
                    <span className="truncate">{assigneeName}</span>
                  </>
                ))}
            </span>
          </a>
        </li>
      );
    })}
  </ul>
);
