import { useSignals } from "@preact/signals-react/runtime";
import { useState } from "react";
import type { DeskTopic } from "../src/admin/schema";
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
} from "../src/trading/schema_corrections";
import { nextOf } from "../src/lib/cursor";
import { panelTab, said } from "../views/admin/address";
import { Pager } from "../views/admin/Filters";
import { CorrectionTable, DisputeTable, type Force, PositionTable, type Verdict, WaitingTable } from "../views/admin/TradeTables";
import type { TradeView } from "../views/admin/trade_words";
import { EmptyState } from "../views/ui/States";
import { call } from "./lib/api";
import { useClaim, useLooking } from "./lib/claims";
import { CorrectionVerdict } from "./lib/CorrectionVerdict";
import { useDesk } from "./lib/desk";
import { ForceDialog } from "./lib/ForceDialog";
import { island } from "./lib/island";
import { lookAgain, useLive } from "./lib/live_list";
import { LostNotice } from "./lib/LostNotice";

type Query = {
  q: string;
  limit: string;
  cursor?: string;
  sort?: PositionOrder | CorrectionOrder;
  symbol?: string;
  account?: BookChoice;
  side?: "all" | "buy" | "sell";
  userId?: string;
};
type List =
  | { view: "positions"; rows: StaffPosition[] }
  | { view: "waiting"; rows: CorrectionRequest[] }
  | { view: "corrections"; rows: Manipulation[] }
  | { view: "disputes"; rows: Dispute[] };
export type TradeControlProps = {
  list: List;
  query: Query;
  /** Who is looking, as the trader would read the name. */
  me: { id: string; name: string };
  /** A correction against a live client may be asked for. */
  fourEyes: boolean;
};

/** Which changes concern which list; positions move with prices besides, which come by themselves. */
const ABOUT: Record<TradeView, DeskTopic[]> = {
  positions: ["trade", "correction"],
  waiting: ["correction", "trade"],
  corrections: ["correction"],
  disputes: ["correction"],
};
/** However busy the market is, a list is read no more often than this, in ms. */
const REST_MS = 1000;

/** The page read `sort` for the list that it shows. */
async function look(view: TradeView, { q, limit, cursor, ...filters }: Query): Promise<List> {
  const page = { q, limit, ...(cursor ? { cursor } : {}) };
  const query = { ...page, ...(filters.sort ? { sort: filters.sort as CorrectionOrder } : {}) };
  if (view === "waiting") return { view, rows: await call(listCorrections, undefined, { query }) };
  if (view === "corrections") return { view, rows: await call(manipulations, undefined, { query }) };
  if (view === "disputes") return { view, rows: await call(listDisputes, undefined, { query }) };
  return { view, rows: await call(staffPositions, undefined, { query: { ...page, ...filters, sort: filters.sort as PositionOrder } }) };
}

const EMPTY: Record<TradeView, { title: string; text: string }> = {
  positions: { title: "No open positions", text: "Positions of all accounts appear here as traders open them." },
  waiting: { title: "Nothing waits", text: "Corrections against a live client wait here for a second administrator." },
  corrections: { title: "No corrections", text: "Every forced result is listed here, with its reason, for ever." },
  disputes: { title: "No disputes", text: "What traders object to appears here in their own words." },
};

/** One list of Trade Control, kept current, and what staff decide on it. */
export function AdminCorrection({ list, query, me, fourEyes }: TradeControlProps) {
  useSignals();
  const { value, lost } = useLive(list, () => look(list.view, query), ABOUT[list.view], { rest: REST_MS });
  const here = useDesk({});
  const [forced, setForced] = useState<{ force: Force; position: StaffPosition } | null>(null);
  const [decided, setDecided] = useState<{ verdict: Verdict; request: CorrectionRequest } | null>(null);
  const close = () => {
    setForced(null);
    setDecided(null);
    void lookAgain();
  };
  useClaim("correction", decided?.request.id ?? null);
  const looking = useLooking(me.id);
  const narrowed = said({ ...query, cursor: query.cursor }).length > 0;
  const { title, text } = EMPTY[value.view];
  return (
    <div>
      {lost ? <LostNotice /> : null}
      {value.rows.length === 0 ? (
        <EmptyState icon="candles" title={narrowed ? "Nothing found" : title}>
          {narrowed ? "No entry matches this search." : text}
        </EmptyState>
      ) : null}
      {value.view === "positions" && value.rows.length > 0 ? (
        <PositionTable rows={value.rows} query={query} me={me.id} here={here} onForce={(force, position) => setForced({ force, position })} />
      ) : null}
      {value.view === "waiting" && value.rows.length > 0 ? (
        <WaitingTable rows={value.rows} query={query} me={me.id} looking={looking} onDecide={(verdict, request) => setDecided({ verdict, request })} />
      ) : null}
      {value.view === "corrections" && value.rows.length > 0 ? <CorrectionTable rows={value.rows} query={query} /> : null}
      {value.view === "disputes" && value.rows.length > 0 ? <DisputeTable rows={value.rows} query={query} /> : null}
      <Pager at={panelTab("trades")} query={{ ...query, status: value.view }} next={nextOf(value.rows, query.limit)} />
      {forced ? <ForceDialog key={`${forced.force} ${forced.position.id}`} {...forced} administrator={me.name} fourEyes={fourEyes} onClose={close} /> : null}
      {decided ? <CorrectionVerdict key={`${decided.verdict} ${decided.request.id}`} {...decided} administrator={me.name} onClose={close} /> : null}
    </div>
  );
}

export default island("AdminCorrection", AdminCorrection);
