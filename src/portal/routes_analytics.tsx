import { AnalyticsPage } from "../../views/portal/AnalyticsPage";
import type { AppContext } from "../platform/app_context";
import { Routes } from "../platform/http/routes";
import { standingOf } from "./queries";
import { byMonthOf, bySymbolOf, curveOf, summaryOf } from "./queries_analytics";

/** A person's own performance. */
export const analyticsRoutes = (app: AppContext): Routes =>
  new Routes(app, import.meta.path).userPage("/analytics", async ({ me, context }) => {
    const sql = await app.reading();
    const asked = context.url.searchParams.get("book");
    const isDemo = asked === "demo" || (asked !== "live" && (await standingOf(sql, me.id))?.live.closed === 0);
    const [summary, symbols, months, curve] = await Promise.all([
      summaryOf(sql, me.id, isDemo),
      bySymbolOf(sql, me.id, isDemo),
      byMonthOf(sql, me.id, isDemo),
      curveOf(sql, me.id, isDemo),
    ]);
    return { title: "Performance", surface: "product", body: <AnalyticsPage {...{ isDemo, summary, symbols, months, curve }} /> };
  });
