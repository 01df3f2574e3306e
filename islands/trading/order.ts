import { useEffect, useMemo, useState } from "react";
import { fit } from "../../src/lib/fit";
import { orderBody, type Position, placeOrder } from "../../src/trading/schema";
import { type Side, sideWord } from "../../src/trading/rules_prices";
import { ApiError } from "../wire/api";
import { tellRefusal } from "../wire/attempt";
import { selectedSide, takePosition } from "../runtime/trading_store";
import { selectedSymbol } from "../runtime/selection";
import { sendOnce } from "../wire/intent";
import { toast } from "../wire/toasts";
import { type Draft, draftOf, keepDraft, type OrderFields } from "./draft";

export const DEFAULT_AMOUNT = "1000";

export type Order = OrderFields & { symbol: string; side: Side; accountId: string };

const emptyOrder = (amount: string): OrderFields => ({ amount, stopLoss: "", takeProfit: "" });

const bodyOf = ({ symbol, side, amount, stopLoss, takeProfit, accountId }: Order) => ({
  symbol,
  type: side,
  amount,
  accountId,
  stopLoss: stopLoss || null,
  takeProfit: takeProfit || null,
});

/** The order as the server would take it, or the messages for its fields. */
const checkOrder = (order: Order) => fit(orderBody, bodyOf(order));

type Begun = Pick<Order, "accountId" | "symbol" | "side"> & {
  /** False for the first drawing, which is the server's. */
  here: boolean;
  /** What the panel begins with, in USD. */
  amount?: string | undefined;
};

/** The state of the order panel: its fields, which outlast a reload until they are sent, their messages, and the action. */
export function useOrder({ accountId, symbol, side, here, amount = DEFAULT_AMOUNT }: Begun) {
  const draft = useMemo(() => (here ? fittingDraft(accountId) : null), [here, accountId]);
  const [written, setWritten] = useState<OrderFields | null>(null);
  const fields = written ?? draft?.fields ?? emptyOrder(amount);
  useEffect(() => {
    if (!draft) return;
    selectedSymbol.value = draft.symbol;
    if (!named("side")) selectedSide.value = draft.side;
  }, [draft]);
  const current = written ?? draft?.fields;
  useEffect(() => {
    if (!current) return;
    const isNew = current.amount !== amount || current.stopLoss || current.takeProfit;
    keepDraft(accountId, isNew ? { fields: current, symbol, side } : null);
  }, [current, symbol, side, accountId, amount]);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [pending, setPending] = useState(false);

  const set = (name: keyof OrderFields, value: string) => {
    setWritten((before) => ({ ...(before ?? fields), [name]: value }));
    setErrors((before) => ({ ...before, [name]: "" }));
  };

  /** False, with messages at the fields and a toast, where the order can't be sent as it stands. */
  const check = (order: Order, to: "execute" | "preview"): boolean => {
    const result = checkOrder(order);
    setErrors(result.ok ? {} : result.fields);
    if (result.ok) return true;
    if (result.fields.amount)
      toast({ title: "Invalid Amount", description: `Please enter a valid trade amount${to === "preview" ? " to preview" : ""}`, variant: "destructive" });
    else toast({ title: "Trade Failed", description: Object.values(result.fields)[0], variant: "destructive" });
    return false;
  };

  const send = async (order: Order, price: string | null): Promise<boolean> => {
    if (pending || !check(order, "execute")) return false;
    setPending(true);
    try {
      const position = await sendOnce(placeOrder, bodyOf(order), undefined, { currentPrice: price });
      takePosition(position);
      setWritten(emptyOrder(amount));
      setErrors({});
      announce(order, position);
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setErrors(error.fields);
      tellRefusal("Trade Failed", error, "Unable to execute trade. Please try again.");
      return false;
    } finally {
      setPending(false);
    }
  };
  return { fields, errors, pending, set, check, send };
}

const named = (name: string) => new URLSearchParams(location.search).get(name);
/** The draft of this account, unless the address names another pair, which is newer: a stop for one is none for the other. */
function fittingDraft(accountId: string): Draft | null {
  const draft = draftOf(accountId);
  return (named("symbol") ?? draft?.symbol) === draft?.symbol ? draft : null;
}

function announce({ side, amount, symbol }: Order, { status }: Position) {
  const order = `${sideWord(side)} order for $${amount} on ${symbol}`;
  if (status === "pending") toast({ title: "Order Waiting", description: `${order} fills at the first price after the market opens` });
  else toast({ title: "Trade Executed", description: `${order} has been placed successfully` });
}
