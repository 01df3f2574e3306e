import type { IconName } from "../ui/Icon";

/** The app's menu. */
export const APP_TABS = [
  { id: "dashboard", label: "Dashboard", icon: "gauge" },
  { id: "visitors", label: "Visitors", icon: "globe" },
  { id: "users", label: "Users", icon: "people" },
  { id: "deposits", label: "Deposits", icon: "wallet" },
  { id: "withdrawals", label: "Withdrawals", icon: "coins" },
  { id: "trades", label: "Trades", icon: "candles" },
  { id: "support", label: "Support", icon: "lifebuoy" },
  { id: "settings", label: "Settings", icon: "sliders" },
] as const satisfies { id: string; label: string; icon: IconName }[];

export type AppTab = (typeof APP_TABS)[number]["id"];
/** Under the thumb; the others are in the menu. */
export const BOTTOM: readonly AppTab[] = ["dashboard", "visitors", "users", "settings"];

/** The tab that an address names; the dashboard where it names none. */
export const appTabOf = (name: string | null): AppTab => APP_TABS.find(({ id }) => id === name)?.id ?? "dashboard";
export const appTabLabel = (tab: AppTab): string => APP_TABS.find(({ id }) => id === tab)?.label ?? "";
export const appPath = (tab: AppTab): string => `/admin-app?tab=${tab}`;
