/** Why a position closed, in a person's words. */
export const CLOSE_REASONS: Record<string, string> = {
  trader: "Closed by you",
  stop_loss: "Stop loss reached",
  take_profit: "Take profit reached",
  stop_out: "Stop-out: margin level below 50%",
  admin: "Settled by administrator",
};
