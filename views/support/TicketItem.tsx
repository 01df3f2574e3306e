import type { ReactNode } from "react";
import type { Ticket } from "../../src/support/schema";
import { dateText } from "../ui/instant";
import { classes } from "../ui/classes";
import { Icon } from "../ui/Icon";
import { PriorityBadge, StatusBadge } from "./TicketBadges";
import { CATEGORY } from "./words";

type Props = {
  ticket: Ticket;
  open: boolean;
  /** Where the ticket opens or closes without scripts. */
  href: string;
  onToggle?: () => void;
  /** The conversation, and what can be done with it. */
  children?: ReactNode;
};

/** A ticket of the list: its facts and a preview, and, once opened, everything about it. */
export function TicketItem({ ticket, open, href, onToggle, children }: Props) {
  const { id, subject, message, category, priority, status, createdAt, respondedAt, resolvedAt, isUnread } = ticket;
  return (
    <li data-row={id} className="border-b border-line last:border-b-0">
      <a
        href={href}
        role="button"
        aria-expanded={open}
        aria-controls={open ? `ticket-${id}` : undefined}
        onKeyDown={
          onToggle &&
          ((event) => {
            if (event.key !== " ") return;
            event.preventDefault();
            onToggle();
          })
        }
        onClick={
          onToggle &&
          ((event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey) return;
            event.preventDefault();
            onToggle();
          })
        }
        className="flex gap-3 px-4 py-4 text-ink no-underline transition-colors duration-150 hover:bg-sunken/60"
      >
        <Icon name="chevronRight" className={classes("mt-0.5 size-5 text-soft transition-transform duration-150", open && "rotate-90")} />
        <span className="flex min-w-0 flex-1 flex-col gap-1.5">
          <span className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1.5">
            <span className="min-w-0 flex-1 basis-52 text-base font-semibold [overflow-wrap:anywhere]">
              {subject}
              {isUnread ? (
                <span className="ml-2 inline-flex items-center gap-1 whitespace-nowrap text-note font-medium text-accent">
                  <span className="size-2 rounded-full bg-accent" />
                  New answer
                </span>
              ) : null}
            </span>
            <span className="flex flex-wrap gap-1.5">
              <PriorityBadge priority={priority} />
              <StatusBadge status={status} />
            </span>
          </span>
          <span className="flex flex-wrap gap-x-3 text-table text-soft">
            <span>{CATEGORY[category]}</span>
            <span>Created {dateText(createdAt)}</span>
            {respondedAt ? <span>Responded {dateText(respondedAt)}</span> : null}
            {resolvedAt ? <span>Resolved {dateText(resolvedAt)}</span> : null}
          </span>
          {open ? null : <span className="line-clamp-2 text-product text-soft [overflow-wrap:anywhere]">{message}</span>}
        </span>
      </a>
      {open ? (
        <div id={`ticket-${id}`} role="group" aria-label={subject} className="flex flex-col gap-4 px-4 pb-5 md:pl-12">
          {children}
        </div>
      ) : null}
    </li>
  );
}
