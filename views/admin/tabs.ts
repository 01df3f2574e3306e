import type { Waiting } from "../../src/admin/schema";
import { may } from "../../src/lib/may";
import { type Entitled, mayDo, type Permission } from "../../src/lib/permissions";
import { settingsNeeds } from "./settings_parts";
import type { StaffTab } from "./StaffTabs";

/** `key`: the letter that leads there after `g`; `needs`: what its reader must be allowed to see. */
const TABS = [
  { id: "today", label: "Today", key: "t", needs: "overview.read" },
  { id: "users", label: "Users", key: "u", needs: "people.read" },
  { id: "registrations", label: "Registrations", key: "r", needs: "people.read" },
  { id: "kyc", label: "KYC", key: "k", needs: "kyc.read" },
  { id: "deposits", label: "Deposits", key: "d", needs: "deposits.read" },
  { id: "withdrawals", label: "Withdrawals", key: "w", needs: "withdrawals.read" },
  { id: "trades", label: "Trade Control", key: "c", needs: "trades.read" },
  { id: "visitors", label: "Visitors", key: "v", needs: "visitors.read" },
  { id: "support", label: "Support", key: "s", needs: "support.read" },
  { id: "audit", label: "Audit Trail", key: "a", needs: "audit.read" },
  { id: "overview", label: "Overview", key: "o", needs: "overview.read" },
  { id: "wallets", label: "Wallets", key: "l", needs: "wallets.read" },
  { id: "settings", label: "Settings", key: "e", needs: settingsNeeds },
  { id: "system", label: "System", key: "y", needs: "system.read" },
] as const satisfies { id: string; label: string; key: string; needs: Permission | readonly Permission[] }[];
/** What of a tab one must be allowed to see; of several one is enough. */
const needsOf = (tab: AdminTab): readonly Permission[] => {
  const needs: Permission | readonly Permission[] = TABS.find(({ id }) => id === tab)?.needs ?? "panel.read";
  return typeof needs === "string" ? [needs] : needs;
};
export const seesTab = (who: Entitled, tab: AdminTab): boolean => needsOf(tab).some((permission) => mayDo(who, permission));
/** Where one begins who does not see the first tab. */
const BEGINS: readonly AdminTab[] = ["today", "support", "deposits", "trades", "kyc"];

export type AdminTab = (typeof TABS)[number]["id"];

/** The tab that an address names; where it names none, the one where its reader begins. */
export const adminTabOf = (name: string | null, who: Entitled): AdminTab =>
  TABS.find(({ id }) => id === name)?.id ?? BEGINS.find((tab) => seesTab(who, tab)) ?? TABS.find(({ id: tab }) => seesTab(who, tab))?.id ?? "today";
export const adminTabNeeds = (tab: AdminTab): Permission => needsOf(tab)[0] ?? "panel.read";
export const adminTabLabel = (tab: AdminTab): string => TABS.find(({ id }) => id === tab)?.label ?? "";
export const adminTabPath = (tab: AdminTab): string => (tab === "registrations" ? "/admin-registrations" : `/admin?tab=${tab}`);

/** The tabs that the page's reader sees. */
const seen = () => TABS.filter(({ id }) => needsOf(id).some(may));
/** Where `g` and a letter lead. */
export const adminTabKeys = (): { key: string; label: string; href: string }[] => seen().map(({ id, key, label }) => ({ key, label, href: adminTabPath(id) }));

const countsOf = ({ deposits, withdrawals, registrations, corrections, support, documents, signatures }: Waiting): Partial<Record<AdminTab, number>> => ({
  registrations,
  kyc: documents,
  deposits,
  withdrawals,
  trades: corrections,
  support,
  settings: signatures,
});

/** The tabs that the page's reader sees, with what waits behind them; no number is nothing: fourteen of them just fit a desk's row. */
export function adminTabs(waiting: Waiting): StaffTab[] {
  const counts = countsOf(waiting);
  return seen().map(({ id, label }) => {
    const count = counts[id];
    return { id, label, href: adminTabPath(id), ...(count ? { count } : {}) };
  });
}

/** "(3) Deposits": a page's title, with what waits in its own queue, so that a tab of the browser in the background tells. */
export function adminTitle(title: string, tab: AdminTab | null, waiting: Waiting): string {
  const count = tab && countsOf(waiting)[tab];
  return count ? `(${count}) ${title}` : title;
}
