import { may } from "../../src/lib/may";
import type { Permission } from "../../src/lib/permissions";
import type { StaffTab } from "./StaffTabs";

/** The tabs of a client's page. */
const TABS = [
  { id: "timeline", label: "Timeline", needs: "people.read" },
  { id: "profile", label: "Profile", needs: "people.read" },
  { id: "accounts", label: "Accounts", needs: "people.read" },
  { id: "positions", label: "Positions", needs: "trades.read" },
  { id: "ledger", label: "Ledger", needs: "deposits.read" },
  { id: "deposits", label: "Deposits", needs: "deposits.read" },
  { id: "withdrawals", label: "Withdrawals", needs: "withdrawals.read" },
  { id: "tickets", label: "Tickets", needs: "support.read" },
  { id: "letters", label: "Letters", needs: "letters.read" },
  { id: "sessions", label: "Sessions", needs: "people.read" },
  { id: "audit", label: "Audit", needs: "audit.read" },
  { id: "notes", label: "Notes", needs: "people.read" },
] as const satisfies { id: string; label: string; needs: Permission }[];

export type ClientTab = (typeof TABS)[number]["id"];
export const clientTabOf = (name: string | null): ClientTab => TABS.find(({ id }) => id === name)?.id ?? "timeline";
export const clientTabLabel = (tab: ClientTab): string => TABS.find(({ id }) => id === tab)?.label ?? "";
export const clientPath = (id: string): string => `/admin/users/${id}`;
export const clientTabNeeds = (tab: ClientTab): Permission => TABS.find(({ id }) => id === tab)?.needs ?? "people.read";
/** Those that the page's reader sees. */
export const clientTabs = (id: string): StaffTab[] =>
  TABS.filter(({ needs }) => may(needs)).map((tab) => ({ id: tab.id, label: tab.label, href: clientAt(id, tab.id) }));
/** A tab of a client's page, as lists name it. */
export const clientAt = (id: string, tab: ClientTab): string => `${clientPath(id)}?tab=${tab}`;
