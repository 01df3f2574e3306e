import { displayPrice } from "../../src/lib/money";
import { pipOf } from "../../src/market/schema";
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

/** Draws one on the canvas; `spots` are where its points are, in pixels. */
export function paint(canvas: Canvas, drawing: Drawing, spots: readonly Spot[], words: string, yOf: (price: number) => number | null) {
  const { context, width, height, color, faint, ink } = canvas;
  const [a, b, c] = spots;
  if (!a) return;
  context.strokeStyle = color;
  context.fillStyle = faint;
  context.lineWidth = 1.5;
  context.font = "12px sans-serif";
  const line = (from: Spot, to: Spot) => {
    context.beginPath();
    context.moveTo(from.x, from.y);
    context.lineTo(to.x, to.y);
    context.stroke();
  };
  const say = (text: string, x: number, y: number) => {
    context.fillStyle = ink;
    context.fillText(text, x, y);
    context.fillStyle = faint;
  };
  switch (drawing.tool) {
    case "horizontal":
      return line({ x: 0, y: a.y }, { x: width, y: a.y });
    case "vertical":
      return line({ x: a.x, y: 0 }, { x: a.x, y: height });
    case "text":
      return say(drawing.text || "Text", a.x + 10, a.y - 8);
  }
  if (!b) return;
  switch (drawing.tool) {
    case "trend":
      return line(a, b);
    case "ray":
      return line(a, rayEnd(a, b, width, height));
    case "rectangle":
    case "measure":
      context.fillRect(a.x, a.y, b.x - a.x, b.y - a.y);
      context.strokeRect(a.x, a.y, b.x - a.x, b.y - a.y);
      if (words) say(words, Math.max(4, Math.min(a.x, b.x, width - context.measureText(words).width - 4)), Math.min(a.y, b.y) - 6);
      return;
    case "fibonacci": {
      const [from, to] = drawing.points;
      if (!from || !to) return;
      const left = Math.min(a.x, b.x);
      // Where levels are closer than their words are high, some go without.
      let said = Number.NEGATIVE_INFINITY;
      for (const level of LEVELS) {
        const price = to.price + (from.price - to.price) * level;
        const y = yOf(price);
        if (y === null) continue;
        line({ x: left, y }, { x: width, y });
        if (Math.abs(y - said) < 14) continue;
        said = y;
        say(`${(level * 100).toFixed(1)}%  ${displayPrice(price.toFixed(digitsOf(drawing.symbol)), digitsOf(drawing.symbol))}`, left + 4, y - 3);
      }
      return line(a, b);
    }
    case "channel": {
      if (!c) return line(a, b);
      const away = c.y - onLine(a, b, c.x);
      const [d, e] = [
        { x: a.x, y: a.y + away },
        { x: b.x, y: b.y + away },
      ];
      context.beginPath();
      for (const [at, { x, y }] of [a, b, e, d].entries()) context[at === 0 ? "moveTo" : "lineTo"](x, y);
      context.fill();
      line(a, b);
      return line(d, e);
    }
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
