import type { SubmitEvent } from "react";
import type { Side } from "../../src/trading/rules_prices";

type Props = { accountId: string | null; onChart: (symbol: string) => void; onPick: (symbol: string, side: Side) => void };

/** What the buttons of all rows of a watchlist send, each its symbol: to the page that needs no script where none comes. */
export function WatchForms({ accountId, onChart, onPick }: Props) {
  const form = (id: string, action: string, act: (symbol: string) => void, side?: Side) => (
    <form
      id={id}
      action={action}
      data-late="again"
      onSubmit={(event: SubmitEvent<HTMLFormElement>) => {
        event.preventDefault();
        act((event.nativeEvent.submitter as HTMLButtonElement).value);
      }}
    >
      {accountId ? <input type="hidden" name="account" value={accountId} /> : null}
      {side ? <input type="hidden" name="side" value={side} /> : null}
    </form>
  );
  return (
    <div hidden>
      {form("watch-chart", "/traders-portal", onChart)}
      {form("watch-sell", "/positions/new", (symbol) => onPick(symbol, "sell"), "sell")}
      {form("watch-buy", "/positions/new", (symbol) => onPick(symbol, "buy"), "buy")}
    </div>
  );
}
