import { useSignals } from "@preact/signals-react/runtime";
import type { ReactNode } from "react";
import type { Financials, TradingAccount } from "../../src/accounts/schema";
import { displayMoney } from "../../src/lib/money";
import { Profit } from "../../views/accounts/Profit";
import { creditWord, type Standing, statusWord } from "../../views/identity/standing";
import { titled } from "../../views/ui/titled";
import { Badge } from "../../views/ui/Badge";
import { Panel } from "../../views/ui/Card";
import { MoneyActions } from "../funding/QuickActions";
import { TransferForm } from "../funding/TransferForm";
import { financials } from "../runtime/trading_store";

const TIPS = [
  "Risk on one trade only what you can lose without regret; one or two per cent of the balance is a common measure.",
  "Set a stop loss when you open a position. A gap can pass it, but most days it holds.",
  "Leverage multiplies losses as it does gains: a smaller amount is the simplest protection.",
  "Keep free margin. Below a margin level of 50% positions are closed for you, the largest loss first.",
];

type Props = { financials: Financials; accounts: TradingAccount[]; standing: Standing };

/** The portal's own page of a person: who, how much, and the ways to move it. */
export default function ProfileDashboard({ financials: first, accounts, standing }: Props) {
  useSignals();
  const status = statusWord(standing);
  const money = financials.value ?? first;
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-4">
        <Panel title="Profile">
          <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
            <Fact name="Name">{`${money.firstName} ${money.lastName}`}</Fact>
            <Fact name="Email">{money.email}</Fact>
            <Fact name="Account Balance">{displayMoney(money.accountBalance)}</Fact>
            <Fact name="Trading Balance">{displayMoney(money.tradingBalance)}</Fact>
            <Fact name="Total Profit">
              <Profit value={money.totalProfit} />
            </Fact>
            <Fact name="Credit Score">
              {standing.creditScore} <span className="font-normal text-soft">{creditWord(standing.creditScore)}</span>
            </Fact>
            <Fact name="Risk Level">{titled(standing.riskLevel)}</Fact>
            <Fact name="Trading Experience">{titled(standing.tradingExperience)}</Fact>
            <Fact name="Account Status">
              <Badge tone={status.good ? "gain" : "warning"}>{status.word}</Badge>
            </Fact>
          </dl>
        </Panel>
        <Panel title="Risk tips">
          <ul className="flex list-disc flex-col gap-2 pl-5 text-soft">
            {TIPS.map((tip) => (
              <li key={tip}>{tip}</li>
            ))}
          </ul>
        </Panel>
      </div>
      <div className="flex min-w-0 flex-col gap-4">
        <Panel title="Balance Management">
          <div className="flex flex-wrap gap-2">
            <MoneyActions balance={first.accountBalance} />
          </div>
        </Panel>
        <TransferForm balance={first.accountBalance} accounts={accounts} />
      </div>
    </div>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-table text-soft">{name}</dt>
    <dd className="font-medium tabular-nums [overflow-wrap:anywhere]">{children}</dd>
  </div>
);
