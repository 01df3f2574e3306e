import { expect, test } from "bun:test";
import { priceUnits } from "../../src/lib/money";
import { offersAt } from "./chart_menu";

const prices = { bid: priceUnits("1.08400"), ask: priceUnits("1.08430") };
const offered = (price: string) => offersAt(priceUnits(price), prices).map(({ words }) => words);

test("a price offers the orders that would wait there, and none that would fill at once", () => {
  expect(offered("1.08000")).toEqual(["Buy limit", "Sell stop"]);
  expect(offered("1.08400")).toEqual(["Buy limit"]);
  expect(offered("1.08415")).toEqual(["Buy limit", "Sell limit"]);
  expect(offered("1.08430")).toEqual(["Sell limit"]);
  expect(offered("1.09000")).toEqual(["Buy stop", "Sell limit"]);
});
