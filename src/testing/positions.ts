import type { Position } from "../trading/schema";

/** What a position says of its order where that was a plain one at the market. */
export const atMarket = {
  createdAt: "2026-01-05T10:00:00.000Z",
  orderType: "market",
  triggerPrice: null,
  limitPrice: null,
  setOff: false,
  expiresAt: null,
  trailingDistance: null,
  trailingStop: null,
  breakEvenAt: null,
  brokeEven: false,
  ocoGroup: null,
  cancelReason: null,
  cancelFigures: null,
} as const satisfies Partial<Position>;

/** An open position of 1,000.00 EUR/USD on the account `a1`, a little below zero. */
export const eurUsd = (over: Partial<Position> = {}): Position => ({
  id: "p1",
  accountId: "a1",
  symbol: "EUR/USD",
  type: "buy",
  amount: "1000.00",
  volume: "909.09090909",
  openPrice: "1.10000000",
  entryPrice: "1.10000000",
  currentPrice: "1.09980000",
  stopLoss: null,
  takeProfit: null,
  profit: "-0.18",
  status: "open",
  openedAt: "2026-01-05T10:00:00.000Z",
  closePrice: null,
  closedAt: null,
  closeReason: null,
  ...atMarket,
  ...over,
});
