import type { Channel } from "../platform/house";
import type { VisitorFeed } from "./feed";

/** Staff's part of the signed-in's one stream: `visitors` at first, then each `visitor`, and `present` when who is there changed. */
export const visitorChannel =
  (feed: VisitorFeed): Channel =>
  (stream, me) =>
    me.role === "admin" ? feed.join(stream) : () => {};
