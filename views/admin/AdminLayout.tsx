import type { ReactNode } from "react";
import AdminBell from "../../islands/AdminBell";
import AdminHeader from "../../islands/AdminHeader";
import type { Waiting } from "../../src/admin/schema";
import { AppPromo } from "../admin_app/AppPromo";
import { TabPanel } from "../ui/Tabs";
import type { AdminTab } from "./tabs";

/** The frame of the control panel: the whole width, little air, the decision in sight. */
export function AdminLayout({ tab, waiting, children }: { tab: AdminTab; waiting: Waiting; children: ReactNode }) {
  return (
    <div className="flex w-full flex-col px-4 py-3 md:px-6">
      <div className="relative">
        <AdminHeader tab={tab} waiting={waiting} />
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
