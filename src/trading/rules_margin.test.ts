import { expect, test } from "bun:test";
import fc from "fast-check";
import "../testing/seed";
import { distanceOf, exposuresOf, marginState, type Stake } from "./rules_margin";

const SYMBOLS = ["EUR/USD", "USD/JPY", "BTC/USD", "SHIB/USD"] as const;

const stake = fc.record({
  id: fc.uuid(),
  symbol: fc.constantFrom(...SYMBOLS),
  side: fc.constantFrom("buy" as const, "sell" as const),
  amount: fc.oneof(fc.integer({ min: 1, max: 1_000 }), fc.integer({ min: 1, max: 1_000_000_000 })).map(BigInt),
  open: fc.oneof(fc.integer({ min: 1_000, max: 100_000 }), fc.integer({ min: 50_000_000, max: 20_000_000_000_000 })),
  margin: fc.integer({ min: 1, max: 10_000_000 }),
  tierPips: fc.constantFrom("0.5", "3.3"),
  opened: fc.constantFrom(null, 2),
});

test("while no exposure has come to its level, equity has not used up the room", () => {
  let near = 0;
  fc.assert(
    fc.property(fc.array(stake, { minLength: 1, maxLength: 12 }), fc.integer({ min: 1, max: 50_000_000 }), fc.boolean(), (given, room, gains) => {
      // One price for each symbol, at which all was opened more or less.
      const price = new Map<string, number>(given.map(({ symbol, open }) => [symbol, open]));
      const stakes: Stake[] = given.map((each) => ({ ...each, open: Math.max(1, Math.round((price.get(each.symbol) ?? 1) * (1 + (each.margin % 7) / 100))) }));
      const now = marginState(0, stakes, ({ symbol }) => price.get(symbol) ?? null);
      const exposures = exposuresOf(stakes);
      const distance = new Map(
        exposures.map((each) => [`${each.side} ${each.symbol} ${each.tierPips} ${each.opened}`, distanceOf(each, room, exposures.length, stakes.length)]),
      );
      // Every one of them just short of its level, which is the worst that can come unseen.
      const later = marginState(0, stakes, ({ symbol, side, tierPips, opened }) => {
        const step = ((distance.get(`${side} ${symbol} ${tierPips} ${opened}`) ?? 1) - 1) * (side === "buy" ? 1 : -1) * (gains ? 1 : -1);
        return Math.max(1, (price.get(symbol) ?? 1) + step);
      });
      const moved = Math.abs(later.equity - now.equity);
      expect(moved).toBeLessThanOrEqual(room);
      if (moved > room * 0.9) near++;
    }),
    { numRuns: 3_000 },
  );
  // Levels so cautious that they say nothing would be no levels.
  expect(near).toBeGreaterThan(300);
});

test("equity counts each position to the cent, and one without a price as nothing", () => {
  const base = { id: "a", side: "buy" as const, symbol: "EUR/USD", open: 110_000_000, margin: 1_000, tierPips: "0.5", opened: null };
  const stakes: Stake[] = [
    { ...base, amount: 100_000n },
    { ...base, id: "b", side: "sell", amount: 100_000n },
    { ...base, id: "c", symbol: "BTC/USD", amount: 999_999n },
  ];
  const closing = ({ symbol, side }: { symbol: string; side: string }) => (symbol === "BTC/USD" ? null : side === "buy" ? 110_055_000 : 110_001_000);
  expect(marginState(-5_000, stakes, closing)).toEqual({ equity: -5_000 + 50 - 1, used: 3_000 });
});
