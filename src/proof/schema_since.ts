import * as v from "valibot";

/** Stands by itself: what asks for proofs needs no more of the log, and a browser would fetch all of it, its hashes included. */

/** How many records the log had at the checkpoint that somebody kept. */
const since = v.nullable(v.pipe(v.string(), v.regex(/^\d{1,15}$/, "since must be the number of records of a checkpoint."), v.transform(Number)));
export const sinceQuery = v.object({ since: v.optional(since, null) });
