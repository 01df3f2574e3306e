import type { ReactNode } from "react";
import AdminClient from "../../islands/admin/AdminClient";
import type { Member } from "../../src/identity/schema";
import type { RoleRequest } from "../../src/identity/schema_roles";
import { Icon } from "../ui/Icon";
import { TabPanel } from "../ui/Tabs";
import { type ClientTab, clientTabs } from "./client_tabs";
import { StaffTabs } from "./StaffTabs";

type Props = { member: Member; me: string; roleRequests: RoleRequest[]; tab: ClientTab; children: ReactNode };

/** All that staff know of one person, a tab at a time. */
export const ClientPage = ({ member, me, roleRequests, tab, children }: Props) => (
  <TabPanel id="users" className="flex w-full flex-col gap-2 px-4 !py-2 md:px-6">
    <a
      href="/admin?tab=users"
      className="inline-flex min-h-11 items-center gap-1 self-start text-product text-accent underline-offset-4 hover:underline md:min-h-8"
    >
      <Icon name="arrowLeft" className="size-4" />
      All users
    </a>
    <AdminClient member={member} me={me} roleRequests={roleRequests} />
    <StaffTabs label="Client" tabs={clientTabs(member.id)} current={tab} prefix="client-" />
    <TabPanel id={`client-${tab}`} className="!py-1">
      {children}
    </TabPanel>
  </TabPanel>
);
