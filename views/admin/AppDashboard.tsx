import type { Stats } from "../../src/admin/schema_app";
import { displayMoney } from "../../src/lib/money";
import { waitOf } from "../ui/staff/waits";
import { Panel } from "../ui/Card";
import { Delta } from "../ui/Price";
import { Stat } from "../ui/Stat";
import { EmptyState } from "../ui/States";

/** The day in four figures, and what people did last. */
export const AppDashboard = ({ totalUsers, todayRevenue, activeSessions, openTrades, recentActivity, now }: Stats & { now: number }) => (
  <div className="flex flex-col gap-4">
    <div className="grid grid-cols-2 gap-x-6 gap-y-5 rounded-card border border-line bg-surface p-4 md:grid-cols-[repeat(4,auto)]">
      <Stat label="Total Users">{totalUsers.toLocaleString("en-US")}</Stat>
      <Stat label="Today Revenue" note="live accounts, since midnight UTC">
        {todayRevenue === "0.00" ? displayMoney(todayRevenue) : <Delta value={displayMoney(todayRevenue)} className="" />}
      </Stat>
      <Stat label="Active Sessions" note="used within 15 minutes">
        {activeSessions.toLocaleString("en-US")}
      </Stat>
      <Stat label="Open Trades">{openTrades.toLocaleString("en-US")}</Stat>
    </div>
    <Panel title="Recent Activity">
      {recentActivity.length === 0 ? (
        <EmptyState icon="clock" title="Nothing happened yet">
          Registrations, requests and trades appear here as they come.
        </EmptyState>
      ) : (
        <ul className="-my-2 flex flex-col divide-y divide-line">
          {recentActivity.map(({ action, user, timestamp }, n) => (
            <li key={`${timestamp} ${n}`} className="flex items-baseline justify-between gap-4 py-2.5">
              <span className="min-w-0">
                <span className="font-medium">{action}</span>
                {user ? <span className="text-soft [overflow-wrap:anywhere]"> · {user}</span> : null}
              </span>
              <time dateTime={timestamp} className="shrink-0 text-note text-soft">
                {waitOf(timestamp, now).text}
              </time>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  </div>
);
