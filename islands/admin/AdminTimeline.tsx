import type { InferInput } from "valibot";
import type { SavedFilter } from "../../src/admin/schema_queues";
import { readTimeline, type Timeline, type timelineQuery } from "../../src/admin/schema_timeline";
import { ClientSentences, TimelineFilters, TimelineList } from "../../views/admin/ClientTimeline";
import { clientAt } from "../../views/admin/client_tabs";
import { Pager } from "../../views/ui/staff/Filters";
import { island } from "../runtime/island";
import { useLive } from "../runtime/live_list";
import { useNow } from "../runtime/now";
import { idOf, useSteady } from "../runtime/steady";
import { Fresh } from "../ui/Fresh";
import { LostNotice } from "../ui/LostNotice";
import { SavedFilters } from "../ui/SavedFilters";
import { call } from "../wire/api";

export type TimelineAsked = Pick<InferInput<typeof timelineQuery>, "kind" | "from" | "to" | "limit" | "cursor">;
type Props = { userId: string; first: Timeline; query: TimelineAsked; filters: SavedFilter[]; now: string };

/** However much happens, it is read no more often than this, in ms. */
const REST_MS = 2000;
const ABOUT = ["person", "deposit", "withdrawal", "correction", "trade", "account", "ticket", "chat"] as const;

/** What happened to a client, kept current; nothing moves under who reads it. */
export function AdminTimeline({ userId, first, query, filters, now }: Props) {
  const { value, lost } = useLive(first, () => call(readTimeline, undefined, { params: { id: userId }, query }), ABOUT, { rest: REST_MS });
  const [list, area] = useSteady(value.events, idOf);
  const clock = useNow(now);
  const { limit: _limit, ...asked } = query;
  return (
    <div className="flex flex-col gap-3">
      {lost ? <LostNotice /> : null}
      <ClientSentences summary={value.summary} now={clock} />
      <div className="relative flex flex-wrap items-center gap-2">
        <TimelineFilters userId={userId} query={asked} counts={value.counts} />
        <SavedFilters queue="timeline" at={clientAt(userId, "timeline")} query={asked} filters={filters} />
        <Fresh list={list} />
      </div>
      <div ref={area}>
        <TimelineList events={list.rows} />
      </div>
      <Pager at={clientAt(userId, "timeline")} query={asked} next={value.next} />
    </div>
  );
}

export default island("AdminTimeline", AdminTimeline);
