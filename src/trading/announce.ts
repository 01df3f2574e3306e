import { displayMoney } from "../lib/money";
import type { Bus } from "../platform/cluster/bus";
import type { MarginCall, StopOut } from "./commands_margin";
import type { Triggered } from "./commands_waiting";
import { dealPrice } from "./rules_prices";
import type { Position } from "./schema";

/** Tells a trader's streams that a deal changed this position and its account. */
export function announceDeal(bus: Bus, userId: string, { id, accountId }: Pick<Position, "id" | "accountId">) {
  bus.publish("position", { userId, accountId, positionId: id });
  bus.publish("account", { userId, accountId, dealt: true });
}

/** What the engine tells a trader's streams after a commit. */
export function announcer(bus: Bus) {
  const told = (topic: "trades" | "margin") => (userId: string, kind: "info" | "warning", title: string, message: string) =>
    bus.publish("notice", { userId, kind, title, message, topic });
  const notice = told("trades");
  const warning = told("margin");

  return {
    exit(userId: string, closed: Position) {
      announceDeal(bus, userId, closed);
      notice(userId, "info", closed.closeReason === "stop_loss" ? "Stop loss reached" : "Take profit reached", `${result(closed)}.`);
    },
    /** A waiting order was filled, set off or ended. */
    triggered(userId: string, { order, gone = [] }: Triggered) {
      announceDeal(bus, userId, order);
      for (const id of gone) bus.publish("position", { userId, accountId: order.accountId, positionId: id });
      if (order.status === "open") notice(userId, "info", "Order filled", `Your waiting ${what(order)} order was filled ${where(order)}.`);
      // What ended was told in its own transaction.
      if (order.status === "cancelled" || gone.length > 0) bus.publish("personNews", {});
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
      announceDeal(bus, userId, closed);
      const figures = `equity ${displayMoney(equity)}, used margin ${displayMoney(used)}`;
      warning(userId, "warning", "Stop-out", `${result(closed)}: the margin level was ${level}% (${figures}), below 50%.`);
    },
  };
}

const where = ({ orderType, openPrice, symbol }: Position) => (orderType === "market" ? "at the opening" : `at ${dealPrice(openPrice ?? "", symbol)}`);

const what = ({ type, symbol }: Position) => `${type.toUpperCase()} ${symbol}`;
const result = (closed: Position) => `${what(closed)} closed with ${displayMoney(closed.profit ?? "0", { sign: true })}`;
