import { AlertsPage } from "../../views/alerts/AlertsPage";
import { alertsOf } from "../alerts/queries";
import { MOST_ALERTS } from "../alerts/schema";
import { inTime } from "../lib/time";
import type { Market } from "../market/market";
import type { AppContext } from "../platform/app_context";
import { Routes } from "../platform/http/routes";

const PAST = 100;
/** After so many ms the page is sent without its alerts, which it then fetches itself. */
const PATIENCE_MS = 1500;

/** A person's price alerts. */
export const alertPageRoutes = (app: AppContext, market: Market): Routes =>
  new Routes(app, import.meta.path).userPage("/alerts", async ({ me }) => {
    const [active, past] = (["active", "past"] as const).map((status) =>
      alertsOf(app.sql, me.id, { status, limit: status === "active" ? MOST_ALERTS : PAST }, market.clock()),
    );
    const found = await inTime(Promise.all([active, past]), PATIENCE_MS);
    return { title: "Price Alerts", surface: "product", body: <AlertsPage alerts={found?.flatMap((each) => each ?? []) ?? null} /> };
  });
