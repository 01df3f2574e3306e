import { displayMoney } from "../lib/money";
import type { Sql } from "../platform/database/db";
import type { Act, AppContext } from "../platform/app_context";
import type { Idempotency } from "../platform/http/routes";
import { type Done, once } from "../platform/http/idempotency";
import { type DealQuote, command, dealFence, quoteValue } from "./commands";
import { symbolOfAny, subjectOfRequest } from "./queries_corrections";
import type { ClosedPosition } from "./schema";
import type { Declined, Disputed, WaitingCorrection } from "./schema_corrections";
import type { Teller, Trading } from "./trading";

/**
 * Corrections by administrators, disclosed to the trader. Each command is one SQL function (sql/functions/trading_corrections.sql): it
 * closes, books, records and audits in one transaction, once, whoever else tries to close that position.
 */

type Parts = { app: AppContext; trading: Pick<Trading, "fresh" | "changed" | "teller"> };
type Settled = ClosedPosition & { userId: string };

/** The tick to settle on; null where none can be vouched for, which the command refuses unless something else is amiss. */
const tickValue = (sql: Sql, quote: DealQuote | null) => (quote ? quoteValue(sql, quote) : sql`null::deed_quote`);
const fourEyes = ({ app }: Parts) => app.config.adverseCorrections === "four-eyes";

/**
 * Settles an open position with `settled` USD: above zero a forced win, below zero a forced loss; at most the position's amount either
 * way (invalid). On a live account a result below the market's is refused (against_client), or waits for a second administrator where the
 * operator allows that; so does a large one in either direction.
 */
export async function force(parts: Parts, act: Act, positionId: string, settled: string, reason: string, key: Idempotency | null) {
  const { sql } = parts.app;
  const symbol = await symbolOfAny(sql, positionId);
  const quote = parts.trading.fresh(symbol);
  const teller = parts.trading.teller();
  const { reply, done } = await once(sql, act.admin, key, () =>
    command<Done<Settled | WaitingCorrection>>(
      () => sql`
        select trade_force(
          ${act.admin.id}, ${positionId}, ${settled}, ${reason}, ${fourEyes(parts)},
          ${parts.app.config.correctionsAloneUpTo}, ${tickValue(sql, quote)}, ${act.ip}, ${act.userAgent}, ${key?.key ?? null}, ${key?.fingerprint ?? null}
        ) as done
        from ${dealFence(sql, quote?.seq ?? null, teller.epoch, positionId)}
      `,
    ),
  );
  if (!done.repeated && done.answer.status === "closed") tell(parts, teller, done.answer);
  if (!done.repeated) parts.app.bus.publish("staff", { about: "correction" });
  return reply;
}

/** The second administrator's yes. The market result is that of this moment. */
export async function confirm(parts: Parts, act: Act, requestId: string, key: Idempotency | null) {
  const { sql } = parts.app;
  const { symbol, positionId } = await subjectOfRequest(sql, requestId);
  const quote = parts.trading.fresh(symbol);
  const teller = parts.trading.teller();
  const { reply, done } = await once(sql, act.admin, key, () =>
    command<Done<Settled>>(
      () => sql`
        select correction_confirm(
          ${act.admin.id}, ${requestId}, ${fourEyes(parts)}, ${tickValue(sql, quote)}, ${act.ip}, ${act.userAgent},
          ${key?.key ?? null}, ${key?.fingerprint ?? null}
        ) as done
        from ${dealFence(sql, quote?.seq ?? null, teller.epoch, positionId)}
      `,
    ),
  );
  if (!done.repeated) tell(parts, teller, done.answer);
  if (!done.repeated) parts.app.bus.publish("staff", { about: "correction" });
  return reply;
}

/** The second administrator's no: the position stays open. */
export async function decline({ app: { sql, bus } }: Parts, act: Act, requestId: string, reason: string, key: Idempotency | null) {
  const { reply, done } = await once(sql, act.admin, key, () =>
    command<Done<Declined>>(
      () => sql`
        select correction_decline(${act.admin.id}, ${requestId}, ${reason}, ${act.ip}, ${act.userAgent}, ${key?.key ?? null}, ${key?.fingerprint ?? null}) as done
      `,
    ),
  );
  if (!done.repeated) {
    bus.publish("staff", { about: "correction" });
    bus.publish("raised", {});
  }
  return reply;
}

/** The trader's objection to a correction of the own position, once: a support ticket about it. */
export async function dispute({ sql, bus }: AppContext, userId: string, positionId: string, message: string): Promise<Disputed> {
  const disputed = await command<Disputed>(() => sql`select correction_dispute(${userId}, ${positionId}, ${message}) as done`);
  bus.publish("ticket", { userId, ticketId: disputed.ticketId });
  bus.publish("raised", {});
  return disputed;
}

/** Tells the engine, the trader's screens and the trader. */
function tell({ app, trading }: Parts, teller: Teller, { userId, ...position }: Settled) {
  trading.changed(userId, position, 0, teller);
  const { correction } = position;
  if (!correction) return;
  const { administrator, reason, marketProfit, settledProfit } = correction;
  app.bus.publish("notice", {
    userId,
    title: "Settled by administrator",
    message: `${administrator} settled your ${position.type.toUpperCase()} ${position.symbol} with ${displayMoney(settledProfit, { sign: true })}; the market result was ${displayMoney(marketProfit, { sign: true })}. Reason: ${reason}`,
    kind: "warning",
    // A correction can't be hidden.
    topic: "security",
  });
}
