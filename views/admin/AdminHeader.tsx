import type { Waiting } from "../../src/admin/schema";
import { StaffTabs } from "./StaffTabs";
import { type AdminTab, adminTabs } from "./tabs";

/** The panel's tabs, and how much waits behind each. */
export const AdminHeader = ({ tab, waiting }: { tab: AdminTab | null; waiting: Waiting }) => (
  <StaffTabs label="Control Panel" tabs={adminTabs(waiting)} current={tab} />
);
