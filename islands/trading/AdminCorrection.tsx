import { useSignals } from "@preact/signals-react/runtime";
import { useState } from "react";
import type { Snooze } from "../../src/admin/schema_queues";
import type { StaffTopic } from "../../src/admin/schema";
import {
  type BookChoice,
  type CorrectionOrder,
  type CorrectionRequest,
  type Dispute,
  listCorrections,
  listDisputes,
  type Manipulation,
  manipulations,
  type PositionOrder,
  type StaffPosition,
  staffPositions,
} from "../../src/trading/schema_corrections";
import { type Exception, type ExceptionOrder, listExceptions } from "../../src/trading/schema_exceptions";
import { nextOf } from "../../src/lib/cursor";
import { panelTab, said } from "../../views/ui/staff/address";
import { Pager } from "../../views/ui/staff/Filters";
import { CorrectionTable, DisputeTable, type Force, PositionTable, type Verdict, WaitingTable } from "../../views/trading/TradeTables";
import { correctionTitle, ObjectedCorrection, RequestedCorrection } from "../../views/trading/CorrectionEvidence";
import { ExceptionTable } from "../../views/trading/ExceptionTable";
import type { TradeView } from "../../views/trading/staff_words";
import { EmptyState } from "../../views/ui/States";
import { call } from "../wire/api";
import { useClaim, useViewers, viewersOf } from "../runtime/claims";
import { CorrectionVerdict } from "./CorrectionVerdict";
import { useTradingStore } from "../runtime/trading_store";
import { ForceDialog } from "./ForceDialog";
import { ReviewDialog } from "./ReviewDialog";
import { island } from "../runtime/island";
import { refreshLists, useLive } from "../runtime/live_list";
import { Fresh, Marked } from "../ui/Fresh";
import { idOf, useSteady } from "../runtime/steady";
import { AwayList } from "../ui/AwayList";
import { LostNotice } from "../ui/LostNotice";
import { QueueSide, useQueueSide } from "../ui/QueueSide";
import { useParted, useSnoozes } from "../runtime/snoozes";

type Query = {
  q: string;
  limit: string;
  cursor?: string;
  sort?: PositionOrder | CorrectionOrder | ExceptionOrder;
  from?: string;
  to?: string;
  review?: "all" | "open" | "done";
  symbol?: string;
  account?: BookChoice;
  side?: "all" | "buy" | "sell";
  userId?: string;
};
type List =
  | { view: "positions"; rows: StaffPosition[] }
  | { view: "waiting"; rows: CorrectionRequest[] }
  | { view: "corrections"; rows: Manipulation[] }
  | { view: "disputes"; rows: Dispute[] }
  | { view: "exceptions"; rows: Exception[] };
export type TradeControlProps = {
  list: List;
  query: Query;
  /** Who is looking, as the trader would read the name. */
  me: { id: string; name: string };
  /** A correction against a live client may be asked for. */
  fourEyes: boolean;
  /** USD from which on a correction of a live client takes a second administrator, whichever way. */
  secondFrom: string;
  /** What is put away, by whomever. */
  snoozes: Snooze[];
};
type Row = List["rows"][number];

/** Which changes concern which list. Positions also move with prices, which arrive by themselves. */
const ABOUT: Record<TradeView, StaffTopic[]> = {
  positions: ["trade", "correction"],
  waiting: ["correction", "trade"],
  corrections: ["correction"],
  // An objection is a ticket, too.
  disputes: ["correction", "ticket"],
  exceptions: ["correction", "trade"],
};
const NOTHING: ReadonlyMap<string, string> = new Map();
/** However busy the market is, a list is read no more often than this, in ms. */
const REST_MS = 1000;

/** The page read `sort` for the list that it shows. */
async function load(view: TradeView, { q, limit, cursor, ...filters }: Query): Promise<List> {
  const page = { q, limit, ...(cursor ? { cursor } : {}) };
  const { from = "", to = "" } = filters;
  const query = { ...page, from, to, ...(filters.sort ? { sort: filters.sort as CorrectionOrder } : {}) };
  if (view === "exceptions") {
    const { review = "all", sort } = filters;
    return { view, rows: await call(listExceptions, undefined, { query: { ...page, from, to, review, sort: sort as ExceptionOrder } }) };
  }
  if (view === "waiting") return { view, rows: await call(listCorrections, undefined, { query }) };
  if (view === "corrections") return { view, rows: await call(manipulations, undefined, { query }) };
  if (view === "disputes") return { view, rows: await call(listDisputes, undefined, { query }) };
  return { view, rows: await call(staffPositions, undefined, { query: { ...page, ...filters, sort: filters.sort as PositionOrder } }) };
}

const EMPTY: Record<TradeView, { title: string; text: string }> = {
  positions: { title: "No open positions", text: "Positions of all accounts appear here as traders open them." },
  waiting: { title: "Nothing waits", text: "Large corrections of live accounts, and those against the client, wait here for a second administrator." },
  corrections: { title: "No corrections", text: "Every forced result is listed here, with its reason, for ever." },
  exceptions: { title: "No exceptions", text: "Fills outside the quoted range, on old ticks or far from the requested price, and all corrections of the day." },
  disputes: { title: "No disputes", text: "What traders object to appears here in their own words." },
};

/** One list of Trade Control, kept current, and what staff decide on it. */
export function AdminCorrection({ list, query, me, snoozes: firstSnoozes, ...limits }: TradeControlProps) {
  useSignals();
  const { value, lost } = useLive(list, () => load(list.view, query), ABOUT[list.view], { rest: REST_MS });
  const here = useTradingStore({});
  const [forced, setForced] = useState<{ force: Force; position: StaffPosition } | null>(null);
  const [decided, setDecided] = useState<{ verdict: Verdict; request: CorrectionRequest } | null>(null);
  const [reviewed, setReviewed] = useState<Exception | null>(null);
  const isQueue = list.view === "waiting" || list.view === "disputes";
  const kind = list.view === "disputes" ? "dispute" : "correction";
  const { mine, others } = useSnoozes(kind, me.id, firstSnoozes);
  const [there, away] = useParted<Row>(value.rows, isQueue ? mine : NOTHING);
  const [steady, area] = useSteady<Row>(there, idOf);
  const [current, setCurrent] = useState<string | null>(null);
  const side = useQueueSide<Row, never>({ list: steady, current, known: value.rows });
  // What is shown are rows of the list that the page is of.
  const shown = { ...value, rows: steady.rows } as List;
  const close = (done?: true) => {
    if (done && decided) steady.decide(decided.request.id, { text: decided.verdict === "confirm" ? "Confirmed" : "Declined" });
    if (done && forced) steady.decide(forced.position.id, { text: "Settled, or asked for" });
    setForced(null);
    setReviewed(null);
    setDecided(null);
    void refreshLists();
  };
  useClaim("correction", decided?.request.id ?? null);
  const viewers = viewersOf(steady.open, new Map([...others, ...useViewers(me.id)]));
  const walked = { current: side.atHand?.id ?? null, onCurrent: setCurrent, onEvidence: side.show, viewers };
  const evidenceOf = (row: Row) => {
    const props = { viewers: viewers.get(row.id), onSnooze: () => side.putAway(row) };
    return list.view === "waiting" ? (
      <RequestedCorrection row={row as CorrectionRequest} {...props} />
    ) : (
      <ObjectedCorrection row={row as Dispute} query={query} {...props} />
    );
  };
  const narrowed = said({ ...query, sort: undefined }).length > 0;
  const { title, text } = EMPTY[list.view];
  return (
    <div ref={area} className={isQueue && steady.rows.length > 0 ? "xl:grid xl:grid-cols-[minmax(0,1fr)_21rem] xl:gap-6" : undefined}>
      <div className="min-w-0">
        {lost ? <LostNotice /> : null}
        <Fresh list={steady} floats />
        <Marked list={steady}>
          {shown.rows.length === 0 ? (
            <EmptyState icon="candles" title={narrowed ? "Nothing found" : title}>
              {narrowed ? "No entry matches this search." : text}
            </EmptyState>
          ) : null}
          {shown.view === "positions" && shown.rows.length > 0 ? (
            <PositionTable rows={shown.rows} query={query} me={me.id} here={here} onForce={(force, position) => setForced({ force, position })} />
          ) : null}
          {shown.view === "waiting" && shown.rows.length > 0 ? (
            <WaitingTable rows={shown.rows} query={query} me={me.id} {...walked} onDecide={(verdict, request) => setDecided({ verdict, request })} />
          ) : null}
          {shown.view === "corrections" && shown.rows.length > 0 ? <CorrectionTable rows={shown.rows} query={query} /> : null}
          {shown.view === "disputes" && shown.rows.length > 0 ? <DisputeTable rows={shown.rows} query={query} {...walked} /> : null}
          {shown.view === "exceptions" && shown.rows.length > 0 ? <ExceptionTable rows={shown.rows} query={query} me={me.id} onReview={setReviewed} /> : null}
        </Marked>
        <Pager at={panelTab("trades")} query={{ ...query, status: value.view }} next={nextOf(value.rows, query.limit)} />
        <AwayList
          rows={away.map((row) => ({ id: row.id, name: `${correctionTitle(row)}, ${row.firstName} ${row.lastName}`, until: mine.get(row.id) ?? "" }))}
          onBack={(id) => void side.back(id)}
        />
      </div>
      {isQueue ? <QueueSide side={side} kind={kind} title={correctionTitle} name={correctionTitle} evidence={evidenceOf} /> : null}
      {forced ? <ForceDialog key={`${forced.force} ${forced.position.id}`} {...forced} administrator={me.name} {...limits} onClose={close} /> : null}
      {reviewed ? <ReviewDialog key={reviewed.id} exception={reviewed} onClose={close} /> : null}
      {decided ? <CorrectionVerdict key={`${decided.verdict} ${decided.request.id}`} {...decided} administrator={me.name} onClose={close} /> : null}
    </div>
  );
}

export default island("AdminCorrection", AdminCorrection);
