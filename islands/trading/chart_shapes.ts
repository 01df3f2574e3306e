import { displayPrice } from "../../src/lib/money";
import { pipOf } from "../../src/market/rules_listed";
import { digitsOf } from "../../src/trading/rules_prices";
import type { Drawing, Tool } from "../../src/trading/schema_layouts";
import { signed } from "./chart_legend";

/** What each drawing is called. */
export const TOOL_WORDS: Record<Tool, string> = {
  trend: "Trend line",
  ray: "Ray",
  horizontal: "Horizontal line",
  vertical: "Vertical line",
  channel: "Channel",
  fibonacci: "Fibonacci retracement",
  rectangle: "Rectangle",
  text: "Text",
  measure: "Measure",
};

/** The levels of a retracement, as parts of the way back from the second point to the first. */
export const LEVELS = [0, 0.236, 0.382, 0.5, 0.618, 0.786, 1];

export type Spot = { x: number; y: number };
export type Canvas = { context: CanvasRenderingContext2D; width: number; height: number; color: string; faint: string; ink: string };

/** What the measure says between its points: the price, in per cent and, for a pair, in pips, and the candles. */
export function measureWords({ symbol, points: [from, to] }: Drawing, candles: number): string {
  if (!from || !to) return "";
  const move = to.price - from.price;
  const pip = pipOf(symbol) / 1e8;
  const pips = pip > 0 ? `, ${signed(move / pip, 1)} pips` : "";
  return `${signed(move, digitsOf(symbol))} (${signed((100 * move) / from.price, 2)}%)${pips}, ${Math.abs(candles)} candle${Math.abs(candles) === 1 ? "" : "s"}`;
}

/** What a drawing is drawn in: how large, and where a price stands on it. */
export type Ground = { width: number; height: number; yOf: (price: number) => number | null };

/** The lines that a drawing consists of; `spots` are where its points are, in pixels. None of a text, which has its words. */
export function linesOf(drawing: Pick<Drawing, "tool" | "points">, spots: readonly Spot[], { width, height, yOf }: Ground): [Spot, Spot][] {
  const [a, b, c] = spots;
  if (!a || drawing.tool === "text") return [];
  if (drawing.tool === "horizontal")
    return [
      [
        { x: 0, y: a.y },
        { x: width, y: a.y },
      ],
    ];
  if (drawing.tool === "vertical")
    return [
      [
        { x: a.x, y: 0 },
        { x: a.x, y: height },
      ],
    ];
  if (!b) return [];
  switch (drawing.tool) {
    case "trend":
      return [[a, b]];
    case "ray":
      return [[a, rayEnd(a, b, width, height)]];
    case "rectangle":
    case "measure": {
      const corners = [a, { x: b.x, y: a.y }, b, { x: a.x, y: b.y }, a];
      return corners.slice(1).map((corner, at) => [corners[at] ?? a, corner]);
    }
    case "fibonacci": {
      const left = Math.min(a.x, b.x);
      const levels = levelsOf(drawing).flatMap(({ price }): [Spot, Spot][] => {
        const y = yOf(price);
        return y === null
          ? []
          : [
              [
                { x: left, y },
                { x: width, y },
              ],
            ];
      });
      return [...levels, [a, b]];
    }
    case "channel": {
      if (!c) return [[a, b]];
      const away = c.y - onLine(a, b, c.x);
      return [
        [a, b],
        [
          { x: a.x, y: a.y + away },
          { x: b.x, y: b.y + away },
        ],
      ];
    }
  }
}

function levelsOf({ points: [from, to] }: Pick<Drawing, "points">): { level: number; price: number }[] {
  return from && to ? LEVELS.map((level) => ({ level, price: to.price + (from.price - to.price) * level })) : [];
}

/** Where a text begins, beside its point, in pixels; and how wide a letter of it is about, and how high. */
const TEXT = { x: 10, y: -8, letter: 7, high: 12 };

/** How far a spot is from what is drawn of one, in pixels. */
export function distanceTo(drawing: Drawing, spots: readonly Spot[], ground: Ground, spot: Spot): number {
  const [a] = spots;
  if (drawing.tool === "text" && a) {
    const [left, bottom] = [a.x + TEXT.x, a.y + TEXT.y];
    const dx = Math.max(left - spot.x, 0, spot.x - left - TEXT.letter * (drawing.text || "Text").length);
    return Math.hypot(dx, Math.max(bottom - TEXT.high - spot.y, 0, spot.y - bottom));
  }
  return Math.min(...linesOf(drawing, spots, ground).map(([from, to]) => distanceToLine(from, to, spot)));
}

function distanceToLine(from: Spot, to: Spot, { x, y }: Spot): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const along = dx === 0 && dy === 0 ? 0 : Math.max(0, Math.min(1, ((x - from.x) * dx + (y - from.y) * dy) / (dx * dx + dy * dy)));
  return Math.hypot(x - from.x - along * dx, y - from.y - along * dy);
}

/** Draws one on the canvas; `spots` are where its points are, in pixels. */
export function paint(canvas: Canvas, drawing: Drawing, spots: readonly Spot[], words: string, yOf: (price: number) => number | null) {
  const { context, width, height, color, faint, ink } = canvas;
  const [a, b] = spots;
  if (!a) return;
  context.strokeStyle = color;
  context.fillStyle = faint;
  context.lineWidth = 1.5;
  context.font = "12px sans-serif";
  const say = (text: string, x: number, y: number) => {
    context.fillStyle = ink;
    context.fillText(text, x, y);
    context.fillStyle = faint;
  };
  const lines = linesOf(drawing, spots, { width, height, yOf });
  const [first, second] = lines;
  if (drawing.tool === "channel" && first && second) {
    context.beginPath();
    for (const [at, { x, y }] of [...first, second[1], second[0]].entries()) context[at === 0 ? "moveTo" : "lineTo"](x, y);
    context.fill();
  }
  if ((drawing.tool === "rectangle" || drawing.tool === "measure") && b) context.fillRect(a.x, a.y, b.x - a.x, b.y - a.y);
  context.beginPath();
  for (const [from, to] of lines) {
    context.moveTo(from.x, from.y);
    context.lineTo(to.x, to.y);
  }
  context.stroke();
  if (drawing.tool === "text") say(drawing.text || "Text", a.x + TEXT.x, a.y + TEXT.y);
  if (!b) return;
  if (words) say(words, Math.max(4, Math.min(a.x, b.x, width - context.measureText(words).width - 4)), Math.min(a.y, b.y) - 6);
  if (drawing.tool !== "fibonacci") return;
  // Where levels are closer than their words are high, some go without.
  let said = Number.NEGATIVE_INFINITY;
  const digits = digitsOf(drawing.symbol);
  for (const { level, price } of levelsOf(drawing)) {
    const y = yOf(price);
    if (y === null || Math.abs(y - said) < 14) continue;
    said = y;
    say(`${(level * 100).toFixed(1)}%  ${displayPrice(price.toFixed(digits), digits)}`, Math.min(a.x, b.x) + 4, y - 3);
  }
}

/** How high the line through two spots is at `x`. */
const onLine = (a: Spot, b: Spot, x: number) => (b.x === a.x ? a.y : a.y + ((b.y - a.y) * (x - a.x)) / (b.x - a.x));

/** Where the ray from `a` through `b` leaves the chart. */
export function rayEnd(a: Spot, b: Spot, width: number, height: number): Spot {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const steps = [dx > 0 ? (width - a.x) / dx : dx < 0 ? -a.x / dx : Infinity, dy > 0 ? (height - a.y) / dy : dy < 0 ? -a.y / dy : Infinity];
  const far = Math.max(1, Math.min(...steps));
  return Number.isFinite(far) ? { x: a.x + dx * far, y: a.y + dy * far } : b;
}
