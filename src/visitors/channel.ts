import { mayDo } from "../lib/permissions";
import type { Channel } from "../platform/app_context";
import type { VisitorBroadcaster } from "./broadcaster";

/** Staff's part of the signed-in's one stream: `visitors` at first, then each `visitor`, and `present` when who is there changed. */
export const visitorChannel =
  (broadcaster: VisitorBroadcaster): Channel =>
  (stream, me) =>
    mayDo(me, "visitors.read") ? broadcaster.join(stream) : () => {};
