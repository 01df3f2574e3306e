import { useSignals } from "@preact/signals-react/runtime";
import type { TradingAccount } from "../../src/accounts/schema";
import { displayMoney, sum } from "../../src/lib/money";
import type { Overview } from "../../src/portal/schema";
import { Profit } from "../../views/accounts/Profit";
import { Card } from "../../views/ui/Card";
import { Delta } from "../../views/ui/Price";
import { Stat } from "../../views/ui/Stat";
import { accounts, useTradingStore } from "../runtime/trading_store";
import { island } from "../runtime/island";
import { useOverview } from "./overview";

const isZero = (amount: string) => !/[1-9]/.test(amount);

type Props = { overview: Overview; accounts: TradingAccount[] };

/** The dashboard's five figures, as they are at this moment. Demo money stands apart. */
export function DashboardFigures({ overview, accounts: first }: Props) {
  useSignals();
  const here = useTradingStore({ accounts: first });
  const { financials, month, live } = useOverview(overview, here);
  // Who has no live money yet sees his demo money before its zeros.
  const isNewcomer = live.closed + live.open === 0 && isZero(financials.accountBalance) && isZero(financials.tradingBalance);
  const active = ((here && accounts.value) || first).filter(({ status }) => status === "active");
  const demo = active.filter(({ isDemo }) => isDemo);
  const virtual = demo.length ? (
    <p className="flex flex-wrap items-baseline gap-x-2 px-1 text-soft">
      Demo balance, virtual money:
      <strong className="font-semibold tabular-nums text-ink">{displayMoney(sum(demo.map(({ balance }) => balance)))}</strong>
      It is in none of the figures {isNewcomer ? "below" : "above"}.
    </p>
  ) : null;
  return (
    <>
      {isNewcomer ? virtual : null}
      <Card label="Summary" className="grid grid-cols-2 gap-x-6 gap-y-5 p-4 md:grid-cols-3 md:p-6 xl:grid-cols-5">
        <Stat label="Account Balance">{displayMoney(financials.accountBalance)}</Stat>
        <Stat label="Trading Balance">{displayMoney(financials.tradingBalance)}</Stat>
        <Stat label="Total Profit">
          <Profit value={financials.totalProfit} />
        </Stat>
        <Stat label="Active Accounts" note={`${active.length - demo.length} live, ${demo.length} demo`}>
          {active.length}
        </Stat>
        <Stat
          label="Monthly P&L"
          className="max-md:col-span-2"
          note={
            <>
              {month.percent === null ? (
                "Booked"
              ) : (
                <>
                  <Delta value={month.percent} suffix="%" className="font-medium" />, booked
                </>
              )}{" "}
              on live accounts, UTC month
            </>
          }
        >
          <Profit value={month.profit} />
        </Stat>
      </Card>
      {isNewcomer ? null : virtual}
    </>
  );
}

export default island("DashboardFigures", DashboardFigures, { when: "idle" });
