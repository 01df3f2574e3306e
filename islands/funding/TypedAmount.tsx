import { useState } from "react";
import * as v from "valibot";
import { compare } from "../../src/lib/money";
import { moneyAmount } from "../../src/lib/shapes";
import { amountText } from "../../views/ui/staff/amounts";
import { Field } from "../../views/ui/Field";
import { ApiError } from "../wire/api";

type Amount = { amount: string; currency: string };

/**
 * Whether a request of this worth in USD is approved by typing its amount. The server has the last word: where the threshold or the rate
 * moved meanwhile, its refusal (`heard`) makes the field appear.
 */
export function useTyped(worth: string, confirmAbove: string) {
  const [demanded, setDemanded] = useState(false);
  const heard = async <T,>(sent: Promise<T>): Promise<T> => {
    try {
      return await sent;
    } catch (error) {
      if (error instanceof ApiError && error.fields.confirmAmount) setDemanded(true);
      throw error;
    }
  };
  return { asked: demanded || compare(worth, confirmAbove) > 0, heard };
}

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
    hint="Digits and a point alone, as 250.00."
    inputMode="decimal"
    autoComplete="off"
    error={error}
  />
);
