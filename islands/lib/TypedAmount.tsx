import * as v from "valibot";
import { compare } from "../../src/lib/money";
import { moneyAmount } from "../../src/lib/shapes";
import { amountText } from "../../views/admin/amounts";
import { Field } from "../../views/ui/Field";

type Amount = { amount: string; currency: string };

/** Whether a request of this worth in USD is approved by typing its amount. */
export const isTyped = (worth: string, confirmAbove: string): boolean => compare(worth, confirmAbove) > 0;

/** The amount as somebody must write it: the request's own, or nothing where it is not asked for. */
export const typedAmount = ({ amount }: Amount, asked: boolean) =>
  asked
    ? v.pipe(
        moneyAmount("Type the amount"),
        v.check((typed) => typed === amount, "This is not the request's amount."),
      )
    : v.optional(v.string(), "");

/** Asks for the amount in writing: a hand that clicks through a queue stops here. */
export const TypedAmount = ({ request, error }: { request: Amount; error: string | undefined }) => (
  <Field
    id="approve-amount"
    name="confirmAmount"
    label={`Type the amount to approve: ${amountText(request.amount, request.currency)}`}
    hint="Digits and a point, as 12345.67."
    inputMode="decimal"
    autoComplete="off"
    error={error}
  />
);
