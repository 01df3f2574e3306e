import type { Waiting } from "../../src/admin/schema";
import type { StaffTab } from "./StaffTabs";

/** `key`: the letter that leads there after `g`. */
const TABS = [
  { id: "today", label: "Today", key: "t" },
  { id: "users", label: "Users", key: "u" },
  { id: "registrations", label: "Registrations", key: "r" },
  { id: "kyc", label: "KYC", key: "k" },
  { id: "deposits", label: "Deposits", key: "d" },
  { id: "withdrawals", label: "Withdrawals", key: "w" },
  { id: "trades", label: "Trade Control", key: "c" },
  { id: "visitors", label: "Visitors", key: "v" },
  { id: "support", label: "Support", key: "s" },
  { id: "audit", label: "Audit Trail", key: "a" },
  { id: "overview", label: "Overview", key: "o" },
  { id: "wallets", label: "Wallets", key: "l" },
  { id: "system", label: "System", key: "y" },
] as const;

export type AdminTab = (typeof TABS)[number]["id"];

/** The tab that an address names; the first one where it names none of them. */
export const adminTabOf = (name: string | null): AdminTab => TABS.find(({ id }) => id === name)?.id ?? "today";
export const adminTabLabel = (tab: AdminTab): string => TABS.find(({ id }) => id === tab)?.label ?? "";
export const adminTabPath = (tab: AdminTab): string => (tab === "registrations" ? "/admin-registrations" : `/admin?tab=${tab}`);

/** Where `g` and a letter lead. */
export const adminTabKeys: readonly { key: string; label: string; href: string }[] = TABS.map(({ id, key, label }) => ({ key, label, href: adminTabPath(id) }));

const countsOf = ({ deposits, withdrawals, registrations, corrections, support, documents }: Waiting): Partial<Record<AdminTab, number>> => ({
  registrations,
  kyc: documents,
  deposits,
  withdrawals,
  trades: corrections,
  support,
});

/** The tabs with what waits behind them. */
export function adminTabs(waiting: Waiting): StaffTab[] {
  const counts = countsOf(waiting);
  return TABS.map(({ id, label }) => {
    const count = counts[id];
    return { id, label, href: adminTabPath(id), ...(count === undefined ? {} : { count }) };
  });
}

/** "(3) Deposits": a page's title, with what waits in its own queue, so that a tab of the browser in the background tells. */
export function adminTitle(title: string, tab: AdminTab | null, waiting: Waiting): string {
  const count = tab && countsOf(waiting)[tab];
  return count ? `(${count}) ${title}` : title;
}
