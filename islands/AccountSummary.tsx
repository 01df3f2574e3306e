import { useSignals } from "@preact/signals-react/runtime";
import type { Financials, TradingAccount } from "../src/accounts/schema";
import { add, displayMoney, subtract, sum } from "../src/lib/money";
import type { Position } from "../src/trading/schema";
import { AccountStrip, MoneyCards } from "../views/portal/SummaryCards";
import { type Quote, standingOf } from "../views/portal/model";
import { accounts, financials, positions, quoteOf, useDesk } from "./lib/desk";
import { island } from "./lib/island";
import { useTint } from "./lib/live";

export type SummaryProps = { financials: Financials; accounts: TradingAccount[]; positions: Position[]; accountId: string | null };

/** The money at a glance: the person's own sums, and the chosen account's as its positions float. */
export function AccountSummary(given: SummaryProps) {
  useSignals();
  const here = useDesk(given);
  const money = (here && financials.value) || given.financials;
  const own = (here && accounts.value) || given.accounts;
  const open = (here && positions.value) || given.positions;
  const account = own.find(({ id }) => id === given.accountId);
  const mine = open.filter(({ accountId }) => accountId === given.accountId);
  const equity = account && (here ? equityOf(account, mine) : account.equity);
  const element = useTint(equity ?? null);
  return (
    <div className="flex flex-col gap-4">
      <MoneyCards
        accountBalance={money.accountBalance}
        tradingBalance={here ? sum(own.filter(({ isDemo }) => !isDemo).map(({ balance }) => balance)) : money.tradingBalance}
        totalProfit={money.totalProfit}
        openPositions={mine.length}
      />
      {account && equity ? (
        <AccountStrip
          account={account}
          equity={<span ref={element}>{displayMoney(equity)}</span>}
          free={subtract(equity, account.margin)}
          level={levelOf(equity, account.margin)}
        />
      ) : null}
    </div>
  );
}

const quoteFor = (symbol: string): Quote | null => quoteOf(symbol).value;

/** Balance and what the open positions would bring, on the newest quotes. */
function equityOf(account: TradingAccount, open: Position[]): string {
  const floating = open.map((position) => standingOf(position, account, quoteFor(position.symbol)).profit ?? "0.00");
  return add(account.balance, sum(floating));
}

/** Equity over used margin in whole per cent, for the eye; null with no margin in use. */
function levelOf(equity: string, margin: string): string | null {
  const used = Number(margin);
  return used > 0 ? Math.floor((Number(equity) / used) * 100).toLocaleString("en-US") : null;
}

export default island("AccountSummary", AccountSummary);
