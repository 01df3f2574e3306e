import * as v from "valibot";

/** What queries read, each row held to its shape: for the server alone, so that no browser is sent it. */

/** Positions open now and closed, how many of those with a profit, and that in per cent. Waiting orders are in none of the counts. */
export const recordRow = v.strictObject({ open: v.number(), closed: v.number(), won: v.number(), winRate: v.string() });

/** Booked on live accounts since the first of the month (UTC), in USD, and in per cent of the money without it; null where there was none. */
export const monthRow = v.strictObject({ profit: v.string(), percent: v.nullable(v.string()) });

/** Something that a person did; `subject` in words that follow its kind, amounts in USD unless the subject names another currency. */
export const activityRow = v.strictObject({
  id: v.string(),
  kind: v.picklist(["opened", "waiting", "closed", "cancelled", "margin_call", "deposit", "withdrawal", "transfer"]),
  at: v.string(),
  subject: v.string(),
  amount: v.string(),
  profit: v.nullable(v.string()),
  status: v.string(),
  isDemo: v.boolean(),
});

/** How one account traded: closed positions, those with a profit, their share in per cent, and what all of them brought in USD. */
export const resultRow = v.strictObject({ closed: v.number(), won: v.number(), winRate: v.string(), realised: v.string() });
