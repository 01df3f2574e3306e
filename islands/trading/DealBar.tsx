import { useSignals } from "@preact/signals-react/runtime";
import { sum } from "../../src/lib/money";
import { standingOf } from "../../src/trading/rules_prices";
import type { TradingAccount } from "../../src/accounts/schema";
import { PositionStrip, PriceBar } from "../../views/trading/PriceBar";
import type { Side } from "../../src/trading/rules_prices";
import type { ComponentProps } from "react";
import { positions, quoteOf } from "../runtime/trading_store";
import { OwnPrices } from "./order_panel";

/** The account's open positions as the page was made: how many, what they bring, and where their list is. */
export type Strip = { open: number; profit: string; path: string };

type Props = Omit<ComponentProps<typeof OwnPrices>, "account" | "children"> & {
  account: TradingAccount;
  faded: boolean;
  strip: Strip;
  onPick: (side: Side) => void;
};

/** Under the thumb: both prices, and above them what the open positions bring. */
export function DealBar({ faded, strip, onPick, ...own }: Props) {
  return (
    <div data-bottom-bar="" className="desk-bar js-only fixed inset-x-0 bottom-0 z-20 border-t border-line bg-surface px-3 pt-1 lg:hidden">
      <LiveStrip {...own} strip={strip} />
      <OwnPrices {...own}>{(prices) => <PriceBar accountId={own.account.id} symbol={own.symbol} prices={prices} stale={faded} onPick={onPick} />}</OwnPrices>
    </div>
  );
}

/** Drawn anew with each quote of what is open, and nothing else with it. */
function LiveStrip({ account, here, strip: { open, profit, path } }: Pick<Props, "account" | "here" | "strip">) {
  useSignals();
  const all = here ? positions.value : null;
  if (!all) return <PositionStrip path={path} count={open} profit={profit} />;
  const mine = all.filter(({ accountId, status }) => accountId === account.id && status === "open");
  const floating = mine.map((each) => standingOf(each, account, quoteOf(each.symbol).value).profit ?? "0.00");
  return <PositionStrip path={path} count={mine.length} profit={sum(floating)} />;
}
