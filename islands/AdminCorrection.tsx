import { useState } from "react";
import {
  type CorrectionRequest,
  type Dispute,
  listCorrections,
  listDisputes,
  type Manipulation,
  manipulations,
  type StaffPosition,
  staffPositions,
} from "../src/trading/schema_corrections";
import { nextOf } from "../views/admin/cursor";
import { Pager } from "../views/admin/Filters";
import { CorrectionTable, DisputeTable, type Force, PositionTable, type Verdict, WaitingTable } from "../views/admin/TradeTables";
import type { TradeView } from "../views/admin/trade_words";
import { EmptyState } from "../views/ui/States";
import { call } from "./lib/api";
import { CorrectionVerdict } from "./lib/CorrectionVerdict";
import { ForceDialog } from "./lib/ForceDialog";
import { island } from "./lib/island";
import { lookAgain, useLive } from "./lib/live_list";
import { LostNotice } from "./lib/LostNotice";

type Query = { q: string; limit: string; cursor?: string };
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

async function look(view: TradeView, query: Query): Promise<List> {
  if (view === "waiting") return { view, rows: await call(listCorrections, undefined, { query }) };
  if (view === "corrections") return { view, rows: await call(manipulations, undefined, { query }) };
  if (view === "disputes") return { view, rows: await call(listDisputes, undefined, { query }) };
  return { view, rows: await call(staffPositions, undefined, { query }) };
}

const EMPTY: Record<TradeView, { title: string; text: string }> = {
  positions: { title: "No open positions", text: "Positions of all accounts appear here as traders open them." },
  waiting: { title: "Nothing waits", text: "Corrections against a live client wait here for a second administrator." },
  corrections: { title: "No corrections", text: "Every forced result is listed here, with its reason, for ever." },
  disputes: { title: "No disputes", text: "What traders object to appears here in their own words." },
};

/** One list of Trade Control, kept current, and what staff decide on it. */
export function AdminCorrection({ list, query, me, fourEyes }: TradeControlProps) {
  const { value, lost } = useLive(list, () => look(list.view, query));
  const [forced, setForced] = useState<{ force: Force; position: StaffPosition } | null>(null);
  const [decided, setDecided] = useState<{ verdict: Verdict; request: CorrectionRequest } | null>(null);
  const close = () => {
    setForced(null);
    setDecided(null);
    void lookAgain();
  };
  const narrowed = query.q !== "" || query.cursor !== undefined;
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
        <PositionTable rows={value.rows} me={me.id} onForce={(force, position) => setForced({ force, position })} />
      ) : null}
      {value.view === "waiting" && value.rows.length > 0 ? (
        <WaitingTable rows={value.rows} me={me.id} onDecide={(verdict, request) => setDecided({ verdict, request })} />
      ) : null}
      {value.view === "corrections" && value.rows.length > 0 ? <CorrectionTable rows={value.rows} /> : null}
      {value.view === "disputes" && value.rows.length > 0 ? <DisputeTable rows={value.rows} /> : null}
      <Pager
        tab="trades"
        q={query.q}
        status={value.view === "positions" ? "" : value.view}
        next={nextOf(value.rows, query.limit)}
        paged={query.cursor !== undefined}
      />
      {forced ? <ForceDialog key={`${forced.force} ${forced.position.id}`} {...forced} administrator={me.name} fourEyes={fourEyes} onClose={close} /> : null}
      {decided ? <CorrectionVerdict key={`${decided.verdict} ${decided.request.id}`} {...decided} administrator={me.name} onClose={close} /> : null}
    </div>
  );
}

export default island("AdminCorrection", AdminCorrection);
