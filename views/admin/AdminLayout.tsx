import type { ReactNode } from "react";
import AdminBell from "../../islands/notifications/AdminBell";
import AdminHeader from "../../islands/admin/AdminHeader";
import type { Waiting } from "../../src/admin/schema";
import { AppPromo } from "./AppPromo";
import { TabPanel } from "../ui/Tabs";
import type { AdminTab } from "./tabs";

type Props = { tab: AdminTab; waiting: Waiting; nameShared: boolean; children: ReactNode };

/** The frame of the control panel: the whole width, little air, the decision in sight. */
export function AdminLayout({ tab, waiting, nameShared, children }: Props) {
  return (
    <div className="flex w-full flex-col px-4 py-3 md:px-6">
      <div className="relative">
        <AdminHeader tab={tab} waiting={waiting} nameShared={nameShared} />
        <div className="absolute right-0 top-0">
          <AdminBell at="panel" />
        </div>
      </div>
      <TabPanel id={tab} className="pt-3">
        {children}
      </TabPanel>
      <AppPromo />
    </div>
  );
}
