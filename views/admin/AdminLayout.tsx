import type { ReactNode } from "react";
import { AppPromo } from "./AppPromo";
import { TabPanel } from "../ui/Tabs";
import { type AdminTab, adminTabLabel } from "./tabs";

/** A tab of the control panel: the whole width, little air, the decision in sight. */
export const AdminLayout = ({ tab, children }: { tab: AdminTab; children: ReactNode }) => (
  <div className="flex w-full flex-col px-4 md:px-6">
    <h1 className="sr-only">{`Control Panel: ${adminTabLabel(tab)}`}</h1>
    <TabPanel id={tab} className="!py-1">
      {children}
    </TabPanel>
    <AppPromo />
  </div>
);
