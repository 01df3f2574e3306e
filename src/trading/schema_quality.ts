import * as v from "valibot";

/** Fills of this many days count. */
export const QUALITY_DAYS = 30;

const slippage = { worseByMore: v.number(), worse: v.number(), asRequested: v.number(), better: v.number(), betterByMore: v.number() };

/**
 * How one book's orders were filled. Slippage counts fills whose order named the price that its trader saw. `worseByMore` and `betterByMore`:
 * by more than 0.01 % of the price. `averageSlippage` is in hundredths of a percent, positive against the trader. Ages and latencies in
 * milliseconds; null where nothing was measured.
 */
export const qualityRow = v.strictObject({
  isDemo: v.boolean(),
  fills: v.number(),
  opened: v.number(),
  closed: v.number(),
  ...slippage,
  averageSlippage: v.nullable(v.string()),
  medianAge: v.nullable(v.string()),
  worstAge: v.nullable(v.string()),
  medianLatency: v.nullable(v.string()),
  worstLatency: v.nullable(v.string()),
  stopOuts: v.number(),
  corrections: v.number(),
  correctionsAgainst: v.number(),
});
export type Quality = v.InferOutput<typeof qualityRow>;
