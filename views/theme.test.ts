import { expect, test } from "bun:test";
import { contrast } from "./contrast";
import { pairs, palette } from "./palette";

test("black on white is 21 to 1", () => expect(contrast("#000000", "#ffffff")).toBeCloseTo(21, 5));

for (const mode of ["light", "dark"] as const)
  for (const { text, on, least } of pairs)
    for (const ground of on)
      test(`${mode}: ${text} on ${ground} has a contrast of at least ${least}`, () =>
        expect(contrast(palette[mode][text], palette[mode][ground])).toBeGreaterThanOrEqual(least));
