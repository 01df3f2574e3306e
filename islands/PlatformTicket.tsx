import { useSignals } from "@preact/signals-react/runtime";
import { type SubmitEvent, useEffect } from "react";
import { priceText } from "../src/lib/money";
import type { Prices } from "../src/trading/rules";
import { digitsOf, orderNote, type Side, sideWord } from "../views/portal/model";
import { AmountField, ExitFields, NeedsScripts, SymbolField } from "../views/trading/OrderFields";
import { Button } from "../views/ui/Button";
import { classes } from "../views/ui/classes";
import { Price } from "../views/ui/Price";
import { selectedSide } from "./lib/desk";
import { island } from "./lib/island";
import { pickSymbol } from "./lib/pick";
import { OwnPrices, type TicketProps, useTicket } from "./lib/ticket";

const DEFAULT_AMOUNT = "100";

/** The platform's order panel: the pair, the amount, a side with its price, and the order. */
export function PlatformTicket(props: TicketProps & { side: Side }) {
  useSignals();
  const { account, side: first } = props;
  useEffect(() => {
    selectedSide.value = first;
  }, [first]);
  const { here, begun, order, errors, pending, refused, waits, priced, priceNow, set, send } = useTicket(props, DEFAULT_AMOUNT);
  const { symbol, side } = order;
  const fields = { id: "platform", symbol, values: order, errors, onField: set };
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!refused) void send(order, priceNow());
  };
  return (
    <section aria-label="Place an order" className="rounded-card border border-line bg-surface">
      <div className="flex min-h-12 items-center border-b border-line px-4">
        <h2 className="text-[0.9375rem] font-semibold">Place an order</h2>
      </div>
      <form noValidate onSubmit={onSubmit} className="flex flex-col gap-4 p-4">
        <SymbolField {...fields} onSymbol={pickSymbol} />
        <AmountField {...fields} label="Amount (USD)" />
        <ExitFields {...fields} />
        <OwnPrices account={account} symbol={symbol} quote={begun} here={here}>
          {(prices) => <Sides symbol={symbol} side={side} prices={prices} faded={refused !== null} />}
        </OwnPrices>
        <p id="platform-note" className={classes("min-h-5 text-table", refused ? "text-warn" : "text-soft")}>
          {refused ?? orderNote(waits, order.amount, account.leverage)}
        </p>
        <Button type="submit" size="large" wide aria-describedby="platform-note" disabled={pending || refused !== null || !priced}>
          {pending ? "Executing..." : "Execute Trade"}
        </Button>
        <NeedsScripts />
      </form>
    </section>
  );
}

type SidesProps = { symbol: string; side: Side; prices: Prices | null; faded: boolean };

const Sides = ({ symbol, side, prices, faded }: SidesProps) => (
  <div role="group" aria-label="Side" className={classes("grid grid-cols-2 gap-2", faded && "opacity-70")}>
    {(["sell", "buy"] as const).map((of) => (
      <Button
        key={of}
        look={side === of ? of : "secondary"}
        size="large"
        aria-pressed={side === of}
        onClick={() => {
          selectedSide.value = of;
        }}
        className="flex-col !gap-0 py-2"
      >
        {sideWord(of)}
        <span className="text-base font-normal">
          {prices ? <Price value={priceText(of === "buy" ? prices.ask : prices.bid)} digits={digitsOf(symbol)} /> : "–"}
        </span>
      </Button>
    ))}
  </div>
);

export default island("PlatformTicket", PlatformTicket);
