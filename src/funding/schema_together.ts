import * as v from "valibot";
import { answer, endpoint } from "../lib/endpoint";
import type { Outcome } from "../lib/outcome";
import { id, moneyAmount, optionalText } from "../lib/shapes";
import type { StaffDeposit, StaffWithdrawal } from "./schema";

/**
 * The requests that were selected, and nothing that came after: each by its id, with the amount as it was shown. A request of another amount is
 * refused (`amount_mismatch`). Each is a transaction of its own; what is refused says why and stops none of the others.
 */
const MOST = 100;
const body = v.object({
  requests: v.pipe(
    v.array(v.object({ id, amount: moneyAmount("Amount is required") }), "requests must be a list"),
    v.minLength(1, "Select at least one request."),
    v.maxLength(MOST, `At most ${MOST} requests at once.`),
  ),
  notes: optionalText(500),
});

export const approveDeposits = endpoint("POST /api/admin/deposits/approve", { once: true, body, answer: answer<Outcome<StaffDeposit>[]>() });
export const approveWithdrawals = endpoint("POST /api/admin/withdrawals/approve", { once: true, body, answer: answer<Outcome<StaffWithdrawal>[]>() });
