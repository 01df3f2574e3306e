import { expect, test } from "bun:test";
import { checkedOrder, type WrittenOrder } from "./rules_written";

test("a waiting order names each price that it lacks at the first try, beside what else is wrong", () => {
  const order: WrittenOrder = {
    orderType: "stop_limit",
    symbol: "EUR/USD",
    side: "buy",
    accountId: crypto.randomUUID(),
    amount: "1000",
    stopLoss: "",
    takeProfit: "",
  };
  const lacking = (over: Partial<WrittenOrder>) => checkedOrder({ ...order, ...over }, null, 0, []).fields;
  const [triggerPrice, limitPrice] = [
    "Stop price is required: the price that the order waits for",
    "Limit price is required: the limit that the order becomes",
  ];
  expect(lacking({})).toEqual({ triggerPrice, limitPrice });
  expect(Object.keys(lacking({ amount: "" })).sort()).toEqual(["amount", "limitPrice", "triggerPrice"]);
  expect(lacking({ triggerPrice: "1.0860" })).toEqual({ limitPrice });
  expect(lacking({ limitPrice: "1.0860" })).toEqual({ triggerPrice });
  expect(lacking({ orderType: "stop" })).toEqual({ triggerPrice });
  expect(lacking({ orderType: "market" })).toEqual({});
  // What is written and can't be read keeps its own words.
  expect(lacking({ triggerPrice: "x", limitPrice: "" }).triggerPrice).not.toContain("required");
});
