import { useEffect, useState } from "react";

/** What a dialog asks for once; `again` asks once more after a failure. */
export function useRead<T>(ask: () => Promise<T>): { read: T | "failed" | null; again: () => void } {
  const [read, setRead] = useState<T | "failed" | null>(null);
  const [tries, setTries] = useState(0);
  const [first] = useState(() => ask);
  useEffect(() => {
    first().then(setRead, () => setRead("failed"));
  }, [first, tries]);
  const again = () => {
    setRead(null);
    setTries(tries + 1);
  };
  return { read, again };
}
