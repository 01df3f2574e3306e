import { useEffect, useState } from "react";

const TICK_MS = 15_000;

/** Milliseconds since the epoch for ages on the screen: the server's at first, then the browser's. */
export function useNow(first: string): number {
  const [now, setNow] = useState(() => Date.parse(first));
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
