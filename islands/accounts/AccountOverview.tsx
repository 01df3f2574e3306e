import { useSignals } from "@preact/signals-react/runtime";
import type { TradingAccount } from "../../src/accounts/schema";
import { displayMoney, subtract, sum } from "../../src/lib/money";
import type { Position } from "../../src/trading/schema";
import { equityOf, standingOf } from "../../src/trading/rules_prices";
import { Profit } from "../../views/accounts/Profit";
import { Panel } from "../../views/ui/Card";
import { accounts, positions, quoteOf, useTradingStore } from "../runtime/trading_store";
import { island } from "../runtime/island";
import { useTint } from "../runtime/live";

type Props = { accountId: string; accounts: TradingAccount[]; positions: Position[] };

/** The chosen account as its open positions float. */
export function AccountOverview({ accountId, accounts: firstAccounts, positions: firstPositions }: Props) {
  useSignals();
  const here = useTradingStore({ accounts: firstAccounts, positions: firstPositions });
  const account = ((here && accounts.value) || firstAccounts).find(({ id }) => id === accountId);
  const open = ((here && positions.value) || firstPositions).filter((position) => position.accountId === accountId);
  const quoteFor = (symbol: string) => (here ? quoteOf(symbol).value : null);
  const floating = sum(open.map((position) => standingOf(position, account, quoteFor(position.symbol)).profit ?? "0.00"));
  const equity = account ? equityOf(account, open, quoteFor) : null;
  const element = useTint(equity);
  if (!account || equity === null) return <></>;
  return (
    <Panel title="Account Overview">
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 [&_dd]:text-right [&_dd]:font-medium [&_dd]:tabular-nums [&_dt]:text-soft">
        <dt>Balance</dt>
        <dd>{displayMoney(account.balance)}</dd>
        <dt>Equity</dt>
        <dd>
          <span ref={element} className="rounded-sm">
            {displayMoney(equity)}
          </span>
        </dd>
        <dt>P&L</dt>
        <dd>
          <Profit value={floating} />
        </dd>
        <dt>Used margin</dt>
        <dd>{displayMoney(account.margin)}</dd>
        <dt>Free margin</dt>
        <dd>{displayMoney(subtract(equity, account.margin))}</dd>
      </dl>
      <p className="mt-3 text-note text-soft">P&L is what the open positions would bring now.</p>
    </Panel>
  );
}

export default island("AccountOverview", AccountOverview);
