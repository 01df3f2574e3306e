import { useSignals } from "@preact/signals-react/runtime";
import type { Financials, TradingAccount } from "../../src/accounts/schema";
import { displayMoney, subtract, sum } from "../../src/lib/money";
import type { Position } from "../../src/trading/schema";
import { AccountStrip, AllMoney, MoreFigures } from "../../views/accounts/SummaryCards";
import { equityOf, levelText, type Quote } from "../../src/trading/rules_prices";
import { accounts, financials, positions, quoteOf, useTradingStore } from "../runtime/trading_store";
import { island } from "../runtime/island";
import { useTint } from "../runtime/live";

export type SummaryProps = { financials: Financials; accounts: TradingAccount[]; positions: Position[]; accountId: string | null };

/** The money at a glance: the chosen account's as its positions float, and under a press the person's own sums. */
export function AccountSummary(given: SummaryProps) {
  useSignals();
  const here = useTradingStore(given);
  const money = (here && financials.value) || given.financials;
  const own = (here && accounts.value) || given.accounts;
  const open = (here && positions.value) || given.positions;
  const account = own.find(({ id }) => id === given.accountId);
  const mine = open.filter(({ accountId }) => accountId === given.accountId);
  const sums = {
    accountBalance: money.accountBalance,
    tradingBalance: here ? sum(own.filter(({ isDemo }) => !isDemo).map(({ balance }) => balance)) : money.tradingBalance,
    totalProfit: money.totalProfit,
  };
  return account ? <LiveStrip account={account} positions={mine} here={here} sums={sums} /> : <AllMoney {...sums} />;
}

type StripProps = {
  account: TradingAccount;
  positions: Position[];
  here: boolean;
  sums: Pick<Financials, "accountBalance" | "tradingBalance" | "totalProfit">;
};

/** The chosen account; drawn anew at each tick that moves it, and nothing else with it. */
function LiveStrip({ account, positions: mine, here, sums }: StripProps) {
  useSignals();
  const equity = here ? equityOf(account, mine, quoteFor) : account.equity;
  const element = useTint(equity);
  const level = levelText(equity, account.margin);
  return (
    <AccountStrip
      account={account}
      equity={<span ref={element}>{displayMoney(equity)}</span>}
      free={subtract(equity, account.margin)}
      level={level}
      openPositions={mine.filter(({ status }) => status === "open").length}
    >
      <AllMoney {...sums}>
        <MoreFigures account={account} level={level} />
      </AllMoney>
    </AccountStrip>
  );
}

const quoteFor = (symbol: string): Quote | null => quoteOf(symbol).value;

export default island("AccountSummary", AccountSummary, { when: "idle" });
