import { displayMoney } from "../lib/money";
import type { Position } from "./schema";

/** Why a position closed, in a person's words. */
export const CLOSE_REASONS: Record<string, string> = {
  trader: "Closed by you",
  stop_loss: "Stop loss reached",
  take_profit: "Take profit reached",
  stop_out: "Stop-out: margin level below 50%",
  admin: "Settled by administrator",
};

const END_REASONS: Record<string, string> = {
  trader: "Cancelled by you",
  expired: "Expired",
  oco: "Cancelled: another of its group filled",
  insufficient_margin: "Cancelled: not enough margin",
  price_moved: "Cancelled: the price was beyond its slippage bound",
  suspended: "Cancelled: the account's owner may not trade",
  too_many_positions: "Cancelled: too many positions were open",
  close_only: "Cancelled: the instrument can only be closed",
  instrument_limit: "Cancelled: beyond what the instrument allows",
};

/** Why an order ended unfilled, in a person's words; one of early days as the sentence that it was told in. */
export function endWords({ cancelReason, cancelFigures }: Pick<Position, "cancelReason" | "cancelFigures">): string {
  if (cancelFigures) return `Not enough margin: needed ${displayMoney(cancelFigures.needed)}, free ${displayMoney(cancelFigures.free)}`;
  return END_REASONS[cancelReason ?? ""] ?? cancelReason ?? "Cancelled";
}
