import { type CalendarFilter, EconomicCalendarPage } from "../../views/portal/EconomicCalendarPage";
import { groupOf, MarketAnalysisPage } from "../../views/portal/MarketAnalysisPage";
import type { Market } from "../market/market";
import { CALENDAR_CURRENCIES, type CalendarEvent, calendarFrom, IMPACTS } from "../market/rules_calendar";
import type { House } from "../platform/house";
import { Doors } from "../platform/http";
import { MarketAnalysis } from "./analysis";

/** How far ahead every occurrence is listed; of what comes later, the next one. */
const AHEAD_DAYS = 28;
const PRODUCT = { look: "product" } as const;

/** What traders read beside their positions: the last day's movements, and what is due. */
export function insightDoors(house: House, market: Market): Doors {
  const analysis = new MarketAnalysis(market);
  return new Doors(house)
    .userPage("/market-analysis", async ({ visit }) => {
      const group = groupOf(visit.url.searchParams.get("tab"));
      return { title: "Market Analysis", ...PRODUCT, body: <MarketAnalysisPage {...await analysis.read()} group={group} /> };
    })
    .userPage("/economic-calendar", ({ visit }) => {
      const asked = calendarFilter(visit.url.searchParams);
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
