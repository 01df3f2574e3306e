import { displayMoney, displayPrice } from "../src/lib/money";
import { type StaffPosition, staffPositions } from "../src/trading/schema_corrections";
import type { Force } from "../views/admin/TradeTables";
import { dealText } from "../views/admin/trade_words";
import { AppCard, AppCards, Decisions } from "../views/admin_app/AppCard";
import { digitsOf } from "../views/portal/model";
import { Badge } from "../views/ui/Badge";
import { Button } from "../views/ui/Button";
import { EmptyState } from "../views/ui/States";
import { call } from "./lib/api";
import { useDesk } from "./lib/desk";
import { FloatingPrice, FloatingProfit } from "./lib/Floating";
import { ForceDialog } from "./lib/ForceDialog";
import { island } from "./lib/island";
import { useAsked, useLive } from "./lib/live_list";
import { LostNotice } from "./lib/LostNotice";

type Props = { rows: StaffPosition[]; limit: string; me: { id: string; name: string }; fourEyes: boolean };

/** Open positions of all accounts as cards, each with what it would bring now. */
export function AdminAppTrades({ rows, limit, me, fourEyes }: Props) {
  const here = useDesk({});
  const { value, lost } = useLive(rows, () => call(staffPositions, undefined, { query: { status: "open", limit } }), ["trade", "correction"], { rest: 1000 });
  const [forced, ask, close] = useAsked<{ force: Force; position: StaffPosition }>();
  return (
    <>
      {lost ? <LostNotice /> : null}
      {value.length === 0 ? (
        <EmptyState icon="candles" title="No open positions">
          Positions of all accounts appear here as traders open them.
        </EmptyState>
      ) : (
        <AppCards label="Open positions">
          {value.map((position) => (
            <PositionCard key={position.id} position={position} here={here} own={position.userId === me.id} onForce={(force) => ask({ force, position })} />
          ))}
        </AppCards>
      )}
      {forced ? <ForceDialog key={`${forced.force} ${forced.position.id}`} {...forced} administrator={me.name} fourEyes={fourEyes} onClose={close} /> : null}
    </>
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
        ["Open price", openPrice === null ? "–" : displayPrice(openPrice, digitsOf(symbol))],
        ["Price now", <FloatingPrice key="price" position={position} here={here} />],
        ["Account balance", displayMoney(position.balance)],
      ]}
    >
      {waits ? <p className="text-table text-warn">A correction waits for a second administrator.</p> : null}
      {own ? (
        <p className="text-table text-soft">Your own: another administrator decides</p>
      ) : (
        <Decisions>
          <Button look="secondary" size="small" aria-label={`Force Win ${of}`} onClick={() => onForce("win")}>
            Force Win
          </Button>
          <Button look="danger" size="small" aria-label={`Force Loss ${of}`} onClick={() => onForce("loss")}>
            Force Loss
          </Button>
        </Decisions>
      )}
    </AppCard>
  );
}

export default island("AdminAppTrades", AdminAppTrades);
