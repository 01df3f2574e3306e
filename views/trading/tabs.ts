import type { Tab } from "../ui/Tabs";

const TABS = [
  { id: "screener", label: "Live Screener" },
  { id: "trading", label: "Trading" },
  { id: "charts", label: "Charts" },
  { id: "positions", label: "Positions" },
  { id: "support", label: "Support" },
] as const;

export type PlatformTab = (typeof TABS)[number]["id"];

/** The tab that an address names; the first one where it names none of them. */
export const platformTabOf = (name: string | null): PlatformTab => TABS.find(({ id }) => id === name)?.id ?? "screener";

export const platformTabs = (openPositions: number): Tab[] => TABS.map((tab) => (tab.id === "positions" ? { ...tab, count: openPositions } : tab));

/** The pairs that the Market Watch always shows. */
export const MARKET_WATCH = ["EUR/USD", "GBP/USD", "USD/JPY", "AUD/USD", "USD/CHF", "USD/CAD"] as const;

/** An address of the trading platform; what is left out is the page's own choice. */
export function platformPath(accountId: string | null, more: { tab?: string; symbol?: string; side?: string; pairs?: string } = {}): string {
  const query = new URLSearchParams();
  if (accountId) query.set("account", accountId);
  for (const [name, value] of Object.entries(more)) if (value) query.set(name, value);
  return query.size ? `/trading?${query.toString().replaceAll("%2F", "/")}` : "/trading";
}
