import type { TradingAccount } from "../../src/accounts/schema";
import { amountAtRisk } from "../../src/trading/rules_risk";
import { accounts } from "../runtime/trading_store";
import { toast } from "../wire/toasts";
import type { Order } from "./order";

/** Sets the amount whose loss at the stop is so many per cent of the balance, or says why there is none. Fetched once a stop is written. */
export function sizeByRisk(
  { side, stopLoss }: Order,
  account: TradingAccount,
  perCent: string,
  price: string | null,
  set: (name: "amount", value: string) => void,
): void {
  const { balance } = accounts.peek()?.find(({ id }) => id === account.id) ?? account;
  const amount = price && /^\d{1,12}(\.\d{1,8})?$/.test(stopLoss) ? amountAtRisk(side, balance, perCent, price, stopLoss) : null;
  if (amount !== null && Number(amount) > 0) return set("amount", amount);
  const why =
    amount === null
      ? `Enter from 0.01 to 100 per cent, and a stop loss ${side === "buy" ? "below" : "above"} the price.`
      : "This account has no balance to risk.";
  toast({ title: "The amount can't be sized", description: why, variant: "destructive" });
}
