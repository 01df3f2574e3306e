import { expect, test } from "bun:test";
import { eurUsd } from "../testing/positions";
import { changedTerms, termsOf, writtenTerms } from "./rules_terms";

const limit = eurUsd({
  status: "pending",
  orderType: "limit",
  triggerPrice: "1.08400000",
  stopLoss: "1.07000000",
  trailingDistance: "0.00200000",
  expiresAt: "2026-11-27T22:00:00.000Z",
});

test("each kind has the terms that can be changed of it", () => {
  const exits = ["stopLoss", "takeProfit", "trailingDistance", "breakEvenAt"];
  expect(termsOf(eurUsd())).toEqual(exits as never);
  expect(termsOf(limit)).toEqual(["triggerPrice", ...exits, "expiresAt"] as never);
  expect(termsOf({ status: "pending", orderType: "stop_limit", setOff: false })).toEqual(["triggerPrice", "limitPrice", ...exits, "expiresAt"] as never);
  expect(termsOf({ status: "pending", orderType: "stop_limit", setOff: true })).toEqual(["limitPrice", ...exits, "expiresAt"] as never);
  expect(termsOf({ status: "pending", orderType: "market", setOff: false })).toEqual([...exits, "expiresAt"] as never);
});

test("fields begin as the server has them, with the digits of deals, and only what was changed is sent", () => {
  const shown = writtenTerms(limit);
  expect(shown).toEqual({
    triggerPrice: "1.084000",
    stopLoss: "1.070000",
    takeProfit: "",
    trailingDistance: "0.00200",
    breakEvenAt: "",
    expiresAt: "2026-11-27T22:00",
  });
  expect(changedTerms(shown, shown)).toEqual({});
  expect(changedTerms({ ...shown, triggerPrice: " 1.083 ", trailingDistance: "", expiresAt: "2026-11-28T09:30" }, shown)).toEqual({
    triggerPrice: "1.083",
    trailingDistance: null,
    expiresAt: "2026-11-28T09:30:00Z",
  });
  expect(changedTerms({ ...shown, expiresAt: "" }, shown)).toEqual({ expiresAt: null });
  expect(changedTerms({ ...shown, expiresAt: "2026-11-28T09:30:15" }, shown)).toEqual({ expiresAt: "2026-11-28T09:30:15Z" });
});
