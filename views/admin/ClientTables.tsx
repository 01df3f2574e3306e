import type { ReactNode } from "react";
import type { TradingAccount } from "../../src/accounts/schema";
import type { Deposit, Transaction, Withdrawal } from "../../src/funding/schema";
import type { Member } from "../../src/identity/schema";
import { countryName } from "../../src/lib/countries";
import { displayMoney, displayPrice } from "../../src/lib/money";
import type { Ticket } from "../../src/support/schema";
import type { ClosedPosition, Position } from "../../src/trading/schema";
import { depositText, METHOD_WORDS, PLACE_WORDS, STATUS_TONES, STATUS_WORDS, TYPE_WORDS, withdrawalText } from "../funding/words";
import { instantText } from "../ui/instant";
import { dealPrice, sideWord } from "../../src/trading/rules_prices";
import { Profit } from "../accounts/Profit";
import { PriorityBadge, StatusBadge } from "../support/TicketBadges";
import { CATEGORY } from "../support/words";
import { groupedText } from "../ui/grouped";
import { Badge } from "../ui/Badge";
import { type AdminColumn, AdminTable, Two } from "../ui/staff/AdminTable";
import { Copyable } from "../../islands/ui/Copyable";

/** The lists of a client's page, as staff read them. */

const At = ({ iso }: { iso: string | null }) =>
  iso === null ? <span className="text-soft">–</span> : <time dateTime={iso}>{instantText(iso).slice(0, 16)}</time>;

/** Everything that is stored of a person beside money. */
export function ProfileFacts({ member: m }: { member: Member }) {
  const facts: [string, ReactNode][] = [
    ["ID", <Copyable key="id" text={m.id} what="ID" />],
    ["Email", m.email],
    ["Registered (UTC)", <At key="at" iso={m.createdAt} />],
    ["Registration", m.registrationReason ? `${m.registrationStatus}: ${m.registrationReason}` : m.registrationStatus],
    ["Approved by", m.approvedBy ?? "–"],
    ["Approved (UTC)", <At key="approved" iso={m.approvedAt} />],
    ["Came", m.registrationSource === "referral" ? `by a referral of ${m.referrer ?? "a person"}` : m.registrationSource],
    ["Referral code", m.referralCode],
    ["Last sign-in (UTC)", <At key="last" iso={m.lastLoginAt} />],
    ["Frozen by its owner", m.frozenAt === null ? "no" : <At key="frozen" iso={m.frozenAt} />],
    ["Country", m.country ? countryName(m.country) : "not known"],
    ["Email verified", m.isEmailVerified ? "yes" : "no"],
    ["Credit score", String(m.creditScore)],
    ["Risk level", m.riskLevel],
    ["Trading experience", m.tradingExperience],
    ["VIP", m.isVip ? "yes" : "no"],
    ["Role", m.role],
    ["Two-factor sign-in", m.twoFactor ? "on" : "off"],
    ["Password fit for staff", m.longPassword ? "yes" : "no, shorter than 12 characters"],
  ];
  return (
    <dl className="grid grid-cols-2 gap-x-8 gap-y-3 xl:grid-cols-4">
      {facts.map(([name, value]) => (
        <div key={name} className="min-w-0">
          <dt className="text-note text-soft">{name}</dt>
          <dd className="text-product [overflow-wrap:anywhere]">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What the list of a client's trading accounts shows of each. */
export const ACCOUNTS: AdminColumn<TradingAccount>[] = [
  {
    key: "account",
    title: "Account",
    lead: true,
    cell: ({ accountType, accountNumber, isDemo }) => (
      <Two
        first={
          <span className="font-medium">
            {accountType} <Badge tone={isDemo ? "secondary" : "default"}>{isDemo ? "Demo" : "Live"}</Badge>
          </span>
        }
        second={accountNumber}
        byEnd
      />
    ),
  },
  {
    key: "status",
    title: "Status",
    cell: ({ status, leverage }) => <Two first={<Badge tone={status === "active" ? "default" : "secondary"}>{status}</Badge>} second={leverage} />,
  },
  { key: "balance", title: "Balance", numeric: true, cell: ({ balance }) => displayMoney(balance) },
  { key: "equity", title: "Equity", numeric: true, cell: ({ equity }) => displayMoney(equity) },
  {
    key: "margin",
    title: "Used margin",
    numeric: true,
    cell: ({ margin, marginLevel }) => <Two first={displayMoney(margin)} second={marginLevel === null ? "" : `level ${displayPrice(marginLevel, 2)}%`} />,
  },
  { key: "free", title: "Free margin", numeric: true, cell: ({ freeMargin }) => displayMoney(freeMargin) },
  { key: "funded", title: "Funded in all", numeric: true, cell: ({ fundedTotal }) => displayMoney(fundedTotal) },
  { key: "opened", title: "Opened (UTC)", cell: ({ createdAt }) => <At iso={createdAt} /> },
];

export const OpenList = ({ rows }: { rows: Position[] }) => (
  <AdminTable
    caption="Open positions and waiting orders, newest first"
    rows={rows}
    rowKey={({ id }) => id}
    columns={[
      deal,
      {
        key: "prices",
        title: "Open and current price",
        numeric: true,
        cell: (p) => <Two first={dealPrice(p.openPrice, p.symbol)} second={dealPrice(p.currentPrice, p.symbol)} />,
      },
      {
        key: "exits",
        title: "Stop and target",
        numeric: true,
        cell: (p) => <Two first={dealPrice(p.stopLoss, p.symbol)} second={dealPrice(p.takeProfit, p.symbol)} />,
      },
      {
        key: "profit",
        title: "Floating result",
        numeric: true,
        cell: ({ profit, status }) => (profit === null || status !== "open" ? status : <Profit value={profit} />),
      },
      { key: "at", title: "Opened (UTC)", cell: ({ openedAt }) => <At iso={openedAt} /> },
    ]}
  />
);

const deal: AdminColumn<Position> = {
  key: "deal",
  title: "Position",
  lead: true,
  cell: ({ id, type, symbol, amount }) => (
    <Two
      first={<span className="font-medium">{`${sideWord(type)} ${symbol} ${displayMoney(amount)}`}</span>}
      second={<Copyable text={id} what="Position ID" />}
    />
  ),
};
const REASONS = { trader: "by the trader", stop_loss: "stop loss", take_profit: "take profit", stop_out: "stop-out", admin: "by an administrator" } as const;

export const ClosedList = ({ rows }: { rows: ClosedPosition[] }) => (
  <AdminTable
    caption="Closed positions, newest first"
    rows={rows}
    rowKey={({ id }) => id}
    columns={[
      deal,
      {
        key: "prices",
        title: "Open and close price",
        numeric: true,
        cell: (p) => <Two first={dealPrice(p.openPrice, p.symbol)} second={dealPrice(p.closePrice, p.symbol)} />,
      },
      { key: "profit", title: "Result", numeric: true, cell: ({ profit }) => (profit === null ? "–" : <Profit value={profit} />) },
      {
        key: "reason",
        title: "Closed",
        roomy: true,
        cell: ({ closeReason, correction }) => (
          <Two first={closeReason ? REASONS[closeReason] : "–"} second={correction ? `${correction.administrator}: ${correction.reason}` : ""} />
        ),
      },
      { key: "at", title: "Closed (UTC)", cell: ({ closedAt }) => <At iso={closedAt} /> },
    ]}
  />
);

export const LedgerList = ({ rows }: { rows: Transaction[] }) => (
  <AdminTable
    caption="Movements of live money, newest first"
    rows={rows}
    rowKey={({ id }) => id}
    columns={[
      {
        key: "type",
        title: "Type",
        lead: true,
        cell: ({ type, status }) => <Two first={<span className="font-medium">{TYPE_WORDS[type]}</span>} second={status === "completed" ? "" : status} />,
      },
      { key: "what", title: "Description", roomy: true, cell: ({ description, account }) => <Two first={groupedText(description)} second={account} /> },
      { key: "amount", title: "Amount", numeric: true, cell: ({ amount }) => displayMoney(amount, { sign: true }) },
      { key: "after", title: "Balance after", numeric: true, cell: ({ balanceAfter }) => displayMoney(balanceAfter) },
      { key: "at", title: "Time (UTC)", cell: ({ createdAt }) => <At iso={createdAt} /> },
    ]}
  />
);

const status = ({ status: state, rejectionReason }: { status: keyof typeof STATUS_WORDS; rejectionReason: string | null }) => (
  <Two first={<Badge tone={state === "pending" ? "warning" : STATUS_TONES[state]}>{STATUS_WORDS[state]}</Badge>} second={rejectionReason ?? ""} />
);

export const DepositList = ({ rows }: { rows: Deposit[] }) => (
  <AdminTable
    caption="Deposits, newest first"
    rows={rows}
    rowKey={({ id }) => id}
    columns={[
      { key: "amount", title: "Amount", lead: true, cell: ({ amount, currency }) => <span className="font-medium">{depositText(amount, currency)}</span> },
      { key: "way", title: "Method", cell: ({ method, network }) => <Two first={METHOD_WORDS[method]} second={network ?? ""} /> },
      {
        key: "credited",
        title: "Credited",
        numeric: true,
        cell: (d) => (
          <Two first={d.credited === null ? "–" : displayMoney(d.credited)} second={d.bonusApplied === "0.00" ? "" : `bonus ${displayMoney(d.bonusApplied)}`} />
        ),
      },
      { key: "status", title: "Status", roomy: true, cell: status },
      { key: "asked", title: "Asked (UTC)", cell: ({ createdAt }) => <At iso={createdAt} /> },
      { key: "done", title: "Decided (UTC)", cell: ({ completedAt }) => <At iso={completedAt} /> },
    ]}
  />
);

export const WithdrawalList = ({ rows }: { rows: Withdrawal[] }) => (
  <AdminTable
    caption="Withdrawals, newest first"
    rows={rows}
    rowKey={({ id }) => id}
    columns={[
      { key: "amount", title: "Amount", lead: true, cell: ({ amount, currency }) => <span className="font-medium">{withdrawalText(amount, currency)}</span> },
      {
        key: "way",
        title: "To",
        roomy: true,
        cell: ({ method, walletAddress }) => <Two first={METHOD_WORDS[method]} second={<Copyable text={walletAddress} what={PLACE_WORDS[method]} />} />,
      },
      { key: "status", title: "Status", roomy: true, cell: status },
      { key: "asked", title: "Asked (UTC)", cell: ({ createdAt }) => <At iso={createdAt} /> },
      { key: "done", title: "Decided (UTC)", cell: ({ processedAt }) => <At iso={processedAt} /> },
    ]}
  />
);

export const TicketList = ({ rows }: { rows: Ticket[] }) => (
  <AdminTable
    caption="Support tickets, newest first"
    rows={rows}
    rowKey={({ id }) => id}
    columns={[
      {
        key: "subject",
        title: "Subject",
        lead: true,
        roomy: true,
        cell: ({ subject, message }) => (
          <Two first={<span className="font-medium">{subject}</span>} second={message.length > 160 ? `${message.slice(0, 160)}…` : message} />
        ),
      },
      { key: "category", title: "Category", cell: ({ category }) => CATEGORY[category] },
      { key: "priority", title: "Priority", cell: ({ priority }) => <PriorityBadge priority={priority} /> },
      { key: "status", title: "Status", cell: ({ status: state }) => <StatusBadge status={state} /> },
      { key: "at", title: "Opened (UTC)", cell: ({ createdAt }) => <At iso={createdAt} /> },
      { key: "answered", title: "Answered (UTC)", cell: ({ respondedAt }) => <At iso={respondedAt} /> },
    ]}
  />
);
