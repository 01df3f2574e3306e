import { expect, test } from "bun:test";
import { newestGap } from "./fill_spans";

const span = (from: number, to: number) => ({ from, to });

test("the newest part that none of the spans covers, whatever their order; null where all of it is covered", () => {
  expect(newestGap(span(10, 20), [])).toEqual(span(10, 20));
  expect(newestGap(span(10, 20), [span(0, 5), span(25, 30)])).toEqual(span(10, 20));
  expect(newestGap(span(10, 20), [span(15, Infinity)])).toEqual(span(10, 15));
  expect(newestGap(span(10, Infinity), [span(15, Infinity)])).toEqual(span(10, 15));
  expect(newestGap(span(10, Infinity), [span(5, 15)])).toEqual(span(15, Infinity));
  expect(newestGap(span(10, 20), [span(0, 12), span(18, 30), span(14, 16)])).toEqual(span(16, 18));
  expect(newestGap(span(10, 20), [span(0, 15), span(15, 20)])).toBeNull();
  expect(newestGap(span(10, 20), [span(0, 40)])).toBeNull();
  // They may overlap.
  expect(newestGap(span(10, 20), [span(12, 30), span(14, 20), span(11, 13)])).toEqual(span(10, 11));
  expect(newestGap(span(10, 20), [span(20, 30), span(0, 10)])).toEqual(span(10, 20));
});
