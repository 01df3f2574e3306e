import { useState } from "react";
import { may } from "../../src/lib/may";
import { displayMoney } from "../../src/lib/money";
import { type StaffPosition, staffPositions } from "../../src/trading/schema_corrections";
import type { Force } from "../../views/trading/TradeTables";
import { dealText } from "../../views/trading/staff_words";
import { Decisions } from "../../views/admin/AppCard";
import { AppRow, AppRows } from "../../views/admin/AppRow";
import { dealPrice } from "../../src/trading/rules_prices";
import { Button } from "../../views/ui/Button";
import { EmptyState } from "../../views/ui/States";
import { call } from "../wire/api";
import { useTradingStore } from "../runtime/trading_store";
import { FloatingPrice, FloatingProfit } from "../trading/Floating";
import { ForceDialog } from "../trading/ForceDialog";
import { island } from "../runtime/island";
import { useAsked, useLive } from "../runtime/live_list";
import { EvidenceDialog } from "../ui/EvidencePanel";
import { Swipe } from "../ui/Swipe";
import { Fresh, Marked } from "../ui/Fresh";
import { idOf, useSteady } from "../runtime/steady";
import { LostNotice } from "../ui/LostNotice";

type Props = { rows: StaffPosition[]; limit: string; me: { id: string; name: string }; fourEyes: boolean; secondFrom: string };

/** Open positions of all accounts as cards, each with what it would bring now. */
export function AdminAppTrades({ rows, limit, me, ...limits }: Props) {
  const here = useTradingStore({});
  const { value, lost } = useLive(rows, () => call(staffPositions, undefined, { query: { status: "open", limit } }), ["trade", "correction"], { rest: 1000 });
  const [forced, ask, close] = useAsked<{ force: Force; position: StaffPosition }>();
  const [list, area] = useSteady(value, idOf);
  const [shown, setShown] = useState<StaffPosition | null>(null);
  return (
    <div ref={area}>
      <Fresh list={list} floats />
      {lost ? <LostNotice /> : null}
      {list.rows.length === 0 ? (
        <EmptyState icon="candles" title="No open positions">
          Positions of all accounts appear here as traders open them.
        </EmptyState>
      ) : (
        <Marked list={list}>
          <AppRows label="Open positions">
            {list.rows.map((position) => (
              <PositionCard
                key={position.id}
                position={position}
                here={here}
                own={position.userId === me.id}
                isOpen={list.open.includes(position)}
                onForce={(force) => ask({ force, position })}
                onEvidence={() => setShown(position)}
              />
            ))}
          </AppRows>
        </Marked>
      )}
      {shown ? (
        <EvidenceDialog key={shown.id} kind="registration" id={shown.userId} title={`${shown.firstName} ${shown.lastName}`} onClose={() => setShown(null)}>
          <dl className="grid grid-cols-[1fr_auto] gap-x-4 text-table">
            <dt className="text-soft">{dealText(shown)}</dt>
            <dd>{shown.accountNumber}</dd>
            <dt className="text-soft">Account balance</dt>
            <dd className="tabular-nums">{displayMoney(shown.balance)}</dd>
          </dl>
        </EvidenceDialog>
      ) : null}
      {forced ? <ForceDialog key={`${forced.force} ${forced.position.id}`} {...forced} administrator={me.name} {...limits} onClose={close} /> : null}
    </div>
  );
}

type CardProps = { position: StaffPosition; here: boolean; own: boolean; isOpen: boolean; onForce: (force: Force) => void; onEvidence: () => void };

function PositionCard({ position, here, own, isOpen, onForce, onEvidence }: CardProps) {
  const { symbol, openPrice, isDemo, firstName, lastName, accountNumber, waits } = position;
  const of = `${dealText(position)} of ${firstName} ${lastName}`;
  const row = (
    <AppRow
      id={position.id}
      title={dealText(position)}
      note={isDemo ? "demo" : "live"}
      mark={<FloatingProfit position={position} here={here} />}
      line={
        <>
          {`${firstName} ${lastName} · ${dealPrice(openPrice, symbol)}, now `}
          <FloatingPrice position={position} here={here} />
          {` · ${accountNumber}`}
        </>
      }
      warning={waits ? `${firstName} ${lastName}: a correction waits for a second administrator.` : undefined}
    >
      <Decisions>
        <Button variant="secondary" size="small" data-opens="" aria-label={`Evidence for ${of}`} onClick={onEvidence}>
          Evidence
        </Button>
        {own ? (
          <span className="self-center text-note text-soft">Your own: another administrator decides</span>
        ) : may("trades.correct") ? (
          <>
            <Button variant="secondary" size="small" aria-label={`Force Win ${of}`} onClick={() => onForce("win")}>
              Force Win
            </Button>
            <Button variant="danger" size="small" aria-label={`Force Loss ${of}`} onClick={() => onForce("loss")}>
              Force Loss
            </Button>
          </>
        ) : null}
      </Decisions>
    </AppRow>
  );
  return (
    <li data-row={position.id}>
      {own || !isOpen || !may("trades.correct") ? (
        row
      ) : (
        <Swipe right={{ label: "Force Win", onSwipe: () => onForce("win") }} left={{ label: "Force Loss", onSwipe: () => onForce("loss") }}>
          {row}
        </Swipe>
      )}
    </li>
  );
}

export default island("AdminAppTrades", AdminAppTrades);
