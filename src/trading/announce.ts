import { displayMoney } from "../lib/money";
import type { Bus } from "../platform/bus";
import type { MarginCall, StopOut } from "./commands_margin";
import type { Position } from "./schema";

/** What the engine tells a trader's streams after a commit. */
export function announcer(bus: Bus) {
  const changed = (userId: string, { id, accountId }: Position) => {
    bus.publish("position", { userId, accountId, positionId: id });
    bus.publish("account", { userId, accountId, dealt: true });
  };
  const told = (topic: "trades" | "margin") => (userId: string, kind: "info" | "warning", title: string, message: string) =>
    bus.publish("notice", { userId, kind, title, message, topic });
  const notice = told("trades");
  const warning = told("margin");

  return {
    exit(userId: string, closed: Position) {
      changed(userId, closed);
      notice(userId, "info", closed.closeReason === "stop_loss" ? "Stop loss reached" : "Take profit reached", `${result(closed)}.`);
    },
    /** A waiting order was filled at the opening, or cancelled. */
    opening(userId: string, order: Position) {
      changed(userId, order);
      if (order.status === "open") notice(userId, "info", "Order filled", `Your waiting ${what(order)} order was filled at the opening.`);
      else notice(userId, "warning", "Order cancelled", `Your waiting ${what(order)} order was cancelled: not enough free margin when the market opened.`);
    },
    marginCall(userId: string, { accountNumber, equity, used, level }: MarginCall) {
      const figures = `equity ${displayMoney(equity)}, used margin ${displayMoney(used)}`;
      warning(
        userId,
        "warning",
        "Margin call",
        `Account ${accountNumber}: margin level ${level}% (${figures}). Below 50% positions are closed, the largest loss first.`,
      );
    },
    stopOut(userId: string, { closed, equity, used, level }: StopOut) {
      changed(userId, closed);
      const figures = `equity ${displayMoney(equity)}, used margin ${displayMoney(used)}`;
      warning(userId, "warning", "Stop-out", `${result(closed)}: the margin level was ${level}% (${figures}), below 50%.`);
    },
  };
}

const what = ({ type, symbol }: Position) => `${type.toUpperCase()} ${symbol}`;
const result = (closed: Position) => `${what(closed)} closed with ${displayMoney(closed.profit ?? "0", { sign: true })}`;
