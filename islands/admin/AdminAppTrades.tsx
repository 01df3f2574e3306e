import { displayMoney } from "../../src/lib/money";
import { type StaffPosition, staffPositions } from "../../src/trading/schema_corrections";
import type { Force } from "../../views/trading/TradeTables";
import { dealText } from "../../views/trading/staff_words";
import { AppCard, AppCards, Decisions } from "../../views/admin/AppCard";
import { dealPrice } from "../../src/trading/rules_prices";
import { Badge } from "../../views/ui/Badge";
import { Button } from "../../views/ui/Button";
import { EmptyState } from "../../views/ui/States";
import { call } from "../wire/api";
import { useTradingStore } from "../runtime/trading_store";
import { FloatingPrice, FloatingProfit } from "../trading/Floating";
import { ForceDialog } from "../trading/ForceDialog";
import { island } from "../runtime/island";
import { useAsked, useLive } from "../runtime/live_list";
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
          <AppCards label="Open positions">
            {list.rows.map((position) => (
              <PositionCard key={position.id} position={position} here={here} own={position.userId === me.id} onForce={(force) => ask({ force, position })} />
            ))}
          </AppCards>
        </Marked>
      )}
      {forced ? <ForceDialog key={`${forced.force} ${forced.position.id}`} {...forced} administrator={me.name} {...limits} onClose={close} /> : null}
    </div>
  );
}

type CardProps = { position: StaffPosition; here: boolean; own: boolean; onForce: (force: Force) => void };

function PositionCard({ position, here, own, onForce }: CardProps) {
  const { symbol, openPrice, isDemo, firstName, lastName, accountNumber, waits } = position;
  const of = `${dealText(position)} of ${firstName} ${lastName}`;
  return (
    <AppCard
      id={position.id}
      title={dealText(position)}
      note={`${firstName} ${lastName} · ${accountNumber}`}
      mark={<Badge tone={isDemo ? "secondary" : "default"}>{isDemo ? "Demo" : "Live"}</Badge>}
      facts={[
        ["Result now", <FloatingProfit key="profit" position={position} here={here} />],
        ["Open price", dealPrice(openPrice, symbol)],
        ["Price now", <FloatingPrice key="price" position={position} here={here} />],
        ["Account balance", displayMoney(position.balance)],
      ]}
    >
      {waits ? <p className="text-table text-warn">A correction waits for a second administrator.</p> : null}
      {own ? (
        <p className="text-table text-soft">Your own: another administrator decides</p>
      ) : (
        <Decisions>
          <Button variant="secondary" size="small" aria-label={`Force Win ${of}`} onClick={() => onForce("win")}>
            Force Win
          </Button>
          <Button variant="danger" size="small" aria-label={`Force Loss ${of}`} onClick={() => onForce("loss")}>
            Force Loss
          </Button>
        </Decisions>
      )}
    </AppCard>
  );
}

export default island("AdminAppTrades", AdminAppTrades);
