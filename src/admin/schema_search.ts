import * as v from "valibot";
import { answer, endpoint } from "../lib/endpoint";

/** What staff's one search finds, in the order in which it is shown. */
export const foundKinds = ["person", "account", "deposit", "withdrawal", "registration", "ticket", "chat", "position", "wallet"] as const;
export type FoundKind = (typeof foundKinds)[number];
/** `title` and `detail` are words to read; `href` is where it is decided about or looked at. */
export type Found = { kind: FoundKind; id: string; title: string; detail: string; href: string };

/** What is longer than anything that could be found is cut, not refused. */
const LONGEST = 200;
export const searchQuery = v.object({
  q: v.optional(
    v.pipe(
      v.string(),
      v.transform((text) => text.trim().slice(0, LONGEST)),
    ),
    "",
  ),
});

/** People, accounts, requests, tickets, chats, positions and wallets: at most five of each kind. */
export const searchAll = endpoint("GET /api/admin/search", { query: searchQuery, answer: answer<Found[]>() });
