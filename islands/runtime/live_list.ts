import { useCallback, useEffect, useRef, useState } from "react";
import { type StaffChange, staffEvent, type StaffTopic } from "../../src/admin/schema";
import { myStream } from "../../src/portal/schema";
import { ApiError } from "../wire/api";
import { listen } from "../wire/stream";

/** How often is looked while the stream, which otherwise says when, is away. */
const FALLBACK_MS = 5000;
/**
 * A line that said nothing for twelve seconds is made anew, and one that is silent still, though nobody refused it, is told as lost this
 * soon after; at a page's beginning it is given longer.
 */
const SILENT_MS = 500;
const FIRST_MS = 5000;

const readers = new Set<() => Promise<void>>();
/** Brings every list and count of the page up to date, whichever island it is in: after an action that may have moved several. */
export const refreshLists = async (): Promise<void> => void (await Promise.all([...readers].map((load) => load())));

/** What a dialog is open for, with the ways to open and close it. Closing refreshes the page's lists, since something may have been decided. */
export function useAsked<T>(): [asked: T | null, ask: (what: T) => void, close: () => void] {
  const [asked, setAsked] = useState<T | null>(null);
  const close = () => {
    setAsked(null);
    void refreshLists();
  };
  return [asked, setAsked, close];
}

/** `lost`: the stream is away or the last look failed, so `value` may be what was known before. */
export type Live<T> = { value: T; lost: boolean; again: () => Promise<void> };

type Options = {
  /** Looks no more often than this, in ms, however much changes. */
  rest?: number;
  /** What comes too often to be followed at once; the rest of `about` does not wait for `rest`. Unsaid: all of it. */
  frequent?: readonly StaffTopic[];
  /** Looks every so many ms besides, while the page is seen: for figures that prices move. */
  every?: number;
  /** Looks also while nobody sees the page: for what its title says. */
  hidden?: boolean;
};

/**
 * A list as the page was drawn with it, fetched anew when the stream says that one of `about` changed, when the stream (re)connects, when the
 * page is seen again, and whenever `refreshLists` asks. While the stream is away it is looked every five seconds. An answer that was overtaken
 * by a later one is thrown away. Who is no administrator any more gets the page anew, which is then a gate.
 */
export function useLive<T>(
  first: T,
  load: () => Promise<T>,
  about: readonly StaffTopic[],
  { rest = 0, frequent = about, every, hidden = false }: Options = {},
): Live<T> {
  const [value, setValue] = useState(first);
  const [failed, setFailed] = useState(false);
  const [away, setAway] = useState(false);
  const asked = useRef(0);
  const taken = useRef(0);
  const latest = useRef({ load, about, rest, frequent, hidden });
  useEffect(() => {
    latest.current = { load, about, rest, frequent, hidden };
  });
  const refresh = useCallback(async () => {
    const turn = ++asked.current;
    try {
      const news = await latest.current.load();
      if (turn < taken.current) return;
      taken.current = turn;
      setValue(news);
      setFailed(false);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 403) return location.reload();
      if (turn >= taken.current) setFailed(true);
    }
  }, []);
  useEffect(() => {
    let missed = false;
    let loadedAt = 0;
    let later: ReturnType<typeof setTimeout> | undefined;
    let polling: ReturnType<typeof setInterval> | undefined;
    let silent: ReturnType<typeof setTimeout> | undefined;
    let opened = false;
    const isSeen = () => latest.current.hidden || document.visibilityState !== "hidden";
    const refreshNow = () => {
      clearTimeout(later);
      later = undefined;
      missed = !isSeen();
      if (missed) return;
      loadedAt = Date.now();
      void refresh();
    };
    const refreshSoon = () => {
      const wait = loadedAt + latest.current.rest - Date.now();
      if (wait <= 0) refreshNow();
      else later ??= setTimeout(refreshNow, wait);
    };
    const hear = ({ changed }: StaffChange) => {
      const topics = changed.filter((topic) => latest.current.about.includes(topic));
      if (topics.some((topic) => !latest.current.frequent.includes(topic))) refreshNow();
      else if (topics.length > 0) refreshSoon();
    };
    const clock = every === undefined ? undefined : setInterval(refreshNow, every);
    const whenSeen = () => missed && refreshNow();
    const stop = listen<{ [staffEvent]: StaffChange }>(myStream.path, { [staffEvent]: hear }, (state) => {
      clearTimeout(silent);
      if (state === "connecting") silent = setTimeout(setAway, opened ? SILENT_MS : FIRST_MS, true);
      else setAway(state === "lost");
      opened ||= state === "open";
      clearInterval(polling);
      polling = state === "open" ? undefined : setInterval(refreshNow, FALLBACK_MS);
      // What changed while nobody listened, between the page's drawing and now included.
      if (state === "open") refreshNow();
    });
    readers.add(refresh);
    document.addEventListener("visibilitychange", whenSeen);
    return () => {
      readers.delete(refresh);
      stop();
      clearTimeout(later);
      clearTimeout(silent);
      clearInterval(polling);
      clearInterval(clock);
      document.removeEventListener("visibilitychange", whenSeen);
    };
  }, [refresh, every]);
  return { value, lost: away || failed, again: refresh };
}
