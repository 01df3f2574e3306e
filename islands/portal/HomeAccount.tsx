import { useSignals } from "@preact/signals-react/runtime";
import type { TradingAccount } from "../../src/accounts/schema";
import { displayMoney } from "../../src/lib/money";
import type { Position } from "../../src/trading/schema";
import { accountName } from "../../views/accounts/account_name";
import { Mode } from "../../views/accounts/AccountSwitcher";
import { equityOf } from "../../src/trading/rules_prices";
import { Badge, statusTone } from "../../views/ui/Badge";
import { ButtonLink } from "../../views/ui/Button";
import { Panel } from "../../views/ui/Card";
import { EmptyState } from "../../views/ui/States";
import { accounts, positions, quoteOf, useTradingStore } from "../runtime/trading_store";
import { island } from "../runtime/island";
import { useTint } from "../runtime/live";

type Props = { /** All of the person's; the one last traded on first. */ accounts: TradingAccount[]; positions: Position[] };

/** The account that orders go to, its equity as its positions float; the next one when it is closed. */
export function HomeAccount({ accounts: firstAccounts, positions: firstPositions }: Props) {
  useSignals();
  const here = useTradingStore({ accounts: firstAccounts, positions: firstPositions });
  const account = ((here && accounts.value) || firstAccounts).find(({ status }) => status === "active");
  const open = ((here && positions.value) || firstPositions).filter((position) => position.accountId === account?.id);
  const equity = account && (here ? equityOf(account, open, (symbol) => quoteOf(symbol).value) : account.equity);
  const element = useTint(equity ?? null);
  return (
    <Panel
      title="Account Information"
      action={
        <a href="/accounts" className="inline-flex min-h-11 items-center text-table text-accent no-underline hover:underline">
          All accounts
        </a>
      }
    >
      {account && equity ? (
        <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 [&_dd]:text-right [&_dd]:font-medium [&_dt]:text-soft">
          <dt>Account</dt>
          <dd className="[overflow-wrap:anywhere]">{accountName(account)}</dd>
          <dt>Number</dt>
          <dd className="text-table [overflow-wrap:anywhere]">{account.accountNumber}</dd>
          <dt>Account type</dt>
          <dd>
            <Mode demo={account.isDemo} />
          </dd>
          <dt>Leverage</dt>
          <dd>{account.leverage}</dd>
          <dt>Status</dt>
          <dd>
            <Badge tone={statusTone(account.status)} className="capitalize">
              {account.status === "active" ? "Active" : account.status}
            </Badge>
          </dd>
          <dt>Balance</dt>
          <dd className="tabular-nums">{displayMoney(account.balance)}</dd>
          <dt>Equity</dt>
          <dd className="tabular-nums">
            <span ref={element} className="rounded-sm">
              {displayMoney(equity)}
            </span>
          </dd>
          <dt>Open positions</dt>
          <dd className="tabular-nums">{open.filter(({ status }) => status === "open").length}</dd>
        </dl>
      ) : (
        <EmptyState icon="wallet" title="You have no trading account" action={<ButtonLink href="/accounts/create">Create an account</ButtonLink>}>
          A demo account comes with $10,000 of virtual money.
        </EmptyState>
      )}
    </Panel>
  );
}

export default island("HomeAccount", HomeAccount, { when: "idle" });
