import { type CreatePriceLineOptions, LineStyle } from "lightweight-charts";
import { displayMoney, displayPrice } from "../../src/lib/money";
import { digitsOf } from "../../src/trading/rules_prices";
import { ORDER_TYPE_WORDS } from "../../src/trading/rules_prices";
import { inScreenWords, orderSentence, orderWords } from "../../src/trading/rules_waiting";
import type { Position } from "../../src/trading/schema";
import { editAny } from "../../src/trading/schema_orders";
import { takePosition } from "../runtime/trading_store";
import { ApiError, call } from "../wire/api";
import { tellRefusal } from "../wire/attempt";
import { toast } from "../wire/toasts";
import type { Mark } from "./chart_handle";

/** The last two digits of a colour that lets most of what is behind it through. */
const FAINT = "80";

/** The prices that an order waits for: one, or of a stop-limit that was not set off yet, two. None for one at the market. */
export function orderMarks(order: Position): Mark[] {
  const { id, symbol, type, amount, orderType, setOff, triggerPrice, limitPrice } = order;
  const side = type === "buy" ? "Buy" : "Sell";
  const size = displayMoney(amount).replace(".00", "");
  const mark = (field: "triggerPrice" | "limitPrice", price: string, kind: string): Mark => ({
    key: `${id} ${field}`,
    symbol,
    price,
    tone: "accent",
    line: LineStyle.LargeDashed,
    word: `${side} ${kind} ${size} @`,
    name: `${field === "limitPrice" ? "Limit price" : "Price"} of ${orderWords(order)} ${symbol}, ${displayMoney(amount)}`,
    shown: (at) => displayPrice(at, digitsOf(symbol)),
    send: (at) => moveOrder(order, field, at),
    offer: null,
  });
  return [
    ...(triggerPrice && !setOff ? [mark("triggerPrice", triggerPrice, ORDER_TYPE_WORDS[orderType].toLowerCase())] : []),
    ...(limitPrice ? [mark("limitPrice", limitPrice, "limit")] : []),
  ];
}

/** Where the stop and the target of an order will stand once it has filled: faint lines without handles, with one word where there is no room for more. */
export function plannedExits(order: Position, colour: (token: string) => string, isNarrow: boolean): CreatePriceLineOptions[] {
  const of = isNarrow ? "" : ` of ${orderWords(order).toLowerCase()}`;
  const line = (price: string | null, token: "loss" | "gain", word: string): CreatePriceLineOptions[] => {
    if (!price) return [];
    const label = { axisLabelVisible: true, axisLabelColor: colour("sunken"), axisLabelTextColor: colour(token), title: word + of };
    return [{ price: Number(price), color: colour(token) + FAINT, lineStyle: LineStyle.Dotted, lineWidth: 1, ...label }];
  };
  return [...line(order.stopLoss, "loss", "Stop"), ...line(order.takeProfit, "gain", "Target")];
}

/** What the server refuses is said with the screen's own words. */
async function moveOrder({ id, orderType }: Position, field: "triggerPrice" | "limitPrice", price: string | null): Promise<boolean> {
  try {
    const done = await call(editAny, { [field]: price }, { params: { id } });
    takePosition(done);
    toast({ title: "Order moved", description: orderSentence(done, Date.now()) });
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    tellRefusal("Order not moved", Object.assign(error, { message: inScreenWords(error.message, orderType) }));
    return false;
  }
}
