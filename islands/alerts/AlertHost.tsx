import { useSignals } from "@preact/signals-react/runtime";
import { Button } from "../../views/ui/Button";
import { Icon } from "../../views/ui/Icon";
import { alertAsked, askAlert } from "../runtime/alert_asked";
import { island } from "../runtime/island";
import { later } from "../runtime/later";
import { selectedSymbol } from "../runtime/selection";
import { useTradingStore } from "../runtime/trading_store";

const AlertDialog = later(async () => ({ default: (await import("./AlertDialog")).AlertDialog }));

type Props = {
  /** The page's instrument, where the button that asks for an alert on it is to stand here. */
  symbol?: string;
};

/** Opens the dialog that sets an alert, wherever on the page it was asked for: a button, a list, a chart. Its code comes with the first press. */
export function AlertHost({ symbol: first }: Props) {
  useSignals();
  const here = useTradingStore({});
  const asked = alertAsked.value;
  const symbol = here ? selectedSymbol.value : first;
  return (
    <>
      {first && symbol ? (
        <Button variant="secondary" wide className="js-only" onClick={() => askAlert(symbol)}>
          <Icon name="bell" />
          {`Set an alert on ${symbol}`}
        </Button>
      ) : null}
      {asked ? <AlertDialog key={`${asked.symbol} ${asked.price}`} {...asked} onClose={() => (alertAsked.value = null)} /> : null}
    </>
  );
}

export default island("AlertHost", AlertHost, { when: "idle" });
