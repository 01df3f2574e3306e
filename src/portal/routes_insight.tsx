import { type CalendarFilter, EconomicCalendarPage } from "../../views/market/EconomicCalendarPage";
import { groupOf, MarketAnalysisPage } from "../../views/market/MarketAnalysisPage";
import type { Market } from "../market/market";
import { CALENDAR_CURRENCIES, type CalendarEvent, calendarFrom, IMPACTS } from "../market/rules_calendar";
import type { AppContext } from "../platform/app_context";
import { Routes } from "../platform/http/routes";
import { marketAnalysis } from "./analysis";

/** How far ahead every occurrence is listed; of what comes later, the next one. */
const AHEAD_DAYS = 28;
const PRODUCT = { surface: "product" } as const;

/** What traders read beside their positions: the last day's movements, and what is due. */
export function insightRoutes(app: AppContext, market: Market): Routes {
  const analysis = marketAnalysis(market);
  return new Routes(app, import.meta.path)
    .userPage("/market-analysis", async ({ context }) => {
      const group = groupOf(context.url.searchParams.get("tab"));
      return { title: "Market Analysis", ...PRODUCT, body: <MarketAnalysisPage {...await analysis()} group={group} /> };
    })
    .userPage("/economic-calendar", ({ context }) => {
      const asked = calendarFilter(context.url.searchParams);
      const now = market.clock();
      const wanted = ({ currency, impact }: CalendarEvent) => (!asked.currency || currency === asked.currency) && (!asked.impact || impact === asked.impact);
      const rows = calendarFrom(now, AHEAD_DAYS, wanted).map(({ event: { id, title, currency, impact, rule, zone, time }, at }) => ({
        id,
        title,
        currency,
        impact,
        rule: `${rule}, ${time} ${placeOf(zone)}`,
        at: new Date(at).toISOString(),
      }));
      return { title: "Economic Calendar", ...PRODUCT, body: <EconomicCalendarPage rows={rows} filter={asked} now={new Date(now).toISOString()} /> };
    });
}

/** "America/New_York" → "New York". */
const placeOf = (zone: string) => zone.split("/").at(-1)?.replace("_", " ") ?? zone;

/** What the address asks for; what it can't ask for is left out. */
function calendarFilter(search: URLSearchParams): CalendarFilter {
  return {
    currency: CALENDAR_CURRENCIES.find((each) => each === search.get("currency")) ?? "",
    impact: IMPACTS.find((each) => each === search.get("impact")) ?? "",
  };
}
