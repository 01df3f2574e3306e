import { batch, signal } from "@preact/signals-react";
import { useEffect, useSyncExternalStore } from "react";
import { may } from "../../src/lib/may";
import { listNotifications, type Notification, readAllNotifications, readNotification, type Unread, unreadNotifications } from "../../src/notifications/schema";
import { myStream } from "../../src/portal/schema";
import { raiseHere } from "./alert_choice";
import { addressOf, ApiError, call } from "../wire/api";
import { attempt } from "../wire/attempt";
import { listen } from "../wire/stream";
import { toast } from "../wire/toasts";

/** What staff are told, as every island of the page shares it. Null until the browser knows. */
export const unread = signal<number | null>(null);
/** Newest first; null until somebody asked for them. */
export const news = signal<Notification[] | null>(null);

const KEPT = 50;
const PAGE = "20";
/** What is older than this when it comes was missed: it stands in the list, and no toast is made of it. */
const FRESH_MS = 30_000;
/** What comes in one breath is one toast. */
const BREATH_MS = 300;
/** So long may the stream take to send by itself what was missed. */
const CATCH_UP_MS = 1500;

type Told = Notification & { missed?: true };
type Events = { place: { last: number }; unread: Unread; notification: Told };

let seen = 0;
let begun = false;
let breath: Notification[] = [];

const never = () => () => {};

/**
 * Follows the news for as long as the page is open. False while an island must still look as the server drew it: another one may know
 * more before it wakes.
 */
export function useNews(): boolean {
  const here = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  useEffect(followNews, []);
  return here;
}

/** Begins to listen, once for the page. */
function followNews() {
  if (begun) return;
  begun = true;
  listen<Events>(myStream.path, {
    place: ({ last }) => seen > 0 && last > seen && setTimeout(() => void catchUp(last), CATCH_UP_MS),
    unread: ({ count, last }) => {
      unread.value = count;
      seen = Math.max(seen, last);
      if (count === 0) markShown(() => true);
    },
    notification: take,
  });
  void quietly(async () => {
    const { count, last } = await call(unreadNotifications);
    unread.value = count;
    seen = Math.max(seen, last);
  });
}

/** Loads the newest, or those before the last one shown. Resolves to whether there may be more. */
export async function loadNews(older = false): Promise<boolean> {
  const known = news.value ?? [];
  const cursor = older ? known.at(-1)?.number : undefined;
  const loaded = await attempt("Error", () => call(listNotifications, undefined, { query: { limit: PAGE, ...(cursor ? { cursor: String(cursor) } : {}) } }));
  if (!loaded) return true;
  news.value = older ? [...known, ...loaded] : loaded;
  return loaded.length === Number(PAGE);
}

/** Marks one as read. */
export async function readOne({ id, isRead, priority }: Notification): Promise<void> {
  if (isRead || !may("panel.own")) return;
  batch(() => {
    markShown((each) => each.id === id);
    if (priority !== "low") unread.value = Math.max(0, (unread.value ?? 1) - 1);
  });
  // The press that reads it often leaves the page: the word must arrive all the same. Where it does not, it stays unread.
  await fetch(addressOf(readNotification.path, { id }, {}), { method: "POST", credentials: "same-origin", keepalive: true }).catch(() => {});
}

/** Marks as read all that this page knows of; what comes in between stays unread. */
export async function readAll(): Promise<void> {
  const done = await attempt("Error", () => call(readAllNotifications, seen > 0 ? { through: seen } : {}));
  if (!done) return;
  batch(() => {
    unread.value = done.count;
    markShown(({ number }) => number <= seen);
  });
}

function take(told: Told) {
  if (told.number <= seen && news.value?.some(({ number }) => number === told.number)) return;
  const isNew = told.number > seen;
  seen = Math.max(seen, told.number);
  batch(() => {
    if (news.value) news.value = [told, ...news.value.filter(({ id }) => id !== told.id)].sort((a, b) => b.number - a.number).slice(0, KEPT);
    if (isNew && !told.missed && told.priority !== "low") unread.value = (unread.value ?? 0) + 1;
  });
  if (!isNew || told.missed || Date.now() - Date.parse(told.createdAt) > FRESH_MS) return;
  void raiseHere(told);
  if (told.priority === "low") return;
  if (breath.length === 0) setTimeout(exhale, BREATH_MS);
  breath.push(told);
}

function exhale() {
  const [first, ...more] = breath.toSorted((a, b) => rank(b) - rank(a) || b.number - a.number);
  breath = [];
  if (!first || document.visibilityState === "hidden") return;
  const others = more.length > 0 ? ` And ${more.length} more.` : "";
  toast({ title: first.title, description: `${first.message}${others}`, ...(first.type === "warning" ? { variant: "destructive" as const } : {}) });
}
const rank = ({ type, priority }: Notification) => (type === "warning" ? 2 : priority === "urgent" ? 1 : 0);

async function catchUp(last: number) {
  if (seen >= last) return;
  await quietly(async () => {
    const missed = await call(listNotifications, undefined, { query: { after: String(seen) } });
    for (const each of missed) take({ ...each, missed: true });
  });
}

function markShown(which: (each: Notification) => boolean) {
  if (news.value) news.value = news.value.map((each) => (which(each) ? { ...each, isRead: true } : each));
}

/** Ignores a failed request: the stream brings the same, and so does the next page. */
async function quietly(ask: () => Promise<void>) {
  try {
    await ask();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}
