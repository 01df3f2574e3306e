import { useCallback, useEffect, useRef, useState } from "react";
import { ApiError } from "./api";

const EVERY_MS = 5000;

const lookers = new Set<() => Promise<void>>();
/** Brings every list and count of the page up to date, whichever island it is in: after a deed that may have moved several. */
export const lookAgain = async (): Promise<void> => void (await Promise.all([...lookers].map((look) => look())));

/** `lost`: the last look failed, so `value` is what was known before. */
export type Live<T> = { value: T; lost: boolean };

/**
 * What the page knew, brought up to date every five seconds while the page is seen, at once when it is seen again
 * and whenever `lookAgain` asks. An answer that was overtaken by a later one is thrown away.
 */
export function useLive<T>(first: T, look: () => Promise<T>): Live<T> {
  const [value, setValue] = useState(first);
  const [lost, setLost] = useState(false);
  const asked = useRef(0);
  const taken = useRef(0);
  const latest = useRef(look);
  useEffect(() => {
    latest.current = look;
  });
  const refresh = useCallback(async () => {
    const turn = ++asked.current;
    try {
      const news = await latest.current();
      if (turn < taken.current) return;
      taken.current = turn;
      setValue(news);
      setLost(false);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (turn >= taken.current) setLost(true);
    }
  }, []);
  useEffect(() => {
    const lookIfSeen = () => {
      if (document.visibilityState !== "hidden") void refresh();
    };
    lookers.add(refresh);
    const timer = setInterval(lookIfSeen, EVERY_MS);
    document.addEventListener("visibilitychange", lookIfSeen);
    return () => {
      lookers.delete(refresh);
      clearInterval(timer);
      document.removeEventListener("visibilitychange", lookIfSeen);
    };
  }, [refresh]);
  return { value, lost };
}
