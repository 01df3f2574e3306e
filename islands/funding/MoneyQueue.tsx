import { type ReactNode, useEffect, useState } from "react";
import { type ClaimKind, type StaffTopic, waitingCounts } from "../../src/admin/schema";
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
import { useSelection, useSelectionKeys } from "../runtime/select_rows";
import { untilText, useParted, useSnoozes } from "../runtime/snoozes";
import { idOf, useSteady } from "../runtime/steady";
import { useTogether } from "../runtime/together";
import { AwayList, takeBack } from "../ui/AwayList";
import { EvidenceDialog, EvidencePanel } from "../ui/EvidencePanel";
import { Fresh, Marked } from "../ui/Fresh";
import { SavedFilters } from "../ui/SavedFilters";
import { SelectBar } from "../ui/SelectBar";
import { SnoozeDialog } from "../ui/SnoozeDialog";
import { TogetherDialog } from "../ui/TogetherDialog";
import { QueueFrame, type QueueQuery } from "./QueueFrame";
import { RejectDialog } from "./RejectDialog";
import { ThresholdButton, useSettings } from "./ThresholdButton";
import { sendTogether, togetherWords } from "./together";

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
  claim: ClaimKind & StaffTopic;
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
  const queue = useQueue({ rows: waiting.open, me });
  const now = useNow(given.now);
  const selection = useSelection(waiting.open.filter((row) => mayDecide(row, me)));
  const words = togetherWords(kind.what, settings.confirmAbove);
  const together = useTogether(sendTogether, ({ id, code }) => code === null && waiting.decide(id, { text: "Approved" }));
  const [snoozed, setSnoozed] = useState<R | null>(null);
  const [shown, setShown] = useState<string | null>(null);
  // What the keys would decide about: the first row, until another is chosen.
  const atHand = waiting.open.find(({ id }) => id === queue.current) ?? waiting.open[0] ?? null;
  useSelectionKeys(
    selection,
    () => together.ask(selection.rows),
    () => setSnoozed(atHand),
  );
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
  const back = async (id: string) => {
    const done = await takeBack(id);
    if (done) waiting.reopen(id);
    return done;
  };
  const more = value.waiting.length >= wanted + mine.size && (isNarrowed || value.total > value.waiting.length);
  const goneText = (id: string) => {
    const row = value.decided.find((each) => each.id === id);
    return row ? `${row.status} by ${row.decidedBy ?? "its owner"}` : "No longer waiting";
  };
  const opened = value.waiting.find(({ id }) => id === shown) ?? null;
  const evidenceOf = (request: R) => (
    <RequestEvidence
      request={request}
      viewers={viewers.get(request.id) ?? snoozes.others.get(request.id)}
      onProof={kind.onProof && (() => kind.onProof?.(request))}
      onSnooze={() => {
        setShown(null);
        setSnoozed(request);
      }}
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
            selection.rows.length > 0 || waiting.open.length > 0 ? (
              <SelectAll checked={selection.isAll} some={selection.rows.length > 0} onToggle={selection.toggleAll} />
            ) : null
          }
          away={<AwayList rows={away.map((row) => ({ id: row.id, name: namedOf(row), until: mine.get(row.id) ?? "" }))} onBack={(id) => void back(id)} />}
          extra={<ThresholdButton settings={settings} />}
          named={<SavedFilters queue={kind.what} query={query} filters={given.filters} />}
          waiting={{
            empty: waiting.rows.length === 0,
            count: more ? (isNarrowed ? `${value.waiting.length}+` : String(value.total)) : String(waiting.open.length + waiting.fresh + away.length),
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
                  onEvidence: setShown,
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
      {atHand ? (
        <EvidencePanel kind={kind.claim} id={atHand.id} title={askedText(atHand)}>
          {evidenceOf(atHand)}
        </EvidencePanel>
      ) : null}
      {opened ? (
        <EvidenceDialog key={opened.id} kind={kind.claim} id={opened.id} title={askedText(opened)} onClose={() => setShown(null)}>
          {evidenceOf(opened)}
        </EvidenceDialog>
      ) : null}
      <SelectBar selection={selection} together={together} what={words.what} />
      {together.isOpen ? (
        <TogetherDialog
          together={together}
          words={words}
          onOver={() => {
            selection.clear();
            together.hide();
          }}
        />
      ) : null}
      {snoozed ? (
        <SnoozeDialog
          key={snoozed.id}
          kind={kind.claim}
          id={snoozed.id}
          name={namedOf(snoozed)}
          onClose={(until) => {
            if (until) waiting.decide(snoozed.id, { text: `Put away until ${untilText(until)}`, undo: () => back(snoozed.id) });
            setSnoozed(null);
          }}
        />
      ) : null}
      {asked?.action === "approve" ? <div key={asked.row.id}>{kind.approval({ request: asked.row, ...settings, viewers: others, onClose: close })}</div> : null}
      {asked?.action === "reject" ? <RejectDialog key={asked.row.id} request={asked.row} viewers={others} onClose={close} /> : null}
    </div>
  );
}
