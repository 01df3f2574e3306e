import type { ReactNode } from "react";
import AdminHeader from "../../islands/AdminHeader";
import type { Waiting } from "../../src/admin/schema";
import { TabPanel } from "../ui/Tabs";
import type { AdminTab } from "./tabs";

/** The frame of the control panel: the whole width, little air, the decision in sight. */
export function AdminLayout({ tab, waiting, children }: { tab: AdminTab; waiting: Waiting; children: ReactNode }) {
  return (
    <div className="flex w-full flex-col px-4 py-3 md:px-6">
      <AdminHeader tab={tab} waiting={waiting} />
      <TabPanel id={tab} className="pt-3">
        {children}
      </TabPanel>
    </div>
  );
}
