import { useSignals } from "@preact/signals-react/runtime";
import type { TradingAccount } from "../../src/accounts/schema";
import { add, displayMoney, subtract, sum } from "../../src/lib/money";
import type { Overview, TradeRecord } from "../../src/portal/schema";
import type { Position } from "../../src/trading/schema";
import { equityOf } from "../../src/trading/rules_prices";
import { accountName } from "../../views/accounts/account_name";
import { Mode } from "../../views/accounts/AccountSwitcher";
import { Profit } from "../../views/accounts/Profit";
import { ButtonLink } from "../../views/ui/Button";
import { Card } from "../../views/ui/Card";
import { Stat } from "../../views/ui/Stat";
import { EmptyState } from "../../views/ui/States";
import { accounts, positions, quoteOf, useTradingStore } from "../runtime/trading_store";
import { island } from "../runtime/island";
import { useTint } from "../runtime/live";
import { useOverview } from "./overview";

const trades = ({ won, closed }: TradeRecord) => (closed === 0 ? "No closed trades yet" : `${won} of ${closed} closed with a profit`);

type Props = {
  overview: Overview;
  /** All of the person's; the one last traded on first. */
  accounts: TradingAccount[];
  positions: Position[];
  /** The account that was chosen, by its id. */
  chosen: string | null;
};

/** How the chosen account stands at this moment, the next one when it is closed; below it in one line what the other money, live or virtual, comes to. */
export function HomeFigures({ overview, accounts: firstAccounts, positions: firstPositions, chosen }: Props) {
  useSignals();
  const here = useTradingStore({ accounts: firstAccounts, positions: firstPositions });
  const { financials, live, demo } = useOverview(overview, here);
  const active = ((here && accounts.value) || firstAccounts).filter(({ status }) => status === "active");
  const account = active.find(({ id }) => id === chosen) ?? active[0];
  const open = ((here && positions.value) || firstPositions).filter(({ accountId }) => accountId === account?.id);
  const virtual = active.filter(({ isDemo }) => isDemo);
  return (
    <section aria-label="Figures" className="flex flex-col gap-1">
      <Card label="Your account" className="flex flex-col gap-4 p-4 md:p-6">
        {account ? (
          <AccountFigures account={account} open={open} here={here} record={account.isDemo ? demo : live} />
        ) : (
          <EmptyState icon="wallet" title="You have no trading account" action={<ButtonLink href="/accounts/create">Create an account</ButtonLink>}>
            A demo account comes with $10,000 of virtual money.
          </EmptyState>
        )}
      </Card>
      {account?.isDemo === false ? null : (
        <p aria-label="Live accounts" role="group" className="px-1 text-soft">
          <span className="text-ink">Live money:</span>{" "}
          {`${displayMoney(add(financials.accountBalance, financials.tradingBalance))} in your wallet and on live accounts, ${live.open} open, win rate ${live.winRate}%.`}
        </p>
      )}
      {account?.isDemo || virtual.length === 0 ? null : (
        <p aria-label="Demo accounts" role="group" className="px-1 text-soft">
          <span className="text-ink">Demo, virtual money:</span>{" "}
          {`${displayMoney(sum(virtual.map(({ balance }) => balance)))}, ${demo.open} open, win rate ${demo.winRate}%. It is in none of the figures above.`}
        </p>
      )}
      <p className="flex flex-wrap gap-x-5 px-1">
        {LINKS.map(([href, words]) => (
          <a key={href} href={href} className="inline-flex min-h-11 items-center text-accent no-underline hover:underline">
            {words}
          </a>
        ))}
      </p>
    </section>
  );
}

const LINKS = [
  ["/dashboard", "All your money"],
  ["/analytics", "Your performance in full"],
] as const;

type FiguresProps = { account: TradingAccount; open: Position[]; here: boolean; record: TradeRecord };

/** One account's; drawn anew at each tick that moves it, and nothing else with it. */
function AccountFigures({ account, open, here, record }: FiguresProps) {
  useSignals();
  const equity = here ? equityOf(account, open, (symbol) => quoteOf(symbol).value) : account.equity;
  const element = useTint(equity);
  const filled = open.filter(({ status }) => status === "open").length;
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="text-[0.9375rem] font-semibold [overflow-wrap:anywhere]">{accountName(account)}</h2>
        <Mode demo={account.isDemo} />
        <span className="text-table text-soft [overflow-wrap:anywhere]">{`${account.accountNumber}, leverage ${account.leverage}`}</span>
        <a href="/accounts" className="ml-auto inline-flex min-h-11 items-center text-table text-accent no-underline hover:underline">
          All accounts
        </a>
      </div>
      <div className="grid grid-cols-2 gap-x-6 gap-y-5 lg:grid-cols-5">
        <Stat label="Equity" note="With open positions as they stand" className="max-lg:col-span-2">
          <span ref={element} className="rounded-sm">
            {displayMoney(equity)}
          </span>
        </Stat>
        <Stat label="Balance" note="Without them">
          {displayMoney(account.balance)}
        </Stat>
        <Stat label="P&L" note="Floating">
          <Profit value={subtract(equity, subtract(account.balance, account.advance))} />
        </Stat>
        <Stat label="Open Positions" note="On this account">
          {filled}
        </Stat>
        <Stat label="Win Rate" note={`${trades(record)}, ${account.isDemo ? "demo" : "live"}`}>
          {`${record.winRate}%`}
        </Stat>
      </div>
    </>
  );
}

export default island("HomeFigures", HomeFigures, { when: "idle" });
