import type { Realtime } from "../../src/admin/schema_app";
import { classes } from "../ui/classes";
import { appPath } from "./app_tabs";

/** The figures at the app's head that the reader may see; each leads to what it counts. Colour only where something waits. */
export const AppStrip = ({ onlineVisitors, pendingDeposits, alerts }: Realtime) => (
  <dl aria-label="Now" className="grid auto-cols-fr grid-flow-col divide-x divide-line rounded-card border border-line bg-surface">
    {onlineVisitors === null ? null : <Figure label="Online visitors" value={onlineVisitors} href={appPath("visitors")} />}
    {pendingDeposits === null ? null : <Figure label="Pending deposits" value={pendingDeposits} href={appPath("deposits")} waits={pendingDeposits > 0} />}
    <Figure label="Alerts" value={alerts} href={appPath("dashboard")} waits={alerts > 0} />
  </dl>
);

const Figure = ({ label, value, href, waits = false }: { label: string; value: number; href: string; waits?: boolean }) => (
  <div className="relative flex flex-col-reverse justify-end px-3 py-2.5 hover:bg-sunken md:px-4">
    <dt className="text-note text-soft">
      <a href={href} className="text-soft no-underline after:absolute after:inset-0 after:content-empty">
        {label}
      </a>
    </dt>
    <dd className={classes("text-[1.375rem] font-semibold leading-7 tabular-nums", waits && "text-warn")}>{value.toLocaleString("en-US")}</dd>
  </div>
);
