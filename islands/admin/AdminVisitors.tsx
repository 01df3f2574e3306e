import { useSignals } from "@preact/signals-react/runtime";
import { useEffect, useState } from "react";
import { myStream } from "../../src/portal/schema";
import { RECENT } from "../../src/visitors/rules";
import type { SavedFilter } from "../../src/admin/schema_queues";
import type { Present, Visitor, VisitorSnapshot } from "../../src/visitors/schema";
import { VisitorTable } from "../../views/visitors/VisitorTable";
import { island } from "../runtime/island";
import { LostNotice } from "../ui/LostNotice";
import { unread, useNews } from "../notifications/news";
import { useNow } from "../runtime/now";
import { idOf, useSteady } from "../runtime/steady";
import { Fresh } from "../ui/Fresh";
import { SavedFilters } from "../ui/SavedFilters";
import type { ListQuery } from "../../views/ui/staff/address";
import { listen } from "../wire/stream";

/** `past`: the visits of days that were asked for, which stand in the place of those of this moment. */
type Props = { first: VisitorSnapshot; notifications: number; now: string; query: ListQuery; past?: Visitor[] | null; filters?: SavedFilter[] };
type Events = { visitors: VisitorSnapshot; visitor: Visitor; present: Present };

/** The visitors as they come. */
export function AdminVisitors({ first, notifications, now: opened, query, past = null, filters = [] }: Props) {
  useSignals();
  const [shown, setShown] = useState(first);
  const [lost, setLost] = useState(false);
  const here = useNews();
  const now = useNow(opened);
  const [list, area] = useSteady(shown.recent, idOf);
  useEffect(() => {
    return listen<Events>(
      myStream.path,
      {
        visitors: (snapshot) => setShown(snapshot),
        visitor: (visitor) => setShown((before) => ({ ...before, recent: withVisitor(before.recent, visitor) })),
        present: (present) => setShown((before) => ({ ...before, ...present })),
      },
      (state) => setLost(state === "lost"),
    );
  }, []);
  return (
    <>
      {lost ? <LostNotice /> : null}
      <div ref={area}>
        <VisitorTable
          {...shown}
          recent={past ?? list.rows}
          isPast={past !== null}
          fresh={past ? null : <Fresh list={list} />}
          query={query}
          named={query.at ? <SavedFilters queue="visitors" query={{ from: query.from, to: query.to }} filters={filters} /> : null}
          notifications={here ? (unread.value ?? notifications) : notifications}
          now={now}
        />
      </div>
    </>
  );
}

const withVisitor = (recent: Visitor[], visitor: Visitor) => [visitor, ...recent.filter(({ id }) => id !== visitor.id)].slice(0, RECENT);

export default island("AdminVisitors", AdminVisitors);
