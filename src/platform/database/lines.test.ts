import { expect, test } from "bun:test";
import fc from "fast-check";
import { cents, money, priceText, priceUnits } from "../../lib/money";
import { Columns } from "./lines";

const read = <T>(text: string, what: (row: Columns) => T): T => {
  const row = new Columns(text);
  const found = what(row);
  row.end();
  return found;
};

test("what is read of a line is what its text says, to the last digit", () => {
  fc.assert(
    fc.property(fc.nat(Number.MAX_SAFE_INTEGER), fc.nat(10 ** 15 - 1), fc.nat(Number.MAX_SAFE_INTEGER), (units, amount, whole) => {
      const texts = [priceText(units), money(BigInt(amount)), `${whole}`];
      const row = (line: Columns) => [line.price(), line.cents(), line.whole()];
      expect(read(`${texts.join("|")}|`, row)).toEqual([priceUnits(texts[0] as string), Number(cents(texts[1] as string)), whole]);
    }),
  );
  expect(read("EUR/USD||0|||0.00000001|", (row) => [row.word(), row.price(), row.whole(), row.wholeOrNull(), row.word(), row.price()])).toEqual([
    ...["EUR/USD", null, 0, null, "", 1],
  ]);
});

test("a price beyond the whole numbers that are exact is rounded once, as everywhere", () => {
  for (const price of ["90071992.54740993", "999999999999.99999999", "123456789.12345678"])
    expect(read(`${price}|`, (row) => row.price())).toBe(priceUnits(price));
});

test("what is not the column asked for is refused", () => {
  const prices = ["1|", "1.5|", "1.123456789|", ".12345678|", "-1.12345678|", "1.1234567x|", "1.12.45678|", "NaN|", "1.12345678", "buy|"];
  for (const text of prices) expect(() => read(text, (row) => row.price())).toThrow(RangeError);
  for (const text of ["|", "1|", "1.5|", "-1.50|", "1.500|"]) expect(() => read(text, (row) => row.cents())).toThrow(RangeError);
  for (const text of ["|", "1.0|", "true|", "-1|"]) expect(() => read(text, (row) => row.whole())).toThrow(RangeError);
  expect(() => read("buy", (row) => row.word())).toThrow(RangeError);
  expect(() => read("buy|sell|", (row) => row.word())).toThrow("lines of other columns");
  expect(() => read("buy|", (row) => [row.word(), row.word()])).toThrow(RangeError);
});
