import { type ReactNode, useEffect, useState } from "react";
import { type ClaimKind, type StaffTopic, waitingCounts } from "../../src/admin/schema";
import { decidedOrder, type StaffDeposit, type StaffWithdrawal } from "../../src/funding/schema";
import type { QueueTable } from "../../views/funding/RequestCells";
import { call } from "../wire/api";
import { upTo } from "../runtime/up_to";
import { useClaim, useViewers, viewersOf } from "../runtime/claims";
import { refreshLists, useLive } from "../runtime/live_list";
import { useNow } from "../runtime/now";
import { useQueue } from "../runtime/queue_keys";
import { idOf, useSteady } from "../runtime/steady";
import { Fresh, Marked } from "../ui/Fresh";
import { QueueFrame, type QueueQuery } from "./QueueFrame";
import { RejectDialog } from "./RejectDialog";
import { ThresholdButton, useSettings } from "./ThresholdButton";

export type QueueProps<R> = {
  waiting: R[];
  decided: R[];
  /** How many wait in all, whatever is searched for. */
  total: number;
  query: QueueQuery;
  me: string;
  now: string;
  /** Above so many USD the amount is typed. */
  confirmAbove: string;
};

type Approval<R> = { request: R; confirmAbove: string; viewers: string | null; onClose: (done?: true) => void };
/** What tells one queue of money requests from the other. */
export type QueueKind<R> = {
  what: "deposits" | "withdrawals";
  claim: ClaimKind & StaffTopic;
  /** The requests of that state, in the order of the query. */
  load: (query: QueueQuery | { q: string; sort: QueueQuery["sort"]; status: "pending"; limit: string; cursor?: string }) => Promise<R[]>;
  waiting: (table: QueueTable<R>) => ReactNode;
  decided: (rows: R[], sort: QueueQuery) => ReactNode;
  approval: (given: Approval<R>) => ReactNode;
};

type Lists<R> = { waiting: R[]; decided: R[]; total: number };
/** Of what waits, so many are shown at first, and again with each press. */
const PAGE = 100;

/** One queue: requests that wait, each with its decision, then those that were decided. Both lists follow what other administrators do. */
export function MoneyQueue<R extends StaffDeposit | StaffWithdrawal>({ kind, ...given }: QueueProps<R> & { kind: QueueKind<R> }) {
  const { query, me } = given;
  const settings = useSettings({ confirmAbove: given.confirmAbove });
  const { q, sort } = query;
  const [wanted, setWanted] = useState(PAGE);
  const { value, lost, again } = useLive<Lists<R>>(
    { waiting: given.waiting, decided: given.decided, total: given.total },
    async () => {
      const [waiting, decided, counts] = await Promise.all([
        upTo(wanted, (page) => kind.load({ q, sort, status: "pending", ...page })),
        kind.load({ ...query, sort: decidedOrder(sort) }),
        call(waitingCounts),
      ]);
      return { waiting, decided, total: counts[kind.what] ?? waiting.length };
    },
    [kind.claim],
  );
  const [help, setHelp] = useState(false);
  const [waiting, area] = useSteady(value.waiting, idOf, wanted);
  const [decided, decidedArea] = useSteady(value.decided, idOf);
  const queue = useQueue({ rows: waiting.open, me, onHelp: () => setHelp(true) });
  const now = useNow(given.now);
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
  const more = value.waiting.length >= wanted && (q !== "" || value.total > value.waiting.length);
  const goneText = (id: string) => {
    const row = value.decided.find((each) => each.id === id);
    return row ? `${row.status} by ${row.decidedBy ?? "its owner"}` : "No longer waiting";
  };
  return (
    <div ref={area}>
      <QueueFrame
        what={kind.what}
        query={query}
        lost={lost}
        fresh={<Fresh list={waiting} />}
        extra={<ThresholdButton settings={settings} />}
        help={help}
        onHelp={setHelp}
        waiting={{
          empty: waiting.rows.length === 0,
          count: more ? (q ? `${value.waiting.length}+` : String(value.total)) : String(waiting.open.length + waiting.fresh),
          table: (
            <Marked list={waiting} gone={goneText}>
              {kind.waiting({
                rows: waiting.rows,
                me,
                now,
                viewers: viewersOf(waiting.open, viewers),
                query,
                current: queue.current,
                onCurrent: queue.setCurrent,
                onAsk: queue.ask,
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
      {asked?.action === "approve" ? <div key={asked.row.id}>{kind.approval({ request: asked.row, ...settings, viewers: others, onClose: close })}</div> : null}
      {asked?.action === "reject" ? <RejectDialog key={asked.row.id} request={asked.row} viewers={others} onClose={close} /> : null}
    </div>
  );
}
