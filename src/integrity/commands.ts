import type { BodyOf } from "../lib/endpoint";
import { DAY, MINUTE } from "../lib/time";
import type { Market } from "../market/market";
import type { Reference } from "../market/reference";
import { instruments } from "../market/rules_listed";
import type { Act, AppContext } from "../platform/app_context";
import type { Sql } from "../platform/database/db";
import { declaredHolding, lastNotedMinute, measured, writtenFigures } from "./queries";
import { logCovers } from "./queries_proofs";
import { type declareHoldings, type Figures, type Holding, INTEGRITY_DAYS } from "./schema";

/** Trees older than so many days are not kept: who wants to keep a proof of such a day has it as a file. */
const TREE_DAYS = 14;
/** Distances are written down to a thousandth, and those that are large to three figures: a day's histogram stays small. */
const rounded = (distance: number) => Number((distance < 1 ? distance.toFixed(3) : distance.toPrecision(3)).slice(0, 12));

/** How many instruments have an open market at that moment. */
const dueAt = ({ board }: Market, at: number) => instruments.filter(({ symbol }) => board.isOpen(symbol, at)).length;

/**
 * Notes for how many of the open instruments the feed vouches, and how far their prices lie from the reference's. Minutes that nobody noted since the
 * last time were without prices. Each minute is noted once, however many programs do.
 */
export async function notePrices(sql: Sql, market: Market, reference: Reference | null, now: number): Promise<void> {
  const minute = Math.floor(now / MINUTE) * MINUTE;
  const last = await lastNotedMinute(sql);
  const first = last === null ? minute : Math.max(last + MINUTE, minute - INTEGRITY_DAYS * DAY);
  if (first > minute) return;
  const missed = Array.from({ length: (minute - first) / MINUTE }, (_, n) => ({ at: first + n * MINUTE, fresh: 0 }));
  const clock = market.clock();
  const fresh = instruments.filter(({ symbol }) => market.board.isOpen(symbol, clock) && !market.board.isStale(symbol, clock)).length;
  const minutes = [...missed, { at: minute, fresh }].map((each) => ({ ...each, due: dueAt(market, each.at) }));
  const found = reference?.distances(market).map(rounded) ?? [];
  await sql`
    select price_minutes_note(
      ${minutes.map(({ at }) => new Date(at).toISOString())}::timestamptz[], ${minutes.map(({ due, fresh: n }) => Math.max(due, n))}::integer[],
      ${minutes.map((each) => each.fresh)}::integer[], ${market.source}, ${reference?.name ?? ""}, ${found}::numeric[]
    )
  `;
}

/** Measures the public page's figures and writes them down. */
export async function writeFigures({ sql, booksChecked, losingShare }: AppContext): Promise<void> {
  const books: Figures["books"] = { checkedAt: booksChecked?.at ?? null, off: booksChecked?.off ?? 0, entries: 0 };
  const known = await writtenFigures(sql);
  const log = await logCovers(sql, known?.figures.log ?? null);
  const figures: Figures = { ...(await measured(sql)), books, losing: losingShare ?? null, log };
  await sql`select integrity_write(${JSON.stringify(figures)}::text::json)`;
}

export const forgetOld = (sql: Sql) => sql`select integrity_forget(${INTEGRITY_DAYS}, ${TREE_DAYS})`;

/** Declares what the operator holds for clients; an empty amount takes the last declaration back. */
export async function declare({ sql, bus }: AppContext, act: Act, { amount, evidence, link, reason }: BodyOf<typeof declareHoldings>): Promise<Holding | null> {
  await sql`select holdings_declare(${act.admin.id}, ${amount || null}, ${evidence ?? ""}, ${link || null}, ${reason}, ${act.ip}, ${act.userAgent})`;
  bus.publish("staff", { about: "setting" });
  return declaredHolding(sql);
}
