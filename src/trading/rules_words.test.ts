import { expect, test } from "bun:test";
import { endWords } from "./rules_words";
import { cancelCodes } from "./schema";

test("every reason for which an order ends unfilled has words, lack of margin with its figures", () => {
  const words = cancelCodes.map((cancelReason) => endWords({ cancelReason, cancelFigures: null }));
  expect(words.filter((each) => (cancelCodes as readonly string[]).includes(each))).toEqual([]);
  expect(new Set(words).size).toBe(cancelCodes.length);
  expect(endWords({ cancelReason: "expired", cancelFigures: null })).toBe("Expired");
  expect(endWords({ cancelReason: "insufficient_margin", cancelFigures: { needed: "5000.00", free: "-3.10" } })).toBe(
    "Not enough margin: needed $5,000.00, free −$3.10",
  );
  expect(endWords({ cancelReason: "Not enough free margin when the market opened.", cancelFigures: null })).toBe(
    "Not enough free margin when the market opened.",
  );
});
