import { useEffect, useMemo, useState } from "react";
import { fit } from "../../src/lib/fit";
import { orderBody, placeOrder } from "../../src/trading/schema";
import { openingPrice } from "../../src/trading/rules";
import { pricesFor, sideWord } from "../../src/trading/rules_prices";
import { priceText } from "../../src/lib/money";
import { ApiError } from "../wire/api";
import { tellRefusal } from "../wire/attempt";
import { unreadable, useFaultFocus } from "../runtime/field_faults";
import { draftAsked, selectedSide, sheetOpen, takePosition } from "../runtime/trading_store";
import { selectedSymbol } from "../runtime/selection";
import { sendOnce } from "../wire/intent";
import { toast } from "../wire/toasts";
import { type Draft, draftOf, keepDraft, type OrderFields } from "./draft";
import { bodyOf, type Order, type Seen, type Ways } from "./order_ways";

export const DEFAULT_AMOUNT = "1000";
/** The id of the frame round an order panel, in the page or in the sheet: there is one at a time. */
const PANEL = "execute-trade";

const emptyOrder = (amount: string): OrderFields => ({ orderType: "market", amount, stopLoss: "", takeProfit: "" });

const plain: Ways = {
  check: (order) => fit(orderBody, bodyOf(order)),
  bodyOf,
  said({ side, amount, symbol }, { status }) {
    const order = `${sideWord(side)} order for $${amount} on ${symbol}`;
    return status === "pending"
      ? { title: "Order Waiting", description: `${order} fills at the first price after the market opens` }
      : { title: "Trade Executed", description: `${order} has been placed successfully` };
  },
};

/** An order at the market that nothing moves afterwards is written here. What is more than that comes later. */
const waysOf = async ({ orderType, trailingDistance, breakEvenAt }: OrderFields): Promise<Ways> =>
  orderType === "market" && !trailingDistance && !breakEvenAt ? plain : (await import("./order_terms")).ways;

type Begun = Pick<Order, "accountId" | "symbol" | "side"> & {
  /** False for the first drawing, which is the server's. */
  here: boolean;
  /** What the panel begins with, in USD. */
  amount?: string | undefined;
  /** The account and the quote of this moment. */
  seen: () => Seen;
};

/**
 * The state of the order panel: its fields, which outlast a reload until they are sent, their messages, and the action. The component itself calls
 * `useSignals()`.
 */
export function useOrder({ accountId, symbol, side, here, amount = DEFAULT_AMOUNT, seen }: Begun) {
  const draft = useMemo(() => (here ? fittingDraft(accountId) : null), [here, accountId]);
  const [written, setWritten] = useState<OrderFields | null>(null);
  const empty = emptyOrder(amount);
  const fields = written ?? draft?.fields ?? empty;
  useEffect(() => {
    if (!draft) return;
    selectedSymbol.value = draft.symbol;
    if (!named("side")) selectedSide.value = draft.side;
  }, [draft]);
  const current = written ?? draft?.fields;
  useEffect(() => {
    if (!current) return;
    const isNew = JSON.stringify(current) !== JSON.stringify(emptyOrder(amount));
    keepDraft(accountId, isNew ? { fields: current, symbol, side } : null);
  }, [current, symbol, side, accountId, amount]);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const seekFault = useFaultFocus(errors, PANEL);
  const [pending, setPending] = useState(false);

  const set = (name: keyof OrderFields, value: string) => {
    setWritten((before) => ({ ...(before ?? fields), [name]: value }));
    setErrors((before) => ({ ...before, [name]: "" }));
  };

  useEffect(() => {
    if (!here) return;
    return draftAsked.subscribe((asked) => {
      if (!asked) return;
      draftAsked.value = null;
      selectedSide.value = asked.side;
      setWritten((before) => ({ ...(before ?? draft?.fields ?? emptyOrder(amount)), orderType: asked.orderType, triggerPrice: asked.triggerPrice }));
      const panel = document.getElementById(PANEL);
      // On a phone the order stands in a sheet.
      if (panel?.checkVisibility()) panel.focus();
      else sheetOpen.value = true;
    });
  }, [here, draft, amount]);

  /** What of the order is wrong, by field; the first such field gets the focus. */
  const refuse = (fields: Record<string, string>) => {
    seekFault();
    setErrors(fields);
  };
  /** False, with messages at the fields and a toast, where the order can't be sent as it stands. */
  const check = async (order: Order, to: "execute" | "preview"): Promise<boolean> => {
    const result = (await waysOf(order)).check(order, seen());
    const faults = { ...(result.ok ? {} : result.fields), ...unreadable(document.getElementById(PANEL)) };
    refuse(faults);
    if (Object.keys(faults).length === 0) return true;
    if (faults.amount)
      toast({ title: "Invalid Amount", description: `Please enter a valid trade amount${to === "preview" ? " to preview" : ""}`, variant: "destructive" });
    else toast({ title: "Trade Failed", description: Object.values(faults)[0], variant: "destructive" });
    return false;
  };

  const send = async (order: Order): Promise<boolean> => {
    if (pending || !(await check(order, "execute"))) return false;
    setPending(true);
    const ways = await waysOf(order);
    try {
      const { account, quote } = seen();
      const currentPrice = quote && priceText(openingPrice(side, pricesFor(account, quote)));
      const position = await sendOnce(placeOrder, await ways.bodyOf(order, seen()), undefined, { currentPrice });
      takePosition(position);
      setWritten({ ...empty, ...ways.after?.(order, position) });
      setErrors({});
      const { id, status } = position;
      const [tab, words] = status === "open" ? (["positions", "See the position"] as const) : (["waiting", "See the order"] as const);
      toast({ ...ways.said(order, position), link: { words, tab, href: `/traders-portal?account=${accountId}&tab=${tab}#${id}` } });
      return true;
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      const error = ways.explained?.(thrown, order) ?? thrown;
      refuse(error.fields);
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
