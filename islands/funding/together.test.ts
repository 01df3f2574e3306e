import { expect, test } from "bun:test";
import type { StaffDeposit, StaffWithdrawal } from "../../src/funding/schema";
import { sumsText } from "../../views/funding/request_words";

/** What is said of many requests before they are approved together: exact sums, each money by itself. */

const deposit = (amount: string, currency: string) => ({ amount, currency }) as StaffDeposit;
const withdrawal = (amount: string, currency: string) => ({ amount, currency }) as StaffWithdrawal;

test("each money is added up by itself, to the cent, in one order", () => {
  const rows = [
    deposit("0.10", "BTC"),
    deposit("9007199254.91", "EUR"),
    deposit("0.20", "USD"),
    deposit("0.02", "EUR"),
    deposit("0.10", "USD"),
    deposit("7.00", "GBP"),
  ];
  expect(sumsText(rows)).toBe("$0.30, €9,007,199,254.93, £7.00, $0.10 in BTC");
  expect(sumsText([withdrawal("0.10", "ETH"), withdrawal("0.20", "ETH"), withdrawal("5.00", "USD")])).toBe("$5.00, $0.30 in ETH");
  expect(sumsText([deposit("1.00", "USD"), deposit("2.00", "USD")])).toBeNull();
});
