import { displayMoney, priceUnits } from "../../src/lib/money";
import { pipOf } from "../../src/market/rules_listed";
import type { Prices } from "../../src/trading/rules";
import { preview } from "../../src/trading/rules_preview";
import type { OrderValues } from "../../src/trading/rules_written";
import { Signed } from "../ui/Signed";

type Props = OrderValues & { symbol: string; side: "buy" | "sell"; prices: Prices; leverage: string };

const AMOUNT = /^\d{1,9}(\.\d{1,2})?$/;
const PRICE = /^\d{1,8}(\.\d{1,8})?$/;
const units = (price: string) => (PRICE.test(price) && Number(price) > 0 ? priceUnits(price) : null);

/** An order in one line, by the functions that fill it: its margin, and what stop and target would bring. Nothing while its amount can't be read. */
export function OrderGlance({ symbol, side, amount, stopLoss, takeProfit, prices, leverage }: Props) {
  if (!AMOUNT.test(amount)) return null;
  const order = { side, amount, stop: units(stopLoss), target: units(takeProfit) };
  const { margin, atStop, atTarget } = preview(order, prices, pipOf(symbol), Number(leverage.split(":")[1]));
  return (
    <span className="flex flex-wrap gap-x-3 tabular-nums">
      <span>Margin {displayMoney(margin)}</span>
      {atStop ? (
        <span>
          Stop <Signed value={atStop} />
        </span>
      ) : null}
      {atTarget ? (
        <span>
          Target <Signed value={atTarget} />
        </span>
      ) : null}
    </span>
  );
}
