import { useEffect, useState } from "react";
import { type Coin, type CoinQuote, quoteCoin } from "../../src/funding/schema";
import { fit } from "../../src/lib/fit";
import { displayMoney } from "../../src/lib/money";
import { instantText } from "../../views/ui/instant";
import { ApiError, call } from "../wire/api";

/** Until the typing rests. */
const REST_MS = 300;
/** When no price was to be had it is asked for again. */
const AGAIN_MS = 10_000;

type Props = { coin: Coin; amount: string; currency: "USD" | "EUR" | "GBP" };

/** How much of the coin the amount is, at which rate and until when; asked for anew when it has run out. Nothing while the amount is none. */
export function CoinAmount({ coin, amount, currency }: Props) {
  const [known, setKnown] = useState<{ of: string; quote: CoinQuote | "none" } | null>(null);
  const of = `${amount} ${currency} in ${coin}`;
  const quote = known?.of === of ? known.quote : null;
  useEffect(() => {
    let here = true;
    let timer: ReturnType<typeof setTimeout>;
    const query = { coin, amount, currency };
    const ask = () =>
      call(quoteCoin, undefined, { query }).then(
        (found) => {
          if (!here) return;
          setKnown({ of, quote: found });
          timer = setTimeout(() => void ask(), Math.max(Date.parse(found.until) - Date.now(), 1000));
        },
        (error: unknown) => {
          if (!(error instanceof ApiError)) throw error;
          if (!here) return;
          setKnown({ of, quote: "none" });
          timer = setTimeout(() => void ask(), AGAIN_MS);
        },
      );
    if (fit(quoteCoin.query, query).ok) timer = setTimeout(() => void ask(), REST_MS);
    return () => {
      here = false;
      clearTimeout(timer);
    };
  }, [coin, amount, currency, of]);
  if (!fit(quoteCoin.query, { coin, amount, currency }).ok) return null;
  return (
    <p aria-live="polite" className="min-h-10 text-table text-soft">
      {quote === null ? "…" : quote === "none" ? `There is no current price for ${coin}.` : <Told quote={quote} />}
    </p>
  );
}

const Told = ({ quote: { coin, coinAmount, rate, until } }: { quote: CoinQuote }) => (
  <>
    About{" "}
    <strong className="font-semibold text-ink">
      {coinAmount} {coin}
    </strong>{" "}
    at {displayMoney(Number(rate).toFixed(2))} for 1 {coin}, until {instantText(until).slice(11)} UTC. This is not binding: prices move until your payment has
    arrived.
  </>
);
