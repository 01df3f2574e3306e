import type { Market } from "../market/market";
import type { AppContext, Channel } from "../platform/app_context";
import { alertOf } from "./queries";
import type { AlertEvent } from "./schema";

/** Each `alert` of the person's own that was set, fired or deleted. */
export const alertChannel =
  ({ sql, bus, streams }: AppContext, market: Market): Channel =>
  (stream, me) =>
    bus.subscribe(
      "alert",
      ({ userId, alertId }) =>
        userId === me.id &&
        streams.tell(
          stream,
          "alert",
          async (): Promise<AlertEvent> => (await alertOf(sql, me.id, alertId, market.clock())) ?? { id: alertId, status: "deleted" },
        ),
    );
