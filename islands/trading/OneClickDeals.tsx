import { useSignals } from "@preact/signals-react/runtime";
import { useMemo, useState } from "react";
import { displayMoney, priceText, priceUnits } from "../../src/lib/money";
import { openingRefused } from "../../src/market/rules_terms";
import { openingPrice } from "../../src/trading/rules";
import { dealPrice, pricesFor, type Side, sideWord } from "../../src/trading/rules_prices";
import { closePosition, placeOrder, type Position } from "../../src/trading/schema";
import { Button } from "../../views/ui/Button";
import { useQuote, useStaleness } from "../runtime/live";
import { selectedSymbol } from "../runtime/selection";
import { accountNow, takePosition, useTradingStore } from "../runtime/trading_store";
import { attempt } from "../wire/attempt";
import { sendOnce } from "../wire/intent";
import { toastWith } from "../wire/toast_press";
import { toast } from "../wire/toasts";
import { boundText, pressGate, slippageOf } from "./one_click";
import type { OneClickProps, OneClickTerms } from "./one_click_terms";

type Props = OneClickProps & { terms: OneClickTerms; /** Asks for other terms. */ onChange: () => void };

/** SELL and BUY at the account's own prices; a press deals at once, and answers with its receipt and the way back. */
export default function OneClickDeals({ account: given, symbol: first, quote: firstQuote, blocked, terms, onChange }: Props) {
  useSignals();
  const here = useTradingStore({ symbol: first, quotes: [firstQuote] });
  const account = accountNow(given, here);
  const symbol = here ? selectedSymbol.value : first;
  const quote = useQuote(symbol, symbol === first ? firstQuote : null, here);
  const stale = useStaleness(quote, here);
  const [sending, setSending] = useState(false);
  const gate = useMemo(() => pressGate(), []);
  const barred = { sell: openingRefused(quote, "sell", account.isDemo), buy: openingRefused(quote, "buy", account.isDemo) };
  const refused = blocked ?? (barred.sell && barred.buy) ?? stale ?? (quote?.open === false ? "The market is closed." : null);
  const prices = quote && pricesFor(account, quote);
  const priceOf = (side: Side) => prices && priceText(openingPrice(side, prices));

  const deal = (side: Side, price: string, pressed: number) =>
    gate(async () => {
      const body = { symbol, type: side, amount: terms.amount, accountId: account.id, stopLoss: null, takeProfit: null };
      setSending(true);
      const done = await attempt("Not dealt", () =>
        sendOnce(placeOrder, body, undefined, { currentPrice: price, maxSlippage: slippageOf(terms, symbol, price) }),
      ).finally(() => setSending(false));
      if (done) tell(done, price);
    }, pressed);

  return (
    <div className="flex flex-col gap-3">
      <div role="group" aria-label={`Deal ${symbol} at once`} className="grid grid-cols-2 gap-2">
        {(["sell", "buy"] as const).map((side) => {
          const price = priceOf(side);
          return (
            <Button
              key={side}
              variant={side}
              size="large"
              className="flex-col gap-0 px-2 py-2 leading-tight"
              aria-describedby="one-click-note"
              disabled={sending || refused !== null || barred[side] !== null || !price}
              onClick={({ timeStamp }) => price && void deal(side, price, timeStamp)}
            >
              <span className="text-table">{`${sideWord(side)} ${symbol}${account.isDemo ? "" : " (live)"}`}</span>
              <span className="tabular-nums">{dealPrice(price, symbol)}</span>
            </Button>
          );
        })}
      </div>
      <p id="one-click-note" className={refused ? "text-table text-warn" : "text-table text-soft"}>
        {refused ??
          barred.sell ??
          barred.buy ??
          `A press deals ${displayMoney(terms.amount)} at once, at most ${boundText(terms, symbol)} from the price shown.`}
      </p>
      <Button variant="secondary" size="small" onClick={onChange}>
        Change amount or bound
      </Button>
    </div>
  );
}

/** The receipt of a press: what it filled at, how far from what was seen, and the way back. */
function tell(done: Position, seen: string) {
  takePosition(done);
  const { id, type, symbol, amount, openPrice, status } = done;
  if (status !== "open" || !openPrice) return void toast({ title: "Order waiting", description: `${sideWord(type)} ${symbol}, ${displayMoney(amount)}` });
  const worse = (priceUnits(openPrice) - priceUnits(seen)) * (type === "buy" ? 1 : -1);
  const slip = worse === 0 ? "no slippage" : `${dealPrice(priceText(Math.abs(worse)), symbol)} ${worse > 0 ? "worse" : "better"} than shown`;
  toastWith({ title: `${type === "buy" ? "Bought" : "Sold"} ${symbol} at ${dealPrice(openPrice, symbol)}`, description: `${displayMoney(amount)}, ${slip}.` }, [
    { label: "Undo: close it", act: () => void undo(done) },
    { label: "Receipt", href: `/positions/${id}/receipt` },
  ]);
}

async function undo({ id, symbol }: Position) {
  const closed = await attempt("Closing failed", () => sendOnce(closePosition, {}, { id }));
  if (!closed) return;
  takePosition(closed);
  toast({ title: "Position closed", description: `${symbol} closed with ${displayMoney(closed.profit ?? "0.00", { sign: true })}.` });
}
