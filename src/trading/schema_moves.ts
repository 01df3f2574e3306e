import * as v from "valibot";
import type { TradingAccount } from "../accounts/schema";
import type { GroupVersion } from "../accounts/schema_groups";
import { answer, endpoint } from "../lib/endpoint";
import { idParams, text } from "../lib/shapes";

/** A client's move from one group to another. */

export const standingRow = v.strictObject({
  accountId: v.string(),
  /** How many times it was moved. */
  moves: v.number(),
  /** The move that waits for its time; null: none does. */
  waiting: v.nullable(v.strictObject({ group: v.string(), name: v.string(), effectiveAt: v.string() })),
});
export type HeldAccount = TradingAccount & Omit<v.InferOutput<typeof standingRow>, "accountId">;

/** `groups`: the terms in force of those that an account may be moved to; none where the caller may not move any. */
export type HeldAccounts = { accounts: HeldAccount[]; groups: GroupVersion[] };
export const listHeldAccounts = endpoint("GET /api/admin/users/:id/trading-accounts", { params: idParams, answer: answer<HeldAccounts>() });

/** `version`: how many moves were looked at; where there was another since, nothing happens (conflict). The group where it is takes back a move that waits. */
export const moveBody = v.object({
  group: v.pipe(v.string("Choose a group."), v.regex(/^[a-z]{1,20}$/, "Choose a group.")),
  version: v.pipe(
    v.union([v.string(), v.number()], "A version is required"),
    v.transform(Number),
    v.integer("version must be a whole number"),
    v.minValue(0, "version must be a whole number"),
    v.maxValue(1_000_000, "version must be a whole number"),
  ),
  reason: text(500, "A reason is required"),
});
/** From when on it is there: later than now where it has open positions or waiting orders and the terms are worse. */
export type Moved = { group: string; effectiveAt: string };
export const moveAccount = endpoint("POST /api/admin/trading-accounts/:id/move", { params: idParams, body: moveBody, answer: answer<Moved>() });
