import { money, priceText } from "../lib/money";
import type { Dice } from "./dice";
import type { Kind, Wish } from "./reference_orders";

/** Orders drawn by chance around a price, and how each is sent. */

/** Where the bid is, in units of 10⁻⁸, as is what counts as a pip; the market's time, and how long after it an order may end, in ms. */
type Moment = { bid: number; at: number; pip?: number; within?: number };

/** An order of any kind, a few pips around the price. */
export function drawWish(random: Dice, { bid, at, pip = 10_000, within = 7_200_000 }: Moment): Wish {
  const around = (from: number, pips: number) => BigInt(Math.round(from + random.between(-pips, pips) * pip));
  const side = random.pick(["buy", "sell"] as const);
  const way = side === "buy" ? 1 : -1;
  const kind = random.pick<Kind>(["market", "limit", "stop", "stop_limit"]);
  const trigger = kind === "market" ? null : Math.round(bid + (kind === "limit" ? -1 : 1) * way * random.between(2, 12) * pip);
  const from = trigger ?? bid;
  const maybe = (part: number, value: () => bigint) => (random.chance(part) ? value() : null);
  return {
    side,
    kind,
    amount: BigInt(1_000 + random.below(300_000)),
    trigger: trigger === null ? null : BigInt(trigger),
    limit: kind === "stop_limit" ? around(from, 3) : null,
    expiresAt: random.chance(0.4) ? at + random.below(within) + 1 : null,
    stop: maybe(0.4, () => BigInt(Math.round(from - way * random.between(4, 15) * pip))),
    target: maybe(0.4, () => BigInt(Math.round(from + way * random.between(4, 15) * pip))),
    distance: maybe(0.5, () => BigInt(Math.round(random.between(1, 10) * pip))),
    breakEven: maybe(0.3, () => BigInt(Math.round(random.between(1, 5) * pip))),
    group: random.chance(0.3) ? `${random.below(8)}0000000-0000-4000-8000-000000000000` : null,
  };
}

const text = (price: bigint | null) => (price === null ? null : priceText(Number(price)));

/** The body of `POST /api/trading/positions` that asks for it. */
export const bodyOf = (wish: Wish, accountId: string | undefined) => ({
  symbol: "EUR/USD",
  type: wish.side,
  amount: money(wish.amount),
  accountId,
  orderType: wish.kind,
  triggerPrice: text(wish.trigger),
  limitPrice: text(wish.limit),
  expiresAt: wish.expiresAt === null ? null : new Date(wish.expiresAt).toISOString(),
  stopLoss: text(wish.stop),
  takeProfit: text(wish.target),
  trailingDistance: text(wish.distance),
  breakEvenAt: text(wish.breakEven),
  ocoGroup: wish.group,
});
