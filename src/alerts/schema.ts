import * as v from "valibot";
import { answer, endpoint } from "../lib/endpoint";
import { idParams, listQuery, optionalText, price } from "../lib/shapes";
import { instrumentOf } from "../market/rules_listed";

export const alertSides = ["bid", "ask", "mid"] as const;
export const alertConditions = ["above", "below", "crosses"] as const;
export type AlertSide = (typeof alertSides)[number];
export type AlertCondition = (typeof alertConditions)[number];

/** Of each person, active at once. */
export const MOST_ALERTS = 50;
export const LONGEST_NOTE = 200;

/**
 * An alert on the market's own prices, before any account's spread; `mid` is what charts show. Prices as decimal strings. What comes after
 * `status` is null until it fired: when that was noted, the tick that reached it, and the side's price on it.
 */
export const alertRow = v.strictObject({
  id: v.string(),
  symbol: v.string(),
  side: v.picklist(alertSides),
  condition: v.picklist(alertConditions),
  price: v.string(),
  note: v.string(),
  expiresAt: v.nullable(v.string()),
  createdAt: v.string(),
  status: v.picklist(["active", "fired", "expired"]),
  firedAt: v.nullable(v.string()),
  quoteId: v.nullable(v.number()),
  quoteTime: v.nullable(v.string()),
  bid: v.nullable(v.string()),
  ask: v.nullable(v.string()),
  firedPrice: v.nullable(v.string()),
});
export type Alert = v.InferOutput<typeof alertRow>;
/** On the person's stream: an alert that is new or another, or the id of one that is gone. */
export type AlertEvent = Alert | { id: string; status: "deleted" };

const UNTIL = "expiresAt must be a date and time with a zone.";
/** The shape of an alert, as the server takes it and its dialog checks it. */
export const alertBody = v.object({
  symbol: v.pipe(
    v.string("Choose an instrument."),
    v.check((symbol) => instrumentOf(symbol) !== undefined, "Choose an instrument."),
  ),
  side: v.optional(v.picklist(alertSides, "side must be bid, ask or mid."), "mid"),
  condition: v.picklist(alertConditions, "condition must be above, below or crosses."),
  price,
  note: optionalText(LONGEST_NOTE),
  expiresAt: v.optional(v.nullable(v.pipe(v.string(UNTIL), v.isoTimestamp(UNTIL))), null),
});

export const listAlerts = endpoint("GET /api/alerts", {
  query: v.object({ ...listQuery.entries, status: v.optional(v.picklist(["all", "active", "past"], "status must be all, active or past."), "all") }),
  answer: answer<Alert[]>(),
});
export const setAlert = endpoint("POST /api/alerts", { once: true, body: alertBody, answer: answer<Alert>(), status: 201 });
export const deleteAlert = endpoint("DELETE /api/alerts/:id", { params: idParams });
