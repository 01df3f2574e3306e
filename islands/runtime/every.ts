import { useCallback, useEffect, useRef, useState } from "react";
import { ApiError } from "../wire/api";

const EVERY_MS = 5000;

/**
 * What the page knew, fetched anew every five seconds while the page is seen and `on`, and whenever `refresh` asks. `lost`: the last
 * try failed, so `value` is what was known before. An answer that a later one overtook is thrown away. `load` must stay the same.
 */
export function useEvery<T>(first: T, load: () => Promise<T>, on = true) {
  const [value, setValue] = useState(first);
  const [lost, setLost] = useState(false);
  const [busy, setBusy] = useState(false);
  const turns = useRef(0);
  const refresh = useCallback(async () => {
    const turn = ++turns.current;
    setBusy(true);
    try {
      const news = await load();
      if (turn !== turns.current) return;
      setValue(news);
      setLost(false);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (turn === turns.current) setLost(true);
    } finally {
      if (turn === turns.current) setBusy(false);
    }
  }, [load]);
  useEffect(() => {
    if (!on) return;
    const refreshIfSeen = () => document.visibilityState !== "hidden" && void refresh();
    const timer = setInterval(refreshIfSeen, EVERY_MS);
    document.addEventListener("visibilitychange", refreshIfSeen);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", refreshIfSeen);
    };
  }, [on, refresh]);
  return { value, lost, busy, refresh };
}
