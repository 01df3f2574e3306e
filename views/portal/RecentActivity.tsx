import { displayMoney } from "../../src/lib/money";
import type { Activity } from "../../src/portal/schema";
import { instantText } from "../ui/instant";
import { Profit } from "../accounts/Profit";
import { Badge, statusTone } from "../ui/Badge";
import { ButtonLink } from "../ui/Button";
import { Panel } from "../ui/Card";
import { Icon, type IconName } from "../ui/Icon";
import { EmptyState } from "../ui/States";

const KINDS: Record<Activity["kind"], { icon: IconName; title: (subject: string) => string; href: string }> = {
  opened: { icon: "candles", title: (subject) => `${subject} opened`, href: "/traders-portal?tab=positions#lists" },
  waiting: { icon: "clock", title: (subject) => `${subject} order waits`, href: "/traders-portal?tab=waiting#lists" },
  closed: { icon: "receipt", title: (subject) => `${subject} closed`, href: "" },
  cancelled: { icon: "receipt", title: (subject) => `${subject} order cancelled`, href: "" },
  margin_call: { icon: "warning", title: (subject) => `Margin call on ${subject}`, href: "/traders-portal?tab=positions#lists" },
  deposit: { icon: "plus", title: (subject) => `Deposit in ${subject}`, href: "/dashboard?tab=requests" },
  withdrawal: { icon: "wallet", title: (subject) => `Withdrawal in ${subject}`, href: "/dashboard?tab=requests" },
  transfer: { icon: "arrowRight", title: (subject) => `Transfer from ${subject}`, href: "/dashboard?tab=transactions" },
};

/** The last things a person did, each leading to where more of it is known. */
export const RecentActivity = ({ activity }: { activity: Activity[] }) => (
  <Panel title="Recent Activity">
    {activity.length === 0 ? (
      <EmptyState icon="clock" title="No recent activity" action={<ButtonLink href="/traders-portal">Open a first trade</ButtonLink>}>
        Trades, deposits, withdrawals and transfers appear here.
      </EmptyState>
    ) : (
      <ul className="-my-2 flex flex-col divide-y divide-line">
        {activity.map((each) => (
          <Line key={`${each.kind} ${each.id} ${each.at}`} {...each} />
        ))}
      </ul>
    )}
  </Panel>
);

function Line({ id, kind, at, subject, amount, profit, status, isDemo }: Activity) {
  const { icon, title, href } = KINDS[kind];
  const asked = kind === "deposit" || kind === "withdrawal";
  return (
    <li className="flex items-center gap-3 py-2.5">
      <Icon name={icon} className="size-5 text-soft" />
      <div className="min-w-0 flex-1">
        <a
          href={kind === "closed" || kind === "cancelled" ? `/positions/${id}/receipt` : href}
          className="block font-medium text-ink no-underline [overflow-wrap:anywhere] hover:underline"
        >
          {title(subject)}
        </a>
        <p className="flex flex-wrap items-center gap-x-2 text-note text-soft">
          <time dateTime={at}>{instantText(at).slice(0, 16)} UTC</time>
          {isDemo ? <Badge tone="warning">Demo</Badge> : null}
          {asked ? (
            <Badge tone={statusTone(status)} className="capitalize">
              {status}
            </Badge>
          ) : null}
        </p>
      </div>
      <span className="text-right">
        {profit === null ? <span className="tabular-nums">{amountText(asked, subject, amount)}</span> : <Profit value={profit} className="font-medium" />}
      </span>
    </li>
  );
}

/** Euro and pound are asked for in themselves, all else in dollars. */
const amountText = (asked: boolean, subject: string, amount: string) =>
  asked && (subject === "EUR" || subject === "GBP") ? `${amount} ${subject}` : displayMoney(amount);
