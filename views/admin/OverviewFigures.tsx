import type { Overview } from "../../src/admin/schema";
import { displayMoney } from "../../src/lib/money";
import { Card } from "../ui/Card";
import { classes } from "../ui/classes";

const counted = (count: number) => count.toLocaleString("en-US");

/** What there is at this moment, and what of it waits. */
export const OverviewFigures = ({ overview: o }: { overview: Overview }) => (
  <Card label="At this moment" className="grid grid-cols-2 gap-x-6 gap-y-4 p-4 lg:grid-cols-4 xl:grid-cols-5">
    <Figure href="/admin?tab=users" label="Users" value={counted(o.users)} />
    <Figure href="/admin?tab=deposits" label="Pending Deposits" value={counted(o.pendingDeposits)} waits={o.pendingDeposits > 0} />
    <Figure
      href="/admin?tab=withdrawals"
      label="Pending Withdrawals"
      value={counted(o.pendingWithdrawals)}
      note={`${displayMoney(o.withdrawalsHeld)} held`}
      waits={o.pendingWithdrawals > 0}
    />
    <Figure
      href="/admin?tab=trades"
      label="Open Positions"
      value={counted(o.openLive + o.openDemo)}
      note={`${counted(o.openLive)} live, ${counted(o.openDemo)} demo`}
    />
    <Figure wide label="Clients' money" value={displayMoney(o.clientMoney)} note="wallets, holds and live accounts" />
  </Card>
);

type FigureProps = {
  label: string;
  value: string;
  note?: string;
  href?: string;
  /** What is counted waits for staff. */
  waits?: boolean;
  /** A long sum: both columns of a phone. */
  wide?: boolean;
};
function Figure({ label, value, note, href, waits, wide }: FigureProps) {
  const name = <span className="block text-table text-soft">{label}</span>;
  return (
    <div role="group" aria-label={label} className={classes("flex min-w-0 flex-col", wide && "max-sm:col-span-2")}>
      {href ? (
        <a href={href} className="self-start leading-5 underline-offset-4 hover:underline">
          {name}
        </a>
      ) : (
        name
      )}
      <span className={classes("text-heading font-semibold tabular-nums [overflow-wrap:anywhere]", waits && "text-warn")}>{value}</span>
      {note ? <span className="text-note text-soft">{note}</span> : null}
    </div>
  );
}
