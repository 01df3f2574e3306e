import { type ReactNode, useEffect, useState } from "react";
import { getFinancials } from "../../src/accounts/schema";
import { currentUser } from "../../src/identity/schema";
import { Button } from "../../views/ui/Button";
import { Skeleton } from "../../views/ui/States";
import { ApiError, call } from "../wire/api";
import { island } from "../runtime/island";

type Props = { words: string; /** How many cards the page will have. */ cards: number };

const NO_PERSON = "Failed to fetch user";
const NO_DATA = "This could not be loaded";

/** Stands in place of a page whose data could not be had: asks who is signed in, then for the data, until both come, and then fetches the page. */
export function PageLoader({ words, cards }: Props): ReactNode {
  const [failed, setFailed] = useState("");
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const away = new AbortController();
    const { signal } = away;
    const fail = (what: string) => (error: unknown) => {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      // A lost session is said, and mended, by `call`.
      if (error.status !== 401) setFailed(what);
    };
    const load = () => call(getFinancials, undefined, { signal }).then(() => location.reload(), fail(NO_DATA));
    call(currentUser, undefined, { signal }).then(load, fail(NO_PERSON));
    return () => away.abort();
  }, [attempt]);
  const again = () => {
    setFailed("");
    setAttempt(attempt + 1);
  };
  return (
    <div aria-busy={!failed} className="flex flex-col gap-4">
      <div role="status" className="flex flex-wrap items-center gap-4 text-soft">
        {failed ? `${failed}. Check your connection and try again.` : words}
        {failed ? (
          <Button variant="secondary" onClick={again}>
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
