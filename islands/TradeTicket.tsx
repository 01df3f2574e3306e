import { useSignals } from "@preact/signals-react/runtime";
import { type SubmitEvent, useEffect, useState } from "react";
import type { TradingAccount } from "../src/accounts/schema";
import { priceText } from "../src/lib/money";
import { openingPrice } from "../src/trading/rules";
import { pricesFor, type Quote } from "../views/portal/model";
import { OrderForm } from "../views/portal/OrderForm";
import { SHORTCUTS, Shortcuts } from "../views/portal/Shortcuts";
import { TradePreview } from "../views/portal/TradePreview";
import { Button } from "../views/ui/Button";
import { Dialog } from "../views/ui/Dialog";
import { selectedSide, useDesk } from "./lib/desk";
import { island } from "./lib/island";
import { useQuote, useStaleness } from "./lib/live";
import { useOrder } from "./lib/order";
import { selectedSymbol } from "./lib/selection";

export type TicketProps = {
  account: TradingAccount;
  symbol: string;
  quote: Quote | null;
  /** Why this account can't trade yet, in words; null when it can. */
  blocked: string | null;
};

/** The order panel: the account's own prices, the order, its preview. What it shows is what the server would fill at. */
export function TradeTicket({ account, symbol: first, quote: firstQuote, blocked }: TicketProps) {
  useSignals();
  const here = useDesk({ symbol: first, quotes: [firstQuote] });
  const symbol = here ? selectedSymbol.value : first;
  const side = here ? selectedSide.value : "buy";
  const quote = useQuote(symbol, symbol === first ? firstQuote : null, here);
  const stale = useStaleness(quote, here);
  const [dialog, setDialog] = useState<"preview" | "shortcuts" | null>(null);
  const { fields, errors, pending, set, check, send } = useOrder();
  useShortcuts(setDialog);

  const prices = quote && pricesFor(account, quote);
  const price = prices && priceText(openingPrice(side, prices));
  const order = { ...fields, symbol, side, accountId: account.id };
  const refused = blocked ?? stale;
  const execute = async () => {
    if (refused) return;
    if (await send(order, price)) setDialog(null);
  };
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void execute();
  };
  return (
    <>
      <section id="execute-trade" aria-label="Execute Trade" className="scroll-mt-20 rounded-card border border-line bg-surface">
        <OrderForm
          order={order}
          prices={prices}
          leverage={account.leverage}
          notice={refused}
          waits={quote !== null && !quote.open}
          errors={errors}
          pending={pending}
          onField={set}
          onSymbol={(chosen) => (selectedSymbol.value = chosen)}
          onSide={(chosen) => (selectedSide.value = chosen)}
          onPreview={() => check(order, price, "preview") && prices && setDialog("preview")}
          onSubmit={onSubmit}
        />
      </section>
      <Dialog
        id="trade-preview"
        title="Trade Preview Analysis"
        wide
        open={dialog === "preview" && prices !== null}
        onClose={() => setDialog((shown) => (shown === "preview" ? null : shown))}
        footer={
          <>
            <Button look="secondary" onClick={() => setDialog(null)}>
              Close Preview
            </Button>
            <Button look={side} disabled={pending || refused !== null} onClick={() => void execute()}>
              {side === "buy" ? "Confirm & Execute BUY" : "Confirm & Execute SELL"}
            </Button>
          </>
        }
      >
        {prices ? <TradePreview {...fields} symbol={symbol} side={side} prices={prices} leverage={account.leverage} /> : null}
      </Dialog>
      <Dialog
        id="shortcuts"
        title="Keyboard shortcuts"
        open={dialog === "shortcuts"}
        onClose={() => setDialog((shown) => (shown === "shortcuts" ? null : shown))}
      >
        <Shortcuts />
      </Dialog>
    </>
  );
}

const IN_A_FIELD = "input, select, textarea, [contenteditable], dialog";

/** Single keys, for as long as nobody is writing and no dialog is open. */
function useShortcuts(show: (dialog: "shortcuts") => void) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      if (event.target instanceof Element && event.target.closest(IN_A_FIELD)) return;
      const key = event.key.toLowerCase();
      if (key === SHORTCUTS.buy) selectedSide.value = "buy";
      else if (key === SHORTCUTS.sell) selectedSide.value = "sell";
      else if (key === SHORTCUTS.amount) {
        event.preventDefault();
        document.getElementById("order-amount")?.focus();
      } else if (key === SHORTCUTS.help) show("shortcuts");
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [show]);
}

export default island("TradeTicket", TradeTicket);
