import type { StaffTab } from "./StaffTabs";

/** The tabs of a client's page. */
const TABS = [
  { id: "timeline", label: "Timeline" },
  { id: "profile", label: "Profile" },
  { id: "accounts", label: "Accounts" },
  { id: "positions", label: "Positions" },
  { id: "ledger", label: "Ledger" },
  { id: "deposits", label: "Deposits" },
  { id: "withdrawals", label: "Withdrawals" },
  { id: "tickets", label: "Tickets" },
  { id: "letters", label: "Letters" },
  { id: "sessions", label: "Sessions" },
  { id: "audit", label: "Audit" },
  { id: "notes", label: "Notes" },
] as const;

export type ClientTab = (typeof TABS)[number]["id"];
export const clientTabOf = (name: string | null): ClientTab => TABS.find(({ id }) => id === name)?.id ?? "timeline";
export const clientTabLabel = (tab: ClientTab): string => TABS.find(({ id }) => id === tab)?.label ?? "";
export const clientPath = (id: string): string => `/admin/users/${id}`;
export const clientTabs = (id: string): StaffTab[] => TABS.map((tab) => ({ ...tab, href: clientAt(id, tab.id) }));
/** A tab of a client's page, as lists name it. */
export const clientAt = (id: string, tab: ClientTab): string => `${clientPath(id)}?tab=${tab}`;
