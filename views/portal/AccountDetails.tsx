import AccountCare from "../../islands/accounts/AccountCare";
import AccountMoney from "../../islands/accounts/AccountMoney";
import Positions from "../../islands/trading/Positions";
import SpreadList from "../../islands/trading/SpreadList";
import type { TradingAccount } from "../../src/accounts/schema";
import { displayMoney } from "../../src/lib/money";
import { pipsText } from "../../src/lib/quote_text";
import type { AccountResult } from "../../src/portal/schema";
import type { Position } from "../../src/trading/schema";
import type { PairSpread } from "../../src/trading/schema_spreads";
import { statementPath } from "../funding/months";
import { accountName } from "../accounts/account_name";
import { Mode } from "../accounts/AccountSwitcher";
import { dateText, instantText } from "../ui/instant";
import { Badge, statusTone } from "../ui/Badge";
import { ButtonLink } from "../ui/Button";
import { Panel } from "../ui/Card";
import { Icon } from "../ui/Icon";
import { Fact, Facts } from "../accounts/Facts";

export type DetailsProps = {
  account: TradingAccount;
  result: AccountResult;
  /** This account's. */
  positions: Position[];
  spreads: PairSpread[];
  /** The current month, "2026-11". */
  month: string;
};

/** All there is to know of one account, and what its owner can do with it. */
export function AccountDetails({ account, result, positions, spreads, month }: DetailsProps) {
  const active = account.status === "active";
  return (
    <section aria-labelledby="account-details" className="flex flex-col gap-4">
      <a href="/accounts" className="inline-flex min-h-11 items-center gap-1.5 self-start text-accent no-underline hover:underline">
        <Icon name="arrowLeft" className="size-4" />
        All accounts
      </a>
      <div className="flex flex-wrap items-center justify-between gap-4">
        <div className="flex min-w-0 flex-wrap items-center gap-2">
          <h2 id="account-details" className="text-heading font-semibold [overflow-wrap:anywhere]">
            {accountName(account)}
          </h2>
          <Mode demo={account.isDemo} />
          <Badge tone={statusTone(account.status)} className="capitalize">
            {account.status}
          </Badge>
        </div>
        <div className="flex flex-wrap gap-2">
          {active ? <ButtonLink href={`/trading?account=${account.id}`}>Trade</ButtonLink> : null}
          {active && !account.isDemo ? (
            <ButtonLink href="/profile#transfer" variant="secondary">
              Transfer
            </ButtonLink>
          ) : null}
          {account.isDemo ? null : (
            <ButtonLink href={statementPath(account.id, month)} variant="secondary">
              Statement
            </ButtonLink>
          )}
        </div>
      </div>
      <div className="grid items-start gap-4 lg:grid-cols-3">
        <Panel title="Money">
          <AccountMoney account={account} positions={positions} result={result} />
        </Panel>
        <Panel title="Account">
          <Facts>
            <Fact name="Number">{account.accountNumber}</Fact>
            <Fact name="Account ID">
              <span className="font-mono text-note">{account.id}</span>
            </Fact>
            <Fact name="Type">{account.accountType}</Fact>
            <Fact name="Leverage">{account.leverage}</Fact>
            <Fact name="Spreads from">
              <a href="#spreads" className="text-accent underline underline-offset-2">
                {pipsText(leastOf(spreads) ?? account.spreadsFrom)}
              </a>
            </Fact>
            {account.isDemo ? null : (
              <Fact name="Moved in, of the minimum">{`${displayMoney(account.fundedTotal)} of ${displayMoney(account.minimumDeposit)}`}</Fact>
            )}
            <Fact name="Created">{dateText(account.createdAt)}</Fact>
            <Fact name="Last update">{dateText(account.updatedAt)}</Fact>
            <Fact name="Last traded">{account.lastTradedAt ? `${instantText(account.lastTradedAt).slice(0, 16)} UTC` : "Never"}</Fact>
          </Facts>
        </Panel>
        {active ? (
          <Panel title="Manage">
            <AccountCare account={account} positions={positions} />
            <noscript>
              <p className="text-soft">Naming, resetting and closing need JavaScript.</p>
            </noscript>
          </Panel>
        ) : null}
      </div>
      {active ? (
        <Panel title="Open positions">
          <Positions positions={positions} accounts={[account]} accountId={account.id} />
        </Panel>
      ) : null}
      <Panel title="Spreads" id="spreads">
        <p className="mb-3 text-soft">
          {`What a pair costs to deal in this account: where the market’s own spread is wider, that one, unless yours is fixed. A coin’s is the market’s. By the terms of ${account.accountType}${account.version ? `, version ${account.version}` : ""}.`}
        </p>
        <SpreadList account={account} spreads={spreads} />
      </Panel>
    </section>
  );
}

/** The narrowest. */
const leastOf = (spreads: PairSpread[]) => spreads.map(({ pips }) => pips).sort((a, b) => Number(a) - Number(b))[0];
