import { signal } from "@preact/signals-react";
import { myStream } from "../../src/portal/schema";
import { putWatchlists, readWatchlists, type Watchlist, type Watchlists } from "../../src/watchlists/schema";
import { ApiError, call } from "../wire/api";
import { tellRefusal } from "../wire/attempt";
import { listen } from "../wire/stream";

/** The person's lists as this device shows them: what the server holds, or what it is being told. Null until they are known. */
export const book = signal<Watchlists | null>(null);

/** Changed here and not told yet. */
let changed = false;
let telling: Promise<void> | null = null;

function take(news: Watchlists) {
  if (changed || telling || (book.peek()?.version ?? -1) > news.version) return;
  book.value = news;
}

/** Reads the lists anew. Throws ApiError. */
export async function fetchWatchlists(): Promise<void> {
  take(await call(readWatchlists));
}

/** Follows the lists on every device until the way to stop is called. */
export const followWatchlists = (): (() => void) => {
  // A stream begins with a snapshot; what changed before it, or while it was away, it does not tell.
  const renew = () => void fetchWatchlists().catch((error: unknown) => error instanceof ApiError || console.error("watchlists could not be read", error));
  return listen<{ snapshot: unknown; watchlists: Watchlists }>(myStream.path, { snapshot: renew, watchlists: take });
};

/**
 * Shows these lists at once and tells the server; what changes meanwhile is told together after it. What it refuses, since another device
 * was first, say, is taken back: today's lists are shown, and a toast says why.
 */
export function keepWatchlists(lists: Watchlist[]): void {
  const known = book.peek();
  if (!known) return;
  book.value = { ...known, lists };
  changed = true;
  telling ??= tell().finally(() => (telling = null));
}

/** Gives a list that was deleted its place back, among those that there are by now. */
export function putBack(list: Watchlist, place: number): void {
  const lists = book.peek()?.lists;
  if (lists?.every(({ id }) => id !== list.id)) keepWatchlists(lists.toSpliced(place, 0, list));
}

async function tell(): Promise<void> {
  while (changed) {
    changed = false;
    const { version, lists } = book.peek() as Watchlists;
    try {
      const kept = await call(putWatchlists, { version, lists });
      book.value = changed ? { version: kept.version, lists: book.peek()?.lists ?? [] } : kept;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      changed = false;
      tellRefusal("Watchlists not changed", error);
      book.value = await call(readWatchlists).catch(() => ({ version, lists }));
    }
  }
}
