import { answer, endpoint } from "../lib/endpoint";
import { idParams } from "../lib/shapes";

/** How many of each wait for a decision. */
export type Waiting = { deposits: number; withdrawals: number; registrations: number; corrections: number };

export const waitingCounts = endpoint("GET /api/admin/waiting", { answer: answer<Waiting>() });

/** What approving a deposit would do at this moment, in USD: the credit, the person's bonuses in sum, and what goes to the referrer. */
export type DepositForecast = { creditsUsd: string; bonus: string; referral: string | null };
/** Answers 409 where it is decided already, and 503 `stale_price` where its currency has no current price. */
export const depositForecast = endpoint("GET /api/admin/deposits/:id/forecast", { params: idParams, answer: answer<DepositForecast>() });
