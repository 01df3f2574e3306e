import ReferralLink from "../../islands/funding/ReferralLink";
import type { Referral, Referrals } from "../../src/funding/schema";
import { displayMoney } from "../../src/lib/money";
import { bonusTerms } from "./promotion_words";
import { dateText } from "../ui/instant";
import { Badge } from "../ui/Badge";
import { Panel } from "../ui/Card";
import { type Column, Table } from "../ui/Table";

const COLUMNS: Column<Referral>[] = [
  { key: "name", title: "Person", lead: true, cell: ({ name }) => <span className="[overflow-wrap:anywhere]">{name}</span> },
  { key: "since", title: "Registered", cell: ({ createdAt }) => dateText(createdAt) },
  {
    key: "status",
    title: "Status",
    cell: ({ status }) => <Badge tone={status === "paid" ? "default" : "secondary"}>{status === "paid" ? "Paid" : "Pending"}</Badge>,
  },
  { key: "bonus", title: "Bonus", numeric: true, cell: ({ status, bonusAmount }) => (status === "paid" ? displayMoney(bonusAmount) : "–") },
];

/** The referral programme: one's code and link, who came by it, and what was paid. */
export function ReferralCard({ referrals: { code, bonus, minimumDeposit, turnover, earned, referrals }, link }: { referrals: Referrals; link: string }) {
  return (
    <Panel title="Referrals" id="referrals">
      <div className="flex flex-col gap-4">
        <p className="text-soft">
          {bonus
            ? `You receive ${displayMoney(bonus)} for each person who registers with your code, when their first deposit of ${displayMoney(minimumDeposit ?? "0.00")} or more is approved.${bonusTerms({ turnover: turnover ?? 0 })}`
            : "There is no bonus for referrals at the moment."}
        </p>
        <ReferralLink link={link} />
        <p>
          Your code: <strong className="font-mono font-semibold">{code}</strong>
          <span className="text-soft">. Earned so far: </span>
          <strong className="font-semibold tabular-nums">{displayMoney(earned)}</strong>
        </p>
        {referrals.length ? (
          <Table caption="People whom you referred, newest first" columns={COLUMNS} rows={referrals} rowKey={({ createdAt, name }) => `${createdAt} ${name}`} />
        ) : (
          <p className="text-soft">Nobody has registered with your code yet. Share the link above.</p>
        )}
      </div>
    </Panel>
  );
}
