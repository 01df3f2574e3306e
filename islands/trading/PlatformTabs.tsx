import { useSignals } from "@preact/signals-react/runtime";
import { type PlatformTab, platformPath, platformTabs } from "../../views/trading/tabs";
import { Tabs } from "../../views/ui/Tabs";
import { positions, useTradingStore } from "../runtime/trading_store";
import { island } from "../runtime/island";
import { selectedSymbol } from "../runtime/selection";
import { useTabInView } from "../runtime/tab_in_view";

type Props = { tab: PlatformTab; accountId: string | null; symbol: string; open: number };

/** The platform's tabs: each an address of its own, which takes the chosen pair along. */
export function PlatformTabs({ tab, accountId, symbol, open }: Props) {
  useSignals();
  const here = useTradingStore({ symbol });
  useTabInView();
  const mine = here ? positions.value?.filter((each) => each.accountId === accountId && each.status === "open") : undefined;
  return (
    <Tabs
      label="Trading platform"
      tabs={platformTabs(mine?.length ?? open)}
      current={tab}
      path={platformPath(accountId, { symbol: here ? selectedSymbol.value : symbol })}
    />
  );
}

export default island("PlatformTabs", PlatformTabs);
