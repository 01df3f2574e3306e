import * as v from "valibot";
import { answer, endpoint } from "../lib/endpoint";
import type { Batch } from "./rules_verify_between";

const seq = (name: string) => v.pipe(v.string(), v.regex(/^\d{1,16}$/, `${name} must be the number of a tick.`), v.transform(Number));
/**
 * The batches of the log that have ticks after `after` and before `before`, with all of their ticks, the oldest first; some at a time: ask again
 * after the last tick that came. `missing`: there are such batches, but their ticks are no longer kept.
 */
export const ticksBetween = endpoint("GET /api/log/ticks", {
  query: v.object({ after: seq("after"), before: seq("before") }),
  answer: answer<{ batches: Batch[]; more: boolean; missing: boolean }>(),
});
