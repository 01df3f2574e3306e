import type { ComponentProps, ReactNode } from "react";
import { sideWord } from "../../src/trading/rules_prices";
import { Button } from "../ui/Button";
import { classes } from "../ui/classes";
import { AmountField, ExitFields } from "./OrderFields";
import { type OrderForm, QuickAmounts } from "./OrderForm";
import { liveMark, OrderFrame } from "./OrderFrame";

type Props = Omit<ComponentProps<typeof OrderForm>, "onSymbol" | "onSide" | "waits"> & {
  waits: boolean;
  /** What the order would bind, and bring at its stop and target. */
  glance: ReactNode;
};

/**
 * The order as a thumb writes it: what matters first; at the foot, which never scrolls, what it comes to and the one button that sends it, as wide
 * as the sheet, so that its words stand in one line.
 */
export function OrderSheetForm({
  order,
  spread,
  tiles,
  kind,
  terms,
  deed,
  notice,
  priced,
  waits,
  demo,
  errors,
  pending,
  glance,
  onField,
  onPreview,
  onSubmit,
}: Props) {
  const { symbol, side } = order;
  const fields = { id: "order", symbol, values: order, errors, onField };
  return (
    <form noValidate onSubmit={onSubmit} className="flex min-h-0 flex-col">
      <div className="overflow-y-auto p-3">
        <OrderFrame id="execute-trade" label="Execute Trade" demo={demo}>
          <div className="flex flex-col gap-3 p-3">
            {tiles}
            <div className="-my-3 text-right">{spread}</div>
            <AmountField {...fields} label="Amount ($)" />
            <QuickAmounts amount={order.amount} onPick={(amount) => onField("amount", amount)} />
            <ExitFields {...fields} />
            {kind}
            {terms}
          </div>
        </OrderFrame>
      </div>
      <div className="flex flex-col gap-1 border-t border-line px-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] pt-1">
        <div className="flex items-center justify-between gap-2">
          <div id="order-note" aria-live="polite" className={classes("min-w-0 text-table", notice ? "text-warn" : "text-soft")}>
            {notice ?? (waits ? "The market is closed. Your order fills at the first price after it opens." : glance)}
          </div>
          <Button variant="secondary" size="small" aria-label="Preview Trade" disabled={!priced} onClick={onPreview}>
            Preview
          </Button>
        </div>
        <Button type="submit" variant={side} size="large" wide className="!px-2" aria-describedby="order-note" disabled={pending || notice !== null || !priced}>
          {pending ? "Executing..." : `${deed ?? `Execute ${sideWord(side)} ${symbol}`}${liveMark(demo)}`}
        </Button>
      </div>
    </form>
  );
}
