import { type ReactNode, useEffect, useState } from "react";
import { getFinancials } from "../src/accounts/schema";
import { Button } from "../views/ui/Button";
import { Skeleton } from "../views/ui/States";
import { ApiError, call } from "./lib/api";
import { island } from "./lib/island";

type Props = { words: string; /** How many cards the page will have. */ cards: number };

/** What stands while a page's data is not there yet: asks until it can be had, then fetches the page. */
export function PageLoader({ words, cards }: Props): ReactNode {
  const [failed, setFailed] = useState(false);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const away = new AbortController();
    call(getFinancials, undefined, { signal: away.signal }).then(
      () => location.reload(),
      (error: unknown) => {
        if (away.signal.aborted) return;
        if (!(error instanceof ApiError)) throw error;
        setFailed(true);
      },
    );
    return () => away.abort();
  }, [attempt]);
  const again = () => {
    setFailed(false);
    setAttempt(attempt + 1);
  };
  return (
    <div aria-busy={!failed} className="flex flex-col gap-4">
      <div role="status" className="flex flex-wrap items-center gap-4 text-soft">
        {failed ? "This could not be loaded. Check your connection and try again." : words}
        {failed ? (
          <Button look="secondary" onClick={again}>
            Try again
          </Button>
        ) : null}
      </div>
      <div className="grid gap-4 md:grid-cols-2 xl:grid-cols-3">
        {Array.from({ length: cards }, (_, at) => (
          <Skeleton key={at} className="h-56 w-full" />
        ))}
      </div>
      <noscript>
        <p>It takes longer than usual. Please load the page again.</p>
      </noscript>
    </div>
  );
}

export default island("PageLoader", PageLoader);
