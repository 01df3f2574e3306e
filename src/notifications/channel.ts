import { mayDo } from "../lib/permissions";
import type { Channel } from "../platform/app_context";
import type { Broadcaster } from "./broadcaster";

/** On the stream that all domains share, ids say whose they are. */
const PREFIX = "n";

/** Staff's part of the signed-in's one stream: `place` and `unread` at first, then each `notification` and every change of `unread`. */
export const notificationChannel =
  (broadcaster: Broadcaster): Channel =>
  (stream, me, { since }) => {
    if (!mayDo(me, "panel.read")) return () => {};
    const place = since?.startsWith(PREFIX) ? placeOf(since.slice(PREFIX.length)) : null;
    return broadcaster.join(stream, me, place, PREFIX);
  };

/** The number that a reader names as the last one seen; null where it is none. */
export const placeOf = (id: string | null): number | null => (id !== null && /^\d{1,15}$/.test(id) ? Number(id) : null);
