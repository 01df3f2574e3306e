import { expect, test } from "bun:test";
import { changesOf } from "./rules_instrument_words";
import type { StaffInstrument } from "./schema_instruments";

const now = {
  ...{
    state: "tradable",
    minimum: "50.00",
    step: null,
    maximum: null,
    marginPercent: null,
    marginSteps: null,
    clientLimit: null,
    houseLimit: null,
    markup: null,
  },
  listing: { name: "Euro", digits: 5, pip: "0.0001", hours: null, simulator: null, kraken: null, replay: null },
} as unknown as StaffInstrument;
const written = { state: "tradable", minimum: "50" };

test("a figure is a difference once it can be read, at whatever is typed before", () => {
  for (const step of ["0.001", "1e3", "-", ".", "12345678901234", "ten"]) expect(changesOf(now, { ...written, step, marginPercent: step })).toEqual([]);
  expect(changesOf(now, { ...written, step: "10.500" })).toEqual(["Step: none → $10.50"]);
  expect(changesOf(now, { ...written, minimum: "", marginPercent: "0.5" })).toEqual(["Smallest order: $50.00 → none", "Margin at least: none → 0.5%"]);
});
