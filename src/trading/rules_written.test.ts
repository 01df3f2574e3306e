import { expect, test } from "bun:test";
import { fit } from "../lib/fit";
import { checkedOrder, type WrittenOrder } from "./rules_written";
import { fullOrderBody, NEEDED } from "./schema_orders";

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

test("the call answers with each price that an order lacks, the one that it waits for first", () => {
  const lacking = (orderType: string, prices: object = {}) => fit(fullOrderBody, { symbol: "EUR/USD", type: "buy", amount: 1000, orderType, ...prices });
  const { triggerPrice, limitPrice } = NEEDED;
  const both = lacking("stop_limit");
  expect(both).toEqual({ ok: false, fields: { triggerPrice, limitPrice } });
  expect(both.ok ? [] : Object.keys(both.fields)).toEqual(["triggerPrice", "limitPrice"]);
  expect(lacking("stop_limit", { triggerPrice: null, limitPrice: null })).toEqual(both);
  expect(lacking("stop_limit", { triggerPrice: 1.2 })).toEqual({ ok: false, fields: { limitPrice } });
  expect(lacking("stop_limit", { limitPrice: 1.2 })).toEqual({ ok: false, fields: { triggerPrice } });
  for (const orderType of ["limit", "stop"]) expect(lacking(orderType)).toEqual({ ok: false, fields: { triggerPrice } });
  for (const orderType of ["market", "limit"])
    expect(lacking(orderType, { triggerPrice: orderType === "market" ? null : 1.2, limitPrice: 1.2 })).toEqual({
      ok: false,
      fields: { limitPrice: "limitPrice is for stop-limit orders" },
    });
  expect(lacking("market").ok).toBe(true);
});
