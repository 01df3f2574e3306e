import {
  type ClientEvent,
  type ClientSummary,
  type ClientWait,
  type EventCount,
  type EventKind,
  eventKinds,
  MOST_COUNTED,
} from "../../src/admin/schema_timeline";
import { displayMoney } from "../../src/lib/money";
import { wordsOf } from "../audit/audit_words";
import { classes } from "../ui/classes";
import { groupedText } from "../ui/grouped";
import { Icon, type IconName } from "../ui/Icon";
import { instantText } from "../ui/instant";
import { Delta } from "../ui/Price";
import { withSigns } from "../ui/Signed";
import { EmptyState } from "../ui/States";
import { dayFields, FilterMenu, StatusLinks } from "../ui/staff/Filters";
import type { ListQuery } from "../ui/staff/address";
import { waitOf } from "../ui/staff/waits";
import { clientAt } from "./client_tabs";

const KINDS: Readonly<Record<EventKind, { label: string; icon: IconName }>> = {
  money: { label: "Money", icon: "wallet" },
  deals: { label: "Deals", icon: "candles" },
  corrections: { label: "Corrections", icon: "scale" },
  letters: { label: "Letters", icon: "mail" },
  tickets: { label: "Tickets", icon: "lifebuoy" },
  chats: { label: "Chats", icon: "chat" },
  "sign-ins": { label: "Sign-ins", icon: "person" },
  staff: { label: "Staff", icon: "shield" },
};

const WAITS: Readonly<Record<ClientWait["what"], [one: string, many: string]>> = {
  registration: ["the registration", "registrations"],
  deposit: ["a deposit", "deposits"],
  withdrawal: ["a withdrawal", "withdrawals"],
  correction: ["a correction", "corrections"],
  ticket: ["a ticket", "tickets"],
  chat: ["a chat", "chats"],
};

const titleOf = ({ kind, title }: ClientEvent) => (kind === "staff" ? wordsOf(title) : groupedText(title));

/** What one wants to know of a client before anything else, in three sentences. */
export function ClientSentences({ summary: { wallet, balance, equity, wrong, waits }, now }: { summary: ClientSummary; now: number }) {
  const pieces = waits.map(({ what, count, since }) => `${count > 1 ? `${count} ${WAITS[what][1]}` : WAITS[what][0]} for ${waitOf(since, now).text}`);
  return (
    <div data-sentences="" className="flex flex-col gap-0.5 text-product [overflow-wrap:anywhere]">
      <p>
        {withSigns(
          `Balance ${displayMoney(balance)} of live money, ${displayMoney(wallet)} of it in the wallet; equity ${displayMoney(equity)} at the prices of this moment.`,
        )}
      </p>
      {wrong ? (
        <p>
          Last thing that went wrong:{" "}
          <b className="font-semibold text-loss">
            {withSigns(titleOf(wrong))}
            {wrong.detail ? withSigns(`: ${groupedText(wrong.detail)}`) : ""}
          </b>
          , <time dateTime={wrong.createdAt}>{instantText(wrong.createdAt)} UTC</time>.
        </p>
      ) : (
        <p>Nothing that we know of went wrong.</p>
      )}
      <p>{pieces.length > 0 ? `Waits for staff: ${pieces.join(", ")}.`.replaceAll("for just now", "since just now") : "Nothing waits for staff."}</p>
    </div>
  );
}

const countText = (count: number) => (count >= MOST_COUNTED ? `${MOST_COUNTED - 1}+` : String(count));

/** The kinds with how many of each there are, and the days. */
export function TimelineFilters({ userId, query, counts }: { userId: string; query: ListQuery; counts: EventCount[] }) {
  const countOf = (each: EventKind) => counts.find((row) => row.kind === each)?.count ?? 0;
  return (
    <>
      <StatusLinks
        at={clientAt(userId, "timeline")}
        query={{ kind: "", ...query }}
        name="kind"
        label="What is shown"
        choices={[
          { id: "", label: "All" },
          { id: "wrong", label: "Went wrong" },
          ...eventKinds.map((id) => ({ id, label: `${KINDS[id].label} ${countText(countOf(id))}` })),
        ]}
      />
      <FilterMenu at={clientAt(userId, "timeline")} query={query} label="Days" fields={dayFields()} />
    </>
  );
}

export const TimelineList = ({ events }: { events: ClientEvent[] }) =>
  events.length === 0 ? (
    <EmptyState icon="clock" title="Nothing here" />
  ) : (
    <ol aria-label="What happened, newest first" className="flex flex-col">
      {events.map((event) => (
        <Event key={event.id} event={event} />
      ))}
    </ol>
  );

function Event({ event }: { event: ClientEvent }) {
  const { id, createdAt, kind, detail, amount, href, wrong } = event;
  const title = withSigns(titleOf(event));
  return (
    <li
      data-row={id}
      className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-start gap-x-3 border-b border-line py-1.5 text-table last:border-b-0 md:grid-cols-[auto_11rem_minmax(0,1fr)_auto]"
    >
      <span data-tip={KINDS[kind].label} className={wrong ? "text-loss" : "text-soft"}>
        <Icon name={KINDS[kind].icon} className="size-5" />
        <span className="sr-only">{KINDS[kind].label}</span>
      </span>
      <time dateTime={createdAt} className="whitespace-nowrap text-soft max-md:col-start-2 max-md:row-start-2">
        {instantText(createdAt)} UTC
      </time>
      <div className="min-w-0 [overflow-wrap:anywhere] max-md:col-start-2 max-md:row-start-1">
        {href ? (
          <a
            href={href}
            className={classes("inline-flex min-h-6 items-center underline-offset-4 hover:underline", wrong ? "font-medium text-loss" : "text-ink")}
          >
            {title}
          </a>
        ) : (
          <span className={wrong ? "font-medium text-loss" : ""}>{title}</span>
        )}
        {detail ? <span className="line-clamp-2 text-note text-soft">{withSigns(groupedText(detail))}</span> : null}
      </div>
      <span className="text-right max-md:col-start-3 max-md:row-start-1">{amount === null ? null : <Delta value={displayMoney(amount)} />}</span>
    </li>
  );
}
