import { displayMoney } from "../../src/lib/money";
import { type Written, writtenTerms } from "../../src/trading/rules_terms";
import { sideWord } from "../../src/trading/rules_prices";
import { orderSentence, orderWords } from "../../src/trading/rules_waiting";
import type { Position } from "../../src/trading/schema";
import { Button, ButtonLink } from "../ui/Button";
import { Card } from "../ui/Card";
import { Notice } from "../ui/States";
import { TermFields } from "./TermFields";

/** What the dialogs of waiting orders are where no scripts run: a page with a form. */

type EditProps = {
  position: Position;
  /** The list that it came from. */
  back: string;
  /** What was sent and refused; null before. `shown`: as the fields began then. */
  sent: { shown: Written; written: Written; errors: Record<string, string>; message: string } | null;
};

/** Changes a waiting order, or stop and target of an open position. */
export function EditOrderPage({ position, back, sent }: EditProps) {
  const { id, type, orderType, symbol, amount, status } = position;
  const shown = sent?.shown ?? writtenTerms(position);
  return (
    <div className="mx-auto flex w-full max-w-lg flex-col gap-4 px-4 py-6">
      <h1 className="text-title font-semibold">{`Edit ${status === "pending" ? orderWords(position) : sideWord(type)} ${symbol}`}</h1>
      <p className="text-soft">{status === "pending" ? orderSentence(position, null) : `${displayMoney(amount)}, open.`}</p>
      {sent?.message ? <Notice kind="error">{sent.message}</Notice> : null}
      <Card label="Terms" className="p-4">
        {/* The browser holds back half a moment, which it would send as none. */}
        <form method="post" action="/positions/edit" className="flex flex-col gap-4">
          <input type="hidden" name="id" value={id} />
          <input type="hidden" name="shown" value={JSON.stringify(shown)} />
          <TermFields orderType={orderType} shown={sent?.written ?? shown} errors={sent?.errors ?? {}} plain />
          <Button type="submit">Save changes</Button>
          <ButtonLink variant="secondary" href={back}>
            Back
          </ButtonLink>
        </form>
      </Card>
    </div>
  );
}

/** Asks once before all waiting orders are cancelled. */
export const CancelOrdersPage = ({ count, accountId, back }: { count: number; accountId: string | null; back: string }) => (
  <div className="mx-auto flex w-full max-w-lg flex-col gap-4 px-4 py-6">
    <h1 className="text-title font-semibold">Cancel All Orders</h1>
    <Card label="Question" className="flex flex-col gap-4 p-4">
      <p>
        {count === 0
          ? "No order waits."
          : `${count === 1 ? "1 waiting order" : `${count} waiting orders`} of ${accountId ? "this account" : "all your accounts"} ${count === 1 ? "is" : "are"} cancelled. What has filled stays open.`}
      </p>
      {count > 0 ? (
        <form method="post" action="/positions/cancel">
          <input type="hidden" name="account" value={accountId ?? ""} />
          <Button type="submit" variant="danger" wide>
            {`Cancel ${count === 1 ? "1 order" : `${count} orders`}`}
          </Button>
        </form>
      ) : null}
      <ButtonLink variant="secondary" href={back}>
        Keep them waiting
      </ButtonLink>
    </Card>
  </div>
);
