import { type ReactNode, useEffect, useState } from "react";
import { may } from "../../src/lib/may";
import { waitingCounts } from "../../src/admin/schema";
import type { SavedFilter, Snooze } from "../../src/admin/schema_queues";
import { decidedOrder } from "../../src/funding/schema";
import { mayDecide, type QueueTable } from "../../views/funding/RequestCells";
import { RequestEvidence } from "../../views/funding/RequestEvidence";
import { askedText, type MoneyRequest, namedOf } from "../../views/funding/request_words";
import { SelectAll } from "../../views/ui/staff/SelectBox";
import { call } from "../wire/api";
import { upTo } from "../runtime/up_to";
import { useClaim, useViewers, viewersOf } from "../runtime/claims";
import { refreshLists, useLive } from "../runtime/live_list";
import { useNow } from "../runtime/now";
import { useQueue } from "../runtime/queue_keys";
import { useSelection } from "../runtime/select_rows";
import { useParted, useSnoozes } from "../runtime/snoozes";
import { idOf, useSteady } from "../runtime/steady";
import { useTogether } from "../runtime/together";
import { AwayList } from "../ui/AwayList";
import { Fresh, Marked } from "../ui/Fresh";
import { QueueSide, useQueueSide } from "../ui/QueueSide";
import { SavedFilters } from "../ui/SavedFilters";
import { QueueFrame, type QueueQuery } from "./QueueFrame";
import { RejectDialog } from "./RejectDialog";
import { ThresholdButton, useSettings } from "./ThresholdButton";
import { type Decided, sendTogether, togetherWords } from "./together";

export type QueueProps<R> = {
  waiting: R[];
  decided: R[];
  /** How many wait in all, whatever is searched for. */
  total: number;
  /** Filters that their reader gave a name. */
  filters: SavedFilter[];
  query: QueueQuery;
  me: string;
  now: string;
  /** Above so many USD the amount is typed. */
  confirmAbove: string;
  /** What is put away, by whomever. */
  snoozes: Snooze[];
};

type Approval<R> = { request: R; confirmAbove: string; viewers: string | null; onClose: (done?: true) => void };
/** What tells one queue of money requests from the other. */
export type QueueKind<R> = {
  what: "deposits" | "withdrawals";
  claim: "deposit" | "withdrawal";
  /** The requests of that state, in the order of the query. */
  load: (query: QueueQuery | (Omit<QueueQuery, "status"> & { status: "pending" })) => Promise<R[]>;
  waiting: (table: QueueTable<R>) => ReactNode;
  decided: (rows: R[], sort: QueueQuery) => ReactNode;
  approval: (given: Approval<R>) => ReactNode;
  onProof?: (request: R) => void;
};

type Lists<R> = { waiting: R[]; decided: R[]; total: number };
/** Of what waits, so many are shown at first, and again with each press. */
const PAGE = 100;

/** One queue: requests that wait, each with its decision, then those that were decided. Both lists follow what other administrators do. */
export function MoneyQueue<R extends MoneyRequest>({ kind, ...given }: QueueProps<R> & { kind: QueueKind<R> }) {
  const { query, me } = given;
  const settings = useSettings({ confirmAbove: given.confirmAbove });
  const { q, sort, from, to } = query;
  const isNarrowed = q !== "" || from !== "" || to !== "";
  const [wanted, setWanted] = useState(PAGE);
  const snoozes = useSnoozes(kind.claim, me, given.snoozes);
  const { mine } = snoozes;
  const { value, lost, again } = useLive<Lists<R>>(
    { waiting: given.waiting, decided: given.decided, total: given.total },
    async () => {
      const [waiting, decided, counts] = await Promise.all([
        upTo(wanted + mine.size, (page) => kind.load({ q, sort, from, to, status: "pending", ...page })),
        kind.load({ ...query, sort: decidedOrder(sort) }),
        call(waitingCounts),
      ]);
      return { waiting, decided, total: counts[kind.what] ?? waiting.length };
    },
    [kind.claim],
  );
  const [here, away] = useParted(value.waiting, mine);
  const [waiting, area] = useSteady(here, idOf, wanted);
  const [decided, decidedArea] = useSteady(value.decided, idOf);
  const needs = `${kind.what}.decide` as const;
  const queue = useQueue({ rows: waiting.open, me, needs });
  const now = useNow(given.now);
  const selection = useSelection(waiting.open.filter((row) => mayDecide(row, me)));
  const words = togetherWords(kind.what, settings.confirmAbove);
  const together = useTogether<R, Decided>(sendTogether, ({ id, code }) => code === null && waiting.decide(id, { text: "Approved" }));
  const side = useQueueSide({ list: waiting, current: queue.current, known: value.waiting, selection, together });
  const viewers = useViewers(me);
  const { asked } = queue;
  useEffect(() => void (wanted > PAGE && again()), [wanted, again]);
  const others = (asked && viewers.get(asked.row.id)) ?? null;
  useClaim(kind.claim, asked?.row.id ?? null);
  const close = (done?: true) => {
    if (done && asked) waiting.decide(asked.row.id, { text: asked.action === "approve" ? "Approved" : "Rejected" });
    queue.close();
    void refreshLists();
  };
  const more = value.waiting.length >= wanted + mine.size && (isNarrowed || value.total > value.waiting.length);
  const goneText = (id: string) => {
    const row = value.decided.find((each) => each.id === id);
    return row ? `${row.status} by ${row.decidedBy ?? "its owner"}` : "No longer waiting";
  };
  const evidenceOf = (request: R) => (
    <RequestEvidence
      request={request}
      viewers={viewers.get(request.id) ?? snoozes.others.get(request.id)}
      onProof={kind.onProof && (() => kind.onProof?.(request))}
      onSnooze={() => side.putAway(request)}
    />
  );
  return (
    <div ref={area} className="xl:grid xl:grid-cols-[minmax(0,1fr)_21rem] xl:gap-6">
      <div className="min-w-0">
        <QueueFrame
          what={kind.what}
          query={query}
          lost={lost}
          fresh={<Fresh list={waiting} />}
          selectAll={
            may(needs) && (selection.rows.length > 0 || waiting.open.length > 0) ? (
              <SelectAll checked={selection.isAll} some={selection.rows.length > 0} onToggle={selection.toggleAll} />
            ) : null
          }
          away={<AwayList rows={away.map((row) => ({ id: row.id, name: namedOf(row), until: mine.get(row.id) ?? "" }))} onBack={(id) => void side.back(id)} />}
          extra={<ThresholdButton settings={settings} />}
          named={<SavedFilters queue={kind.what} query={query} filters={given.filters} />}
          waiting={{
            empty: waiting.rows.length === 0,
            count: more
              ? isNarrowed
                ? `${value.waiting.length}+`
                : value.total.toLocaleString("en-US")
              : String(waiting.open.length + waiting.fresh + away.length),
            table: (
              <Marked list={waiting} gone={goneText}>
                {kind.waiting({
                  rows: waiting.rows,
                  me,
                  now,
                  viewers: viewersOf(waiting.open, new Map([...snoozes.others, ...viewers])),
                  query,
                  current: queue.current,
                  onCurrent: queue.setCurrent,
                  onAsk: queue.ask,
                  selecting: selection,
                  onEvidence: side.show,
                })}
              </Marked>
            ),
            more: more ? () => setWanted(wanted + PAGE) : null,
          }}
          decided={{
            rows: decided.rows,
            fresh: <Fresh list={decided} />,
            table: (
              <div ref={decidedArea}>
                <Marked list={decided}>{kind.decided(decided.rows, query)}</Marked>
              </div>
            ),
          }}
        />
      </div>
      <QueueSide side={side} kind={kind.claim} words={words} title={askedText} name={namedOf} evidence={evidenceOf} />
      {asked?.action === "approve" ? <div key={asked.row.id}>{kind.approval({ request: asked.row, ...settings, viewers: others, onClose: close })}</div> : null}
      {asked?.action === "reject" ? <RejectDialog key={asked.row.id} request={asked.row} viewers={others} onClose={close} /> : null}
    </div>
  );
}
