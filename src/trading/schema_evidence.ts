import * as v from "valibot";
import type { Receipt } from "./schema";

/** A tick of the minute around a fill. */
export const tickRow = v.strictObject({ seq: v.number(), at: v.string(), bid: v.string(), ask: v.string() });
export type EvidenceTick = v.InferOutput<typeof tickRow>;
export type Evidence = { receipt: Receipt; ticks: EvidenceTick[] };
