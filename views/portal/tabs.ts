import type { Tab } from "../ui/Tabs";

const TABS = [
  { id: "forex", label: "Forex Watchlist" },
  { id: "crypto", label: "Cryptocurrency" },
  { id: "positions", label: "Open Positions" },
  { id: "history", label: "Trade History" },
  { id: "profile", label: "Profile Dashboard" },
  { id: "support", label: "Support" },
  { id: "lists", label: "My Watchlists" },
] as const;

export type PortalTab = (typeof TABS)[number]["id"];

/** The tab that an address names; the first one where it names none of them. */
export const tabOf = (name: string | null): PortalTab => TABS.find(({ id }) => id === name)?.id ?? "forex";

export const portalTabs = (openPositions: number): Tab[] => TABS.map((tab) => (tab.id === "positions" ? { ...tab, count: openPositions } : tab));
