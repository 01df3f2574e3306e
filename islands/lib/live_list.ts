import { useCallback, useEffect, useRef, useState } from "react";
import { type DeskChange, deskEvent, type DeskTopic } from "../../src/admin/schema";
import { myStream } from "../../src/portal/schema";
import { ApiError } from "./api";
import { listen } from "./stream";

/** How often is looked while the stream, which otherwise says when, is away. */
const FALLBACK_MS = 5000;

const lookers = new Set<() => Promise<void>>();
/** Brings every list and count of the page up to date, whichever island it is in: after a deed that may have moved several. */
export const lookAgain = async (): Promise<void> => void (await Promise.all([...lookers].map((look) => look())));

/** What a dialog is open for, how it is opened, and how it is closed: then the page is looked at again, for something may have been decided. */
export function useAsked<T>(): [asked: T | null, ask: (what: T) => void, close: () => void] {
  const [asked, setAsked] = useState<T | null>(null);
  const close = () => {
    setAsked(null);
    void lookAgain();
  };
  return [asked, setAsked, close];
}

/** `lost`: the stream is away or the last look failed, so `value` may be what was known before. */
export type Live<T> = { value: T; lost: boolean; again: () => Promise<void> };

type Options = {
  /** Looks no more often than this, in ms, however much changes. */
  rest?: number;
  /** What comes too often to be followed at once; the rest of `about` does not wait for `rest`. Unsaid: all of it. */
  frequent?: readonly DeskTopic[];
  /** Looks every so many ms besides, while the page is seen: for figures that prices move. */
  every?: number;
  /** Looks also while nobody sees the page: for what its title says. */
  hidden?: boolean;
};

/**
 * What the page knew, brought up to date when the stream says that one of `about` changed, when the stream comes (again), when the
 * page is seen again, and whenever `lookAgain` asks. While the stream is away it is looked every five seconds. An answer that was
 * overtaken by a later one is thrown away. Who is no administrator any more gets the page anew, which is then a gate.
 */
export function useLive<T>(
  first: T,
  look: () => Promise<T>,
  about: readonly DeskTopic[],
  { rest = 0, frequent = about, every, hidden = false }: Options = {},
): Live<T> {
  const [value, setValue] = useState(first);
  const [failed, setFailed] = useState(false);
  const [away, setAway] = useState(false);
  const asked = useRef(0);
  const taken = useRef(0);
  const latest = useRef({ look, about, rest, frequent, hidden });
  useEffect(() => {
    latest.current = { look, about, rest, frequent, hidden };
  });
  const refresh = useCallback(async () => {
    const turn = ++asked.current;
    try {
      const news = await latest.current.look();
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
    let lookedAt = 0;
    let later: ReturnType<typeof setTimeout> | undefined;
    let polling: ReturnType<typeof setInterval> | undefined;
    const isSeen = () => latest.current.hidden || document.visibilityState !== "hidden";
    const lookNow = () => {
      clearTimeout(later);
      later = undefined;
      missed = !isSeen();
      if (missed) return;
      lookedAt = Date.now();
      void refresh();
    };
    const lookSoon = () => {
      const wait = lookedAt + latest.current.rest - Date.now();
      if (wait <= 0) lookNow();
      else later ??= setTimeout(lookNow, wait);
    };
    const hear = ({ changed }: DeskChange) => {
      const topics = changed.filter((topic) => latest.current.about.includes(topic));
      if (topics.some((topic) => !latest.current.frequent.includes(topic))) lookNow();
      else if (topics.length > 0) lookSoon();
    };
    const clock = every === undefined ? undefined : setInterval(lookNow, every);
    const whenSeen = () => missed && lookNow();
    const stop = listen<{ [deskEvent]: DeskChange }>(myStream.path, { [deskEvent]: hear }, (state) => {
      setAway(state === "lost");
      clearInterval(polling);
      polling = state === "open" ? undefined : setInterval(lookNow, FALLBACK_MS);
      // What changed while nobody listened, between the page's drawing and now included.
      if (state === "open") lookNow();
    });
    lookers.add(refresh);
    document.addEventListener("visibilitychange", whenSeen);
    return () => {
      lookers.delete(refresh);
      stop();
      clearTimeout(later);
      clearInterval(polling);
      clearInterval(clock);
      document.removeEventListener("visibilitychange", whenSeen);
    };
  }, [refresh, every]);
  return { value, lost: away || failed, again: refresh };
}
