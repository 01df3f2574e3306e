import * as v from "valibot";
import { answer, endpoint } from "../lib/endpoint";
import { idText, text } from "../lib/shapes";
import { instrumentOf } from "../market/rules_listed";

export const MOST_LISTS = 20;
export const MOST_SYMBOLS = 100;
export const LONGEST_NAME = 40;

/** One list: its id is a UUID chosen by the device that made it. */
export type Watchlist = { id: string; name: string; symbols: string[] };
/** All lists of a person in their order. `version` counts the writings; 0 before the first. */
export type Watchlists = { version: number; lists: Watchlist[] };
/** What a writing that came too late hears: today's lists beside the refusal. */
export type WatchlistsConflict = { message: string; code: "conflict"; current: Watchlists };

const symbol = v.pipe(
  v.string("Unknown symbol."),
  v.check((each) => instrumentOf(each) !== undefined, "Unknown symbol."),
);
const list = v.object({
  id: idText("id must be a UUID in lower case."),
  name: text(LONGEST_NAME, "Name the list."),
  symbols: v.pipe(v.array(symbol, "symbols must be a list."), v.maxLength(MOST_SYMBOLS, `A list holds at most ${MOST_SYMBOLS} instruments.`)),
});

/** All lists in their order; `version` is that of the state they were made from. */
export const watchlistsBody = v.object({
  version: v.pipe(v.number("version must be a whole number."), v.safeInteger("version must be a whole number."), v.minValue(0, "version must be 0 or more.")),
  lists: v.pipe(v.array(list, "lists must be a list."), v.maxLength(MOST_LISTS, `At most ${MOST_LISTS} lists.`)),
});

export const readWatchlists = endpoint("GET /api/watchlists", { answer: answer<Watchlists>() });
/** Puts these lists in place of all that were there. 409 with `current` where another device wrote since `version`. */
export const putWatchlists = endpoint("PUT /api/watchlists", { body: watchlistsBody, answer: answer<Watchlists>() });
