import { displayMoney } from "../../src/lib/money";
import { sideWord } from "../../src/trading/rules_prices";

/** The lists of Trade Control; the first one is shown where an address names none. */
export const tradeViews = ["positions", "waiting", "corrections", "disputes", "exceptions"] as const;
export type TradeView = (typeof tradeViews)[number];
export const tradeViewOf = (name: string | null): TradeView => tradeViews.find((view) => view === name) ?? "positions";

export const VIEW_LABELS: Record<TradeView, string> = {
  positions: "Open positions",
  waiting: "Second approval",
  corrections: "Corrections",
  disputes: "Disputes",
  exceptions: "Exceptions",
};

/** "BUY EUR/USD $1,000.00". */
export const dealText = ({ type, symbol, amount }: { type: "buy" | "sell"; symbol: string; amount: string }) =>
  `${sideWord(type)} ${symbol} ${displayMoney(amount)}`;

/** A result with its sign; a dash where there is no price. */
export const resultText = (amount: string | null) => (amount === null ? "–" : displayMoney(amount, { sign: true }));
