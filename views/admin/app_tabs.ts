import { may } from "../../src/lib/may";
import { type Entitled, mayDo, type Permission } from "../../src/lib/permissions";
import type { IconName } from "../ui/Icon";

const TABS = [
  { id: "dashboard", label: "Dashboard", icon: "gauge", needs: "overview.read" },
  { id: "visitors", label: "Visitors", icon: "globe", needs: "visitors.read" },
  { id: "users", label: "Users", icon: "people", needs: "people.read" },
  { id: "deposits", label: "Deposits", icon: "wallet", needs: "deposits.read" },
  { id: "withdrawals", label: "Withdrawals", icon: "coins", needs: "withdrawals.read" },
  { id: "trades", label: "Trades", icon: "candles", needs: "trades.read" },
  { id: "support", label: "Support", icon: "lifebuoy", needs: "support.read" },
  { id: "settings", label: "Settings", icon: "sliders", needs: "panel.read" },
] as const satisfies { id: string; label: string; icon: IconName; needs: Permission }[];

/** The app's menu, as the page's reader sees it. */
export const appTabs = () => TABS.filter(({ needs }) => may(needs));

export type AppTab = (typeof TABS)[number]["id"];
const BOTTOM: readonly AppTab[] = ["dashboard", "visitors", "users", "settings"];
/** Under the thumb, four at most; the others are in the menu. Where the reader does not see one of the four, another is there. */
export function bottomTabs() {
  const seen = appTabs();
  const others = seen.filter(({ id }) => !BOTTOM.includes(id)).map(({ id }) => id);
  const own = [...BOTTOM.filter((tab) => seen.some(({ id }) => id === tab)), ...others].slice(0, BOTTOM.length);
  return seen.filter(({ id }) => own.includes(id));
}

/** The tab that an address names; where it names none, the first that the reader sees. */
export const appTabOf = (name: string | null, who: Entitled): AppTab =>
  TABS.find(({ id }) => id === name)?.id ?? TABS.find(({ needs }) => mayDo(who, needs))?.id ?? "settings";
export const appTabNeeds = (tab: AppTab): Permission => TABS.find(({ id }) => id === tab)?.needs ?? "panel.read";
export const appTabLabel = (tab: AppTab): string => TABS.find(({ id }) => id === tab)?.label ?? "";
export const appPath = (tab: AppTab): string => `/admin-app?tab=${tab}`;
