import * as v from "valibot";
import { priceText } from "../lib/money";
import { found } from "../lib/refusal";
import type { Quote } from "../market/board";
import { instrumentOf } from "../market/rules_listed";
import type { Me } from "../platform/app_context";
import { items, one, type Db, type Sql } from "../platform/database/db";
import { done, type Done, once } from "../platform/http/idempotency";
import type { Idempotency } from "../platform/http/routes";
import type { Watched } from "./book";
import type { Alert, alertBody } from "./schema";

const instant = (ms: number) => new Date(ms).toISOString();

/**
 * Sets an alert that answers to the ticks after `quote`. Refuses (too_many_alerts) where the person has as many as there can be at `now`
 * (ms since the epoch).
 */
export const set = (sql: Db, me: Me, wanted: v.InferOutput<typeof alertBody>, quote: Quote, now: number, key: Idempotency | null) =>
  once(sql, me, key, () =>
    done<Done<Alert>>(sql`
      select alert_set(
        ${me.id}, ${wanted.symbol}, ${wanted.side}, ${wanted.condition}, ${wanted.price}, ${wanted.note ?? ""}, ${wanted.expiresAt},
        ${quote.seq}, ${priceText(quote.bid)}, ${priceText(quote.ask)}, ${instant(now)}, ${key?.key ?? null}, ${key?.fingerprint ?? null}
      ) as done
    `),
  );

/** Deletes the person's alert, whatever became of it. Refuses what is not there. */
export async function remove(sql: Sql, userId: string, id: string): Promise<void> {
  found(await one(v.strictObject({ id: v.string() }), sql`delete from price_alerts where user_id = ${userId} and id = ${id} returning id`));
}

/** An alert, and the tick that reached it. */
export type Hit = { readonly alert: Watched; readonly quote: Quote };
const firedRow = v.strictObject({ id: v.string(), userId: v.string() });
export type Fired = v.InferOutput<typeof firedRow>;

const hitFields = ({ alert, quote }: Hit) => ({
  id: alert.id,
  seq: quote.seq,
  at: instant(quote.at),
  received: instant(quote.receivedAt),
  bid: priceText(quote.bid),
  ask: priceText(quote.ask),
  digits: instrumentOf(alert.symbol)?.digits ?? 5,
});

/** Fires what these ticks reach, each once, and says what did. Refuses (deposed) where another program leads since `epoch`; null: alone on its database. */
export const fire = (sql: Sql, hits: readonly Hit[], epoch: number | null): Promise<Fired[]> =>
  items(firedRow, sql`select item from alerts_fire(${epoch}, ${JSON.stringify(hits.map(hitFields))}::text::json) as item limit ${hits.length}`);
