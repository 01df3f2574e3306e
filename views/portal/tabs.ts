import type { Tab } from "../ui/Tabs";

const TABS = [
  { id: "forex", label: "Forex Watchlist" },
  { id: "crypto", label: "Cryptocurrency" },
  { id: "positions", label: "Open Positions" },
  { id: "history", label: "Trade History" },
  { id: "profile", label: "Profile Dashboard" },
  { id: "support", label: "Support" },
  { id: "lists", label: "My Watchlists" },
  { id: "waiting", label: "Waiting Orders" },
] as const;

export type PortalTab = (typeof TABS)[number]["id"];

/** The tab that an address names; null where it names none of them. */
export const namedTab = (name: string | null): PortalTab | null => TABS.find(({ id }) => id === name)?.id ?? null;

/** At a workstation these stand beside the chart, all others below it. */
export const SIDE: readonly PortalTab[] = ["forex", "crypto", "lists"];
export const FOOT: readonly PortalTab[] = ["positions", "waiting", "history", "profile", "support"];

export const portalTabs = (openPositions: number): Tab[] => TABS.map((tab) => (tab.id === "positions" ? { ...tab, count: openPositions } : tab));
