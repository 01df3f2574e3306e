import type { Waiting } from "../../src/admin/schema";
import { classes } from "../ui/classes";
import { Icon } from "../ui/Icon";
import { Tabs } from "../ui/Tabs";
import { type AdminTab, adminTabs } from "./tabs";

/** The panel's head: its tabs, and how much waits behind each. Colour stands only where something does. */
export function AdminHeader({ tab, waiting }: { tab: AdminTab; waiting: Waiting }) {
  const { registrations } = waiting;
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-x-4 pr-12">
        <h1 className="text-heading font-semibold">Control Panel</h1>
        <a href="/admin-registrations" className="inline-flex min-h-11 items-center gap-2 text-product text-accent underline-offset-4 hover:underline">
          Pending registrations
          <span
            className={classes("rounded-full px-2 text-note tabular-nums no-underline", registrations > 0 ? "bg-warn-soft text-warn" : "bg-sunken text-soft")}
          >
            {registrations}
          </span>
          <Icon name="chevronRight" className="size-4" />
        </a>
      </div>
      <Tabs label="Control Panel" tabs={adminTabs(waiting)} current={tab} path="/admin" />
    </div>
  );
}
