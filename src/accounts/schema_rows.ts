import * as v from "valibot";
import { spreadRule, swapRule } from "./schema_groups";

/** What queries read, each row held to its shape: for the server alone, so that no browser is sent it. */

/**
 * `fee`, where it is not null, is taken instead: a night for each $100,000 held. `open`: of instruments with hours of their own the nights to
 * come that move something.
 */
const swapTerms = v.strictObject({
  rules: v.array(swapRule),
  fee: v.nullable(v.string()),
  open: v.nullable(v.record(v.string(), v.array(v.string()))),
});
export type SwapTerms = v.InferOutput<typeof swapTerms>;

/** What a group says of spreads: the least of a pair in pips, and by class or symbol; null: nothing. */
export const spreadEntries = { spreadsFrom: v.string(), spreads: v.optional(v.nullable(v.array(spreadRule))) };

/** A tier: what it asks and what it gives. Money and pips as decimal strings, leverage as advertised ('up to'). */
export const accountTypeRow = v.strictObject({
  id: v.string(),
  name: v.string(),
  minimumDeposit: v.string(),
  spreadsFrom: v.string(),
  leverage: v.string(),
  features: v.array(v.string()),
  isActive: v.boolean(),
});

/** A trading account with its state on the quotes of this moment; `marginLevel` in per cent, null with no margin in use. */
export const accountRow = v.strictObject({
  id: v.string(),
  /** Its owner's own name for it; null for none. */
  name: v.nullable(v.string()),
  accountNumber: v.string(),
  accountType: v.string(),
  accountTypeId: v.string(),
  balance: v.string(),
  equity: v.string(),
  margin: v.string(),
  freeMargin: v.string(),
  marginLevel: v.nullable(v.string()),
  isDemo: v.boolean(),
  status: v.picklist(["active", "closed"]),
  leverage: v.string(),
  /** Where its owner's country allows less, by the group of instruments: { "crypto": "1:2" }. */
  caps: v.optional(v.nullable(v.record(v.string(), v.string()))),
  ...spreadEntries,
  /** Of its group's terms. */
  version: v.optional(v.number()),
  /** While the notice of worse terms runs, the earlier ones that something open is still closed by, by version; else null. */
  held: v.optional(v.nullable(v.record(v.string(), v.strictObject(spreadEntries)))),
  /** A side, for each $100,000 dealt. */
  commission: v.optional(v.string()),
  /** What the next 17:00 in New York goes by; null where it moves nothing. */
  swap: v.optional(v.nullable(swapTerms)),
  minimumDeposit: v.string(),
  fundedTotal: v.string(),
  /** What the house paid for losses beyond the balance, and profits repay first. */
  advance: v.string(),
  lastTradedAt: v.nullable(v.string()),
  createdAt: v.string(),
  updatedAt: v.string(),
});
