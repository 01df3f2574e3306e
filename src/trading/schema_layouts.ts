import * as v from "valibot";
import { answer, endpoint } from "../lib/endpoint";
import { text } from "../lib/shapes";
import { instrumentOf } from "../market/rules_listed";
import { INTERVALS } from "../market/schema";
import { indicatorOf, isParam } from "./rules_indicators";

/** What a chart shows beside its prices, as it is kept for a person. */

export const MOST_LAYOUTS = 20;
export const LONGEST_LAYOUT_NAME = 40;
/** So many come through a call whole: it takes 64 kB and a thousand parts (`platform/http/body`). */
export const MOST_DRAWINGS = 60;
export const MOST_INDICATORS = 12;
export const LONGEST_TEXT = 100;

export const KINDS = ["candles", "bars", "line", "area", "heikin-ashi"] as const;
/** The drawings, each with how many points it is made of. */
export const TOOLS = { trend: 2, ray: 2, horizontal: 1, vertical: 1, channel: 3, fibonacci: 2, rectangle: 2, text: 1, measure: 2 } as const;
export type Tool = keyof typeof TOOLS;
const TOOL_NAMES = Object.keys(TOOLS) as Tool[];

const symbol = v.pipe(
  v.string("Unknown symbol."),
  v.check((each) => instrumentOf(each) !== undefined, "Unknown symbol."),
);
const interval = v.picklist(INTERVALS, `interval must be one of ${INTERVALS.join(", ")}.`);
const number = (message: string, least: number, most: number) => v.pipe(v.number(message), v.minValue(least, message), v.maxValue(most, message));
/** A moment of a drawing may lie ahead of the newest candle. Unix seconds. */
const point = v.strictObject({
  time: number("time must be Unix seconds.", 0, 9_999_999_999),
  price: number("price must be above zero.", 1e-8, 90_000_000),
});

const indicator = v.pipe(
  v.strictObject({
    name: v.pipe(
      v.string("Unknown indicator."),
      v.check((name) => indicatorOf(name) !== undefined, "Unknown indicator."),
    ),
    params: v.array(v.number("A parameter must be a number."), "params must be a list."),
  }),
  v.forward(
    v.check(({ name, params }) => {
      const wanted = indicatorOf(name)?.params ?? [];
      return wanted.length === params.length && wanted.every((param, at) => isParam(param, params[at] ?? 0));
    }, "These are not this indicator's parameters."),
    ["params"],
  ),
);
const drawing = v.pipe(
  v.strictObject({
    symbol,
    tool: v.picklist(TOOL_NAMES, `tool must be one of ${TOOL_NAMES.join(", ")}.`),
    points: v.pipe(v.array(point, "points must be a list."), v.maxLength(3, "At most 3 points.")),
    text: v.pipe(v.string("text must be text."), v.maxLength(LONGEST_TEXT, `At most ${LONGEST_TEXT} characters.`)),
  }),
  v.forward(
    v.check(({ tool, points }) => TOOLS[tool] === points.length, "This drawing is made of another number of points."),
    ["points"],
  ),
);

const yesOrNo = (name: string) => v.boolean(`${name} must be true or false.`);
export const layoutBody = v.strictObject({
  kind: v.picklist(KINDS, `kind must be one of ${KINDS.join(", ")}.`),
  interval,
  log: yesOrNo("log"),
  utc: yesOrNo("utc"),
  bidAsk: yesOrNo("bidAsk"),
  /** Whether past fills are marked. */
  fills: yesOrNo("fills"),
  compare: v.nullable(symbol),
  indicators: v.pipe(v.array(indicator, "indicators must be a list."), v.maxLength(MOST_INDICATORS, `At most ${MOST_INDICATORS} indicators.`)),
  drawings: v.pipe(v.array(drawing, "drawings must be a list."), v.maxLength(MOST_DRAWINGS, `At most ${MOST_DRAWINGS} drawings.`)),
  /** The charts beside the first. */
  charts: v.pipe(v.array(v.strictObject({ symbol, interval }), "charts must be a list."), v.maxLength(3, "At most 3 charts beside the first.")),
});
export type ChartLayout = v.InferOutput<typeof layoutBody>;
export type Drawing = ChartLayout["drawings"][number];
export type Point = Drawing["points"][number];

export type LayoutName = { name: string; updatedAt: string };

const params = v.object({ name: text(LONGEST_LAYOUT_NAME, "Name the layout.") });
/** The one that was written last comes first. */
export const listLayouts = endpoint("GET /api/chart-layouts", { answer: answer<LayoutName[]>() });
export const readLayout = endpoint("GET /api/chart-layouts/:name", { params, answer: answer<ChartLayout>() });
/** Writes it, whether or not there was one of that name. */
export const putLayout = endpoint("PUT /api/chart-layouts/:name", { params, body: layoutBody, answer: answer<LayoutName>() });
export const deleteLayout = endpoint("DELETE /api/chart-layouts/:name", { params });
