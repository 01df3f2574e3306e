import { displayMoney } from "../lib/money";
import type { Sql } from "../platform/db";
import type { Act, House } from "../platform/house";
import type { Once } from "../platform/http";
import { type Done, once } from "../platform/once";
import { type DeedQuote, deed, gateValue, quoteValue } from "./commands";
import { symbolOfAny, subjectOfRequest } from "./queries_corrections";
import type { ClosedPosition } from "./schema";
import type { Declined, Disputed, WaitingCorrection } from "./schema_corrections";
import type { Teller, Trading } from "./trading";

/**
 * Corrections by administrators, disclosed to the trader. Each deed is one SQL function (sql/migrations/008_corrections.sql): it
 * closes, books, records and audits in one transaction, once, whoever else tries to close that position.
 */

type Parts = { house: House; trading: Pick<Trading, "fresh" | "changed" | "teller"> };
type Settled = ClosedPosition & { userId: string };

/** The tick to settle on; null where none can be vouched for, which the deed refuses unless something else is amiss. */
const tickValue = (sql: Sql, quote: DeedQuote | null) => (quote ? quoteValue(sql, quote) : sql`null::deed_quote`);
const fourEyes = ({ house }: Parts) => house.config.adverseCorrections === "four-eyes";

/**
 * Settles an open position with `settled` USD: above zero a forced win, below zero a forced loss. On a live account a result below
 * the market's is refused (against_client), or waits for a second administrator where the operator allows that.
 */
export async function force(parts: Parts, act: Act, positionId: string, settled: string, reason: string, key: Once | null) {
  const { sql } = parts.house;
  const symbol = await symbolOfAny(sql, positionId);
  const quote = parts.trading.fresh(symbol);
  const teller = parts.trading.teller();
  const { reply, done } = await once(sql, act.admin, key, () =>
    deed<Done<Settled | WaitingCorrection>>(
      () => sql`
        select trade_force(
          ${act.admin.id}, ${positionId}, ${settled}, ${reason}, ${fourEyes(parts)}, ${tickValue(sql, quote)}, ${act.ip},
          ${act.userAgent}, ${key?.key ?? null}, ${key?.fingerprint ?? null}
        ) as done
        from ${gateValue(sql, quote?.seq ?? null, teller.epoch, positionId)}
      `,
    ),
  );
  if (!done.repeated && done.answer.status === "closed") tell(parts, teller, done.answer);
  if (!done.repeated) parts.house.bus.publish("staff", { about: "correction" });
  return reply;
}

/** The second administrator's yes. The market result is that of this moment. */
export async function confirm(parts: Parts, act: Act, requestId: string, key: Once | null) {
  const { sql } = parts.house;
  const { symbol, positionId } = await subjectOfRequest(sql, requestId);
  const quote = parts.trading.fresh(symbol);
  const teller = parts.trading.teller();
  const { reply, done } = await once(sql, act.admin, key, () =>
    deed<Done<Settled>>(
      () => sql`
        select correction_confirm(
          ${act.admin.id}, ${requestId}, ${fourEyes(parts)}, ${tickValue(sql, quote)}, ${act.ip}, ${act.userAgent},
          ${key?.key ?? null}, ${key?.fingerprint ?? null}
        ) as done
        from ${gateValue(sql, quote?.seq ?? null, teller.epoch, positionId)}
      `,
    ),
  );
  if (!done.repeated) tell(parts, teller, done.answer);
  if (!done.repeated) parts.house.bus.publish("staff", { about: "correction" });
  return reply;
}

/** The second administrator's no: the position stays open. */
export async function decline({ house: { sql, bus } }: Parts, act: Act, requestId: string, reason: string, key: Once | null) {
  const { reply, done } = await once(sql, act.admin, key, () =>
    deed<Done<Declined>>(
      () => sql`
        select correction_decline(${act.admin.id}, ${requestId}, ${reason}, ${act.ip}, ${act.userAgent}, ${key?.key ?? null}, ${key?.fingerprint ?? null}) as done
      `,
    ),
  );
  if (!done.repeated) bus.publish("staff", { about: "correction" });
  return reply;
}

/** The trader's objection to a correction of the own position, once: a support ticket about it. */
export async function dispute({ sql, bus }: House, userId: string, positionId: string, message: string): Promise<Disputed> {
  const disputed = await deed<Disputed>(() => sql`select correction_dispute(${userId}, ${positionId}, ${message}) as done`);
  bus.publish("ticket", { userId, ticketId: disputed.ticketId });
  bus.publish("raised", {});
  return disputed;
}

/** Tells the engine, the trader's screens and the trader. */
function tell({ house, trading }: Parts, teller: Teller, { userId, ...position }: Settled) {
  trading.changed(userId, position, 0, teller);
  const { correction } = position;
  if (!correction) return;
  const { administrator, reason, marketProfit, settledProfit } = correction;
  house.bus.publish("notice", {
    userId,
    title: "Settled by administrator",
    message: `${administrator} settled your ${position.type.toUpperCase()} ${position.symbol} with ${displayMoney(settledProfit, { sign: true })}; the market result was ${displayMoney(marketProfit, { sign: true })}. Reason: ${reason}`,
    kind: "warning",
    // A correction can't be hidden.
    topic: "security",
  });
}
