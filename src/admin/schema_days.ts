import * as v from "valibot";
import { answer, endpoint } from "../lib/endpoint";
import { asFile } from "../lib/shapes";

/** The business day, the calendar day in UTC: what it brought, in USD, and its closing. */

const SAY = "A day is written as 2026-11-21.";
export const dayText = v.pipe(
  v.string(SAY),
  v.isoDate(SAY),
  v.check((text) => !Number.isNaN(Date.parse(text)), SAY),
  // Earlier days are nobody's here, and a year of five digits is none that a date is written with.
  v.check((text) => text >= "2000-01-01", SAY),
);

/** What the house's result is made of, in the order of the page. */
export const resultParts = ["spread", "clients", "commissions", "swaps", "corrections", "forgiven", "bonuses"] as const;
export const dayParts = [...resultParts, "in", "out"] as const;
export type DayPart = (typeof dayParts)[number];
export const methods = ["card", "bank", "crypto", "other"] as const;
export type DayMethod = (typeof methods)[number];

/** A part of the day in sums; `method` for money in and out alone. Amounts are the house's, but for money, which is the clients'. */
const partRow = v.strictObject({ part: v.picklist(dayParts), method: v.nullable(v.picklist(methods)), count: v.number(), amount: v.string() });
export type PartSum = v.InferOutput<typeof partRow>;
/** `lastEntry`: the number of the last entry of the ledger that is in them; 0 for a day without any. */
export const figuresRow = v.strictObject({ house: v.string(), moneyIn: v.string(), moneyOut: v.string(), parts: v.array(partRow), lastEntry: v.number() });
export type DayFigures = v.InferOutput<typeof figuresRow>;

/** A client of whom the day moved most. `result`: what the day's closings brought; `moneyIn` and `moneyOut`: paid in and out. */
export const moverRow = v.strictObject({
  userId: v.string(),
  firstName: v.string(),
  lastName: v.string(),
  email: v.string(),
  result: v.string(),
  moneyIn: v.string(),
  moneyOut: v.string(),
});
export type Mover = v.InferOutput<typeof moverRow>;

/** What was written down when the day was closed, and the entry of the audit book that holds the same. */
export const closedRow = v.strictObject({
  figures: figuresRow,
  floating: v.nullable(v.string()),
  closedAt: v.string(),
  closedBy: v.string(),
  entry: v.number(),
  hash: v.string(),
});
export type ClosedDay = v.InferOutput<typeof closedRow>;

/** Something that waits for staff. `late`: beyond what is promised; null where nothing is. */
export const queueNames = ["registrations", "deposits", "withdrawals", "corrections", "tickets", "chats", "contact", "documents", "roles"] as const;
export const queueRow = v.strictObject({ queue: v.picklist(queueNames), waiting: v.number(), oldest: v.nullable(v.string()), late: v.nullable(v.number()) });
export type Queue = v.InferOutput<typeof queueRow>;

/** `next`: the day that may be closed now; `behind`: how many days that are over wait for it. */
export type Closing = { next: string | null; behind: number };

export type DayBook = {
  day: string;
  today: string;
  figures: DayFigures;
  /**
   * What the house would gain if all clients' live positions closed now; of an earlier day, as it ended, by the last mid prices that are kept of it.
   * Null where a price is missing, and for a day that is closed, which has its own.
   */
  floating: string | null;
  byResult: Mover[];
  byMoney: Mover[];
  closed: ClosedDay | null;
  closing: Closing;
  queues: Queue[];
};

const dayParams = v.object({ day: dayText });
/** Today, or a day of the past. With `format=csv` its figures as a file. Answers 404 for a day to come. */
export const readDay = endpoint("GET /api/admin/days/:day", { params: dayParams, query: v.object(asFile), answer: answer<DayBook>() });
/** Answers 409 for a day that is not over, is closed already, or has an open day before it. */
export const closeDay = endpoint("POST /api/admin/days/:day/close", { params: dayParams, answer: answer<ClosedDay>() });

/** A line of the ledger that is in a figure. */
export const lineRow = v.strictObject({
  id: v.string(),
  at: v.string(),
  part: v.picklist(dayParts),
  method: v.nullable(v.string()),
  userId: v.nullable(v.string()),
  name: v.nullable(v.string()),
  email: v.nullable(v.string()),
  memo: v.string(),
  amount: v.string(),
});
export type DayLine = v.InferOutput<typeof lineRow>;
/** Which lines: of a part and method, or all; `since`: only what was booked after the day was closed. */
export const lineQuery = v.object({
  part: v.optional(v.picklist(["", ...dayParts]), ""),
  method: v.optional(v.picklist(["", ...methods]), ""),
  since: v.optional(v.picklist(["", "closing"]), ""),
  cursor: v.optional(v.pipe(v.string(), v.regex(/^\d{1,15}-[a-z]{2,12}$/))),
});
