import type { Notification } from "../../src/notifications/schema";
import { classes } from "../ui/classes";
import { Icon, type IconName } from "../ui/Icon";
import { withSigns } from "../ui/Signed";
import { waitOf } from "../ui/staff/waits";

const ICONS: Record<Notification["type"], IconName> = {
  visitor: "globe",
  deposit: "wallet",
  withdrawal: "coins",
  trade: "candles",
  registration: "person",
  ticket: "lifebuoy",
  chat: "chat",
  contact: "mail",
  correction: "scale",
  warning: "warning",
};

type Props = { list: Notification[]; now: number; placeOf: (one: Notification) => string; onOpen?: (one: Notification) => void };

/** Notifications, newest first; a dot marks what the reader has not read. */
export const NewsList = ({ list, now, placeOf, onOpen }: Props) => (
  <ul className="flex flex-col divide-y divide-line">
    {list.map((one) => (
      <li key={one.id} data-notification={one.id}>
        <a href={placeOf(one)} onClick={() => onOpen?.(one)} className="flex gap-3 px-4 py-3 text-product text-ink no-underline hover:bg-sunken">
          <span
            className={classes(
              "mt-0.5 inline-flex size-8 shrink-0 items-center justify-center rounded-full",
              one.type === "warning" ? "bg-loss-soft text-loss" : "bg-sunken text-soft",
            )}
          >
            <Icon name={ICONS[one.type]} className="size-4" />
          </span>
          <span className="min-w-0 flex-1">
            <span className="flex items-baseline justify-between gap-3">
              <span className={classes(one.isRead || one.priority === "low" ? "font-medium" : "font-semibold", one.type === "warning" && "text-loss")}>
                {one.title}
              </span>
              <time dateTime={one.createdAt} className="shrink-0 text-note text-soft">
                {waitOf(one.createdAt, now).text}
              </time>
            </span>
            <span className="block text-table text-soft [overflow-wrap:anywhere]">{withSigns(one.message)}</span>
          </span>
          {one.isRead || one.priority === "low" ? null : <span role="img" aria-label="Unread" className="mt-2 size-2 shrink-0 rounded-full bg-accent" />}
        </a>
      </li>
    ))}
  </ul>
);
