import { LineStyle } from "lightweight-charts";
import { displayMoney, priceUnits, profitOf } from "../../src/lib/money";
import { pipOf } from "../../src/market/rules_listed";
import { dealPrice, sideWord } from "../../src/trading/rules_prices";
import { editPosition, type Position } from "../../src/trading/schema";
import { takePosition } from "../runtime/trading_store";
import { call } from "../wire/api";
import { attempt } from "../wire/attempt";
import { toast } from "../wire/toasts";
import type { Mark } from "./chart_handle";

/** A new exit begins so many pips away; for a coin this part of its price. */
const FIRST_PIPS = 20;
const FIRST_PART = 0.005;

/** Stop and target of an open position, or the offers to set them. A stop that trails has a line of its own kind, which goes with it. `last`: the newest price shown. */
export function exitMarks(position: Position, last: () => number | null): Mark[] {
  const { id, symbol, type, amount, openPrice, trailingDistance } = position;
  const of = `${sideWord(type)} ${symbol}, ${displayMoney(amount)}`;
  const shown = (price: string) =>
    `${dealPrice(price, symbol)}, ${openPrice ? displayMoney(profitOf(type, amount, priceUnits(openPrice), priceUnits(price)), { sign: true }) : ""}`;
  /** A first proposal, on the side where it would be taken. */
  const first = (above: boolean) => {
    const from = last() ?? Number(openPrice);
    const away = pipOf(symbol) ? (FIRST_PIPS * pipOf(symbol)) / 1e8 : from * FIRST_PART;
    return above ? from + away : from - away;
  };
  const exit = (kind: "stopLoss" | "takeProfit", word: string): Mark => ({
    key: `${id} ${kind}`,
    symbol,
    price: position[kind],
    tone: kind === "stopLoss" ? "loss" : "gain",
    line: kind === "stopLoss" && trailingDistance ? LineStyle.SparseDotted : LineStyle.Dashed,
    word,
    name: `${word} of ${of}`,
    shown,
    send: (price) => moveExit(position, kind, word, price),
    offer: { at: Number(openPrice), first: () => first((type === "buy") === (kind === "takeProfit")) },
  });
  return [exit("stopLoss", trailingDistance && position.stopLoss ? "Trailing stop" : "Stop"), exit("takeProfit", "Target")];
}

async function moveExit({ id, symbol }: Position, kind: "stopLoss" | "takeProfit", word: string, price: string | null): Promise<boolean> {
  const done = await attempt("That did not work", () => call(editPosition, { [kind]: price }, { params: { id } }));
  if (!done) return false;
  takePosition(done);
  const name = { Stop: "Stop loss", Target: "Take profit" }[word] ?? word;
  toast({ title: "Position changed", description: `${name} of ${symbol} is ${price === null ? "taken away" : `now ${price}`}.` });
  return true;
}
