/** A market without a feed, for what watches its ticks: prices that go up and down within bounds. */
import { heapStats } from "bun:jsc";
import "../../src/testing/instruments";
import { Board } from "../../src/market/board";
import type { Market } from "../../src/market/market";
import { instruments } from "../../src/market/rules_listed";

export const SYMBOLS = instruments.slice(0, 30).map(({ symbol }) => symbol);
/** 100.00: the same for every symbol, so that the figures do not depend on which one it is. */
export const START = 10_000_000_000;
/** The walk stays within half a percent. */
const WALK = START / 200;

/** A market whose ticks come from here. */
export function emptyMarket(): Market {
  const board = new Board({ hours: () => true, clock: Date.now, freshness: "symbol", time: "real", onFault: console.error });
  for (const symbol of SYMBOLS) tick(board, symbol, START);
  return { board, source: "simulator", clock: Date.now, addBrake: () => () => {} } as unknown as Market;
}

export const tick = (board: Board, symbol: string, bid: number) => board.accept({ symbol, bid, ask: bid + 1_000_000, at: Date.now() });

/** Each call is the next tick, on all symbols in turn, and tells the microseconds that it took. */
export function walker(board: Board): () => number {
  const prices = new Map(SYMBOLS.map((symbol) => [symbol, START]));
  let n = 0;
  return () => {
    const symbol = SYMBOLS[n++ % SYMBOLS.length] as string;
    const moved = (prices.get(symbol) ?? START) + Math.round((Math.random() - 0.5) * WALK * 0.05);
    const price = Math.min(START + WALK, Math.max(START - WALK, moved));
    prices.set(symbol, price);
    const began = Bun.nanoseconds();
    tick(board, symbol, price);
    return (Bun.nanoseconds() - began) / 1_000;
  };
}

/** MiB of heap in use. */
export function heapNow(): number {
  Bun.gc(true);
  return heapStats().heapSize / 2 ** 20;
}
