import { AnalyticsPage } from "../../views/portal/AnalyticsPage";
import type { House } from "../platform/house";
import { Doors } from "../platform/http";
import { recordOf } from "./queries";
import { byMonthOf, bySymbolOf, curveOf, summaryOf } from "./queries_analytics";

/** A person's own performance. */
export const analyticsDoors = (house: House): Doors =>
  new Doors(house).userPage("/analytics", async ({ me, visit }) => {
    const { sql } = house;
    const asked = visit.url.searchParams.get("book");
    const isDemo = asked === "demo" || (asked !== "live" && (await recordOf(sql, me.id, false)).closed === 0);
    const [summary, symbols, months, curve] = await Promise.all([
      summaryOf(sql, me.id, isDemo),
      bySymbolOf(sql, me.id, isDemo),
      byMonthOf(sql, me.id, isDemo),
      curveOf(sql, me.id, isDemo),
    ]);
    return { title: "Performance", look: "product", body: <AnalyticsPage {...{ isDemo, summary, symbols, months, curve }} /> };
  });
