import { useSignals } from "@preact/signals-react/runtime";
import type { TradingAccount } from "../../src/accounts/schema";
import { add, displayMoney, sum } from "../../src/lib/money";
import type { Overview, TradeRecord } from "../../src/portal/schema";
import { Profit } from "../../views/accounts/Profit";
import { Card } from "../../views/ui/Card";
import { Stat } from "../../views/ui/Stat";
import { accounts, useTradingStore } from "../runtime/trading_store";
import { island } from "../runtime/island";
import { useOverview } from "./overview";

const trades = ({ won, closed }: TradeRecord) => (closed === 0 ? "No closed trades yet" : `${won} of ${closed} closed with a profit`);

type Props = { overview: Overview; accounts: TradingAccount[] };

/** How live money stands at this moment; what is virtual stands in a line of its own. */
export function HomeFigures({ overview, accounts: first }: Props) {
  useSignals();
  const here = useTradingStore({ accounts: first });
  const { financials, live, demo } = useOverview(overview, here);
  const virtual = ((here && accounts.value) || first).filter(({ isDemo, status }) => isDemo && status === "active");
  return (
    <section aria-label="Figures" className="flex flex-col gap-1">
      <Card label="Live accounts" className="grid grid-cols-2 gap-x-6 gap-y-5 p-4 md:p-6 lg:grid-cols-4">
        <Stat label="Balance" note="Wallet and live trading accounts">
          {displayMoney(add(financials.accountBalance, financials.tradingBalance))}
        </Stat>
        <Stat label="P&L" note="Realised on live accounts">
          <Profit value={financials.totalProfit} />
        </Stat>
        <Stat label="Open Positions" note="On live accounts">
          {live.open}
        </Stat>
        <Stat label="Win Rate" note={trades(live)}>
          {`${live.winRate}%`}
        </Stat>
      </Card>
      {virtual.length ? (
        <p aria-label="Demo accounts" role="group" className="px-1 text-soft">
          <span className="text-ink">Demo, virtual money:</span>{" "}
          {`${displayMoney(sum(virtual.map(({ balance }) => balance)))}, ${demo.open} open, win rate ${demo.winRate}%. It is in none of the figures above.`}
        </p>
      ) : null}
      <a href="/analytics" className="inline-flex min-h-11 items-center self-start px-1 text-accent no-underline hover:underline">
        Your performance in full
      </a>
    </section>
  );
}

export default island("HomeFigures", HomeFigures, { when: "idle" });
