import { signal } from "@preact/signals-react";
import { type Alert, type AlertEvent, listAlerts } from "../../src/alerts/schema";
import { myStream } from "../../src/portal/schema";
import { ApiError, call } from "../wire/api";
import { listen } from "../wire/stream";

/** The person's alerts that wait, and the newest that are over; null until they are known. */
export const alerts = signal<Alert[] | null>(null);

let members = 0;
let stop: (() => void) | null = null;
let heard = 0;

/** Takes an alert that is new, another or gone: from the stream, or as the answer to one's own action. */
export function takeAlert(news: AlertEvent) {
  heard += 1;
  const others = (alerts.peek() ?? []).filter(({ id }) => id !== news.id);
  alerts.value = news.status === "deleted" ? others : [news, ...others].sort((a, b) => b.createdAt.localeCompare(a.createdAt) || (a.id < b.id ? 1 : -1));
}

/** Reads them anew. Throws ApiError. */
export async function fetchAlerts(): Promise<void> {
  const before = heard;
  const [active, past] = await Promise.all([
    call(listAlerts, undefined, { query: { status: "active" } }),
    call(listAlerts, undefined, { query: { status: "past" } }),
  ]);
  if (heard !== before) return fetchAlerts();
  alerts.value = [...active, ...past];
}

/** Follows the person's alerts on every device until the way to stop is called. `first` is what the page already knows. */
export function followAlerts(first?: Alert[]): () => void {
  alerts.value ??= first ?? null;
  members += 1;
  // A stream begins with a snapshot; what changed before it, or while it was away, it does not tell.
  const renew = () => void fetchAlerts().catch((error: unknown) => error instanceof ApiError || console.error("alerts could not be read", error));
  stop ??= listen<{ snapshot: unknown; alert: AlertEvent }>(myStream.path, { snapshot: renew, alert: takeAlert });
  return () => {
    members -= 1;
    if (members > 0) return;
    stop?.();
    stop = null;
  };
}
