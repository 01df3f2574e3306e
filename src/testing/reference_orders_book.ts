import { money, priceText } from "../lib/money";
import type { Sql } from "../platform/database/db";
import type { Order } from "./reference_orders";

/** What became of orders, as the reference and as the database tell it, in the same words. */

const text = (price: bigint | null) => (price === null ? null : priceText(Number(price)));
/** How ticks are named: by their numbers, or by what else tells them apart. */
type Name = (seq: number) => number | string;

export const told = (order: Order, name: Name = (seq) => seq): object => ({
  status: order.status,
  trigger: text(order.trigger),
  stop: text(order.stop),
  target: text(order.target),
  placed: name(order.placed),
  setOff: order.setOff === null ? null : name(order.setOff),
  open: order.open && { on: name(order.open.seq), price: text(order.open.price) },
  close: order.close && { on: name(order.close.seq), price: text(order.close.price), reason: order.close.reason, profit: money(order.close.profit) },
  cancel: order.cancel && {
    code: order.cancel.code,
    needed: order.cancel.needed && money(order.cancel.needed),
    free: order.cancel.free === null ? null : money(order.cancel.free),
  },
  brokeEven: order.brokeEven,
  moves: order.moves.map(({ kind, seq, level }) => ({ kind, on: name(seq), level: text(level) })),
});

/** The same of the database, by the ids of the orders. */
export async function found(sql: Sql, ids: readonly string[], name: Name = (seq) => seq): Promise<Map<string, object>> {
  type Seen = { id: string; placed: number | null; setOff: number | null; open: { on: number } | null; close: { on: number } | null; moves: { on: number }[] };
  const rows = await sql<Seen[]>`
    select p.id, p.status, p.trigger_price as trigger, p.stop_loss as stop, p.take_profit as target, p.placed_seq as placed, p.set_off_seq as "setOff",
      (select json_build_object('on', f.quote_seq, 'price', f.price::text) from fills f where f.position_id = p.id and f.kind = 'open') as open,
      (
        select json_build_object('on', f.quote_seq, 'price', f.price::text, 'reason', f.reason, 'profit', f.profit::text)
        from fills f where f.position_id = p.id and f.kind = 'close'
      ) as close,
      case when p.status = 'cancelled' then json_build_object('code', p.cancel_code, 'needed', p.cancel_needed::text, 'free', p.cancel_free::text) end as cancel,
      p.broke_even_seq is not null as "brokeEven",
      (
        select coalesce(json_agg(json_build_object('kind', m.kind, 'on', m.quote_seq, 'level', m.level::text) order by m.id), '[]')
        from stop_moves m where m.position_id = p.id
      ) as moves
    from positions p
    where p.id = any (${ids})
  `;
  const named = <T extends { on: number }>(event: T | null) => event && { ...event, on: name(event.on) };
  return new Map(
    rows.map(({ id, ...row }) => [
      id,
      {
        ...row,
        placed: row.placed === null ? null : name(row.placed),
        setOff: row.setOff === null ? null : name(row.setOff),
        open: named(row.open),
        close: named(row.close),
        moves: row.moves.map(named),
      },
    ]),
  );
}
