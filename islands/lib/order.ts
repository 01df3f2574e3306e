import { useRef, useState } from "react";
import { fit } from "../../src/lib/fit";
import { orderBody, type Position, placeOrder } from "../../src/trading/schema";
import { type Side, sideWord } from "../../views/portal/model";
import { ApiError, call, newKey } from "./api";
import { takePosition } from "./desk";
import { toast } from "./toasts";

export const DEFAULT_AMOUNT = "1000";

/** What a person has filled in; empty stop and target mean none. */
type OrderFields = { amount: string; stopLoss: string; takeProfit: string };
export type Order = OrderFields & { symbol: string; side: Side; accountId: string };
type Sent = { intent: string; key: string; body: ReturnType<typeof bodyOf> };

const emptyOrder = (amount: string): OrderFields => ({ amount, stopLoss: "", takeProfit: "" });

const bodyOf = ({ symbol, side, amount, stopLoss, takeProfit, accountId }: Order, currentPrice: string | null) => ({
  symbol,
  type: side,
  amount,
  accountId,
  currentPrice,
  stopLoss: stopLoss || null,
  takeProfit: takeProfit || null,
});

/** The order as the server would take it, or the messages for its fields. */
const checkOrder = (order: Order, price: string | null) => fit(orderBody, bodyOf(order, price));

/**
 * The state of the order panel: its fields, their messages, and the deed. An order whose answer was lost is sent again word for
 * word under the same key, so that a second press can't open a second position. `amount` is what the panel begins with, in USD.
 */
export function useOrder(amount = DEFAULT_AMOUNT) {
  const [fields, setFields] = useState(() => emptyOrder(amount));
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [pending, setPending] = useState(false);
  const unanswered = useRef<Sent | null>(null);

  const set = (name: keyof OrderFields, value: string) => {
    setFields((before) => ({ ...before, [name]: value }));
    setErrors((before) => ({ ...before, [name]: "" }));
  };

  /** False, with messages at the fields and a toast, where the order can't be sent as it stands. */
  const check = (order: Order, price: string | null, to: "execute" | "preview"): boolean => {
    const result = checkOrder(order, price);
    setErrors(result.ok ? {} : result.fields);
    if (result.ok) return true;
    if (result.fields.amount)
      toast({ title: "Invalid Amount", description: `Please enter a valid trade amount${to === "preview" ? " to preview" : ""}`, variant: "destructive" });
    else toast({ title: "Trade Failed", description: Object.values(result.fields)[0], variant: "destructive" });
    return false;
  };

  const send = async (order: Order, price: string | null): Promise<boolean> => {
    if (pending || !check(order, price, "execute")) return false;
    const intent = JSON.stringify(bodyOf(order, null));
    const sent = unanswered.current?.intent === intent ? unanswered.current : { intent, key: newKey(), body: bodyOf(order, price) };
    unanswered.current = sent;
    setPending(true);
    try {
      const position = await call(placeOrder, sent.body, { idempotencyKey: sent.key });
      unanswered.current = null;
      takePosition(position);
      setFields(emptyOrder(amount));
      setErrors({});
      announce(order, position);
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      unanswered.current = error.status === 0 ? sent : null;
      setErrors(error.fields);
      toast({ title: "Trade Failed", description: error.message || "Unable to execute trade. Please try again.", variant: "destructive" });
      return false;
    } finally {
      setPending(false);
    }
  };
  return { fields, errors, pending, set, check, send };
}

function announce({ side, amount, symbol }: Order, { status }: Position) {
  const order = `${sideWord(side)} order for $${amount} on ${symbol}`;
  if (status === "pending") toast({ title: "Order Waiting", description: `${order} fills at the first price after the market opens` });
  else toast({ title: "Trade Executed", description: `${order} has been placed successfully` });
}
