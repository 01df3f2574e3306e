import { cursorOf } from "../lib/cursor";
import { invalidField, Refusal } from "../lib/refusal";
import { DAY } from "../lib/time";
import type { Market } from "../market/market";
import type { AppContext } from "../platform/app_context";
import { paged, Routes } from "../platform/http/routes";
import * as commands from "./commands";
import { alertsOf } from "./queries";
import { deleteAlert, listAlerts, setAlert } from "./schema";

/** An alert may wait so long, in ms; one without an end waits until it is deleted. */
const LONGEST = 366 * DAY;

/** A person's own alerts. */
export function alertRoutes(app: AppContext, market: Market): Routes {
  const { sql, bus } = app;
  return new Routes(app, import.meta.path)
    .user(listAlerts, async ({ me, query, context }) => paged(context.headers, await alertsOf(sql, me.id, query, market.clock()), query.limit, cursorOf))
    .user(setAlert, async ({ me, body, context }) => {
      const now = market.clock();
      refuseUntil(body.expiresAt, now);
      const quote = market.board.get(body.symbol);
      if (!quote) throw new Refusal("stale_price", `There is no price of ${body.symbol} yet. Please try again in a moment.`, undefined, 2);
      const { reply, done } = await commands.set(sql, me, body, quote, now, context.idempotency);
      bus.publish("alert", { userId: me.id, alertId: done.answer.id, about: "set" });
      return reply;
    })
    .user(deleteAlert, async ({ me, params }) => {
      await commands.remove(sql, me.id, params.id);
      bus.publish("alert", { userId: me.id, alertId: params.id, about: "deleted" });
    });
}

function refuseUntil(until: string | null, now: number) {
  const at = until === null ? null : Date.parse(until);
  if (at === null) return;
  if (!(at > now)) throw invalidField("expiresAt", "expiresAt must be in the future.");
  if (at > now + LONGEST) throw invalidField("expiresAt", "expiresAt must be at most a year away.");
}
