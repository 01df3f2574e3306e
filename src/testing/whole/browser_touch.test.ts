import { afterAll, beforeAll, expect, test } from "bun:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import { eventually, openBrowser } from "../browser";
import { type TestApp, testApp } from "../app";
import { until } from "../scenarios";

/** The trading screens under a finger, on a phone and on a tablet, and their chart in either theme. */

let app: TestApp;
let browser: Awaited<ReturnType<typeof openBrowser>>;
let base: string;
beforeAll(async () => {
  app = await testApp();
  for (let minute = 0; minute < 40; minute++) {
    const bid = 1.0842 + 0.001 * Math.sin(minute / 5);
    await app.quote("EUR/USD", bid.toFixed(5), (bid + 0.00005).toFixed(5));
    app.pass(60_000);
  }
  await app.quote("EUR/USD", "1.08420", "1.08425");
  app.router.listen({ port: 0, hostname: "127.0.0.1", reusePort: false });
  base = `http://127.0.0.1:${app.router.server?.port}`;
  browser = await openBrowser(base);
});
afterAll(async () => {
  const faults = [...browser.faults];
  await browser.close();
  void app.router.server?.stop(true);
  await app.end();
  expect(faults).toEqual([]);
});

async function trader(width: number, height: number, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await browser.visit({ viewport: { width, height }, hasTouch: true, isMobile: true, ...options });
  const data = { firstName: "Ada", lastName: "Lovelace", email: `ada-${crypto.randomUUID().slice(0, 8)}@t.test`, password: "Corr3ct-horse", referralCode: "" };
  expect((await page.request.post("/api/auth/register", { data, headers: { origin: base } })).status()).toBe(201);
  return page;
}

const awake = (page: Page, island: string) => page.locator(`[data-island=${island}][data-awake]`).waitFor({ state: "attached" });

/** A finger put down at a point of the screen and drawn upwards, as far as `px`. */
async function swipeUp(page: Page, { x, y }: { x: number; y: number }, px = 150) {
  const finger = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", at: number[]) =>
    finger.send("Input.dispatchTouchEvent", { type, touchPoints: at.map((height) => ({ x, y: height })) });
  await touch("touchStart", [y]);
  for (let part = 1; part <= 10; part++) await touch("touchMove", [y - (px * part) / 10]);
  await touch("touchEnd", []);
  await finger.detach();
}

test("on a phone a swipe up scrolls the page, also from a chart, its scale and what is offered on it; the accounts' menu is on the screen", async () => {
  const page = await trader(360, 740);
  const order = { symbol: "EUR/USD", type: "buy", amount: 1000 };
  expect((await page.request.post("/api/trading/positions", { data: order, headers: { origin: base } })).status()).toBe(201);
  await page.goto("/traders-portal");
  const offer = page.getByRole("button", { name: "Add a target to BUY EUR/USD, $1,000.00" });
  const chart = page.locator("[data-island=PriceChart] canvas").first();
  const middle = async (of: typeof offer, x = 0.5) => {
    const box = await of.boundingBox();
    if (!box) throw new Error("it is not on the page");
    return { x: box.x + box.width * x, y: box.y + box.height / 2 };
  };
  const scrolled = () => page.evaluate(() => scrollY);
  await page.evaluate(() => {
    for (const name of ["scroll", "scrollend"]) addEventListener(name, () => void (document.documentElement.dataset.last = name));
  });
  const stands = () => page.evaluate(() => document.documentElement.dataset.last === "scrollend");
  await offer.waitFor();
  for (const [at, x] of [
    [chart, 0.3],
    [page.locator("[data-island=PriceChart] td:last-child canvas").first(), 0.5],
    [offer, 0.5],
  ] as const) {
    await page.evaluate(() => document.querySelector("[data-island=PriceChart] section")?.scrollIntoView({ block: "center" }));
    const before = await scrolled();
    await eventually(async () => {
      // A finger that a busy machine leaves lying is a long press: then it swipes once more.
      await page.keyboard.press("Escape");
      await swipeUp(page, await middle(at, x));
      expect(await scrolled()).toBeGreaterThan(before + 50);
    });
    await until("the page stands still", stands);
  }
  expect(await offer.innerText()).toBe("+ Target");
  await offer.tap();
  await page.getByRole("slider", { name: "Target of BUY EUR/USD, $1,000.00" }).waitFor();

  for (const width of [360, 414]) {
    await page.setViewportSize({ width, height: 740 });
    await page.evaluate(() => scrollTo(0, 0));
    await page.getByText("Trading account").first().locator("xpath=ancestor::summary").tap();
    const menu = await page.locator("details[open] > div").boundingBox();
    expect([(menu?.x ?? -1) >= 0, (menu?.x ?? 0) + (menu?.width ?? width) <= width]).toEqual([true, true]);
    await page.getByRole("heading", { level: 1 }).tap();
  }
  await page.context().close();
});

test("on a tablet the order bar stays in sight; arrow keys go from tab to tab, and Enter opens one", async () => {
  const page = await trader(768, 1024);
  await page.goto("/traders-portal");
  await awake(page, "PortalTabs");
  const bar = page.getByRole("group", { name: "Trade EUR/USD" });
  expect((await bar.getByRole("button").allInnerTexts()).map((words) => words.slice(0, 4).trim())).toEqual(["SELL", "BUY"]);
  await page.getByRole("tab", { name: "Forex Watchlist" }).focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await page.getByRole("tab", { name: "Open Positions", selected: true }).waitFor();
  await page.goto("/trading");
  await page.getByRole("tab", { name: "Live Screener" }).focus();
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/trading?**tab=support");
  await page.context().close();
});

test("on a phone the prices stay under the thumb; an account that can't trade says why; analysis and calendar lead on", async () => {
  const page = await trader(360, 740, { timezoneId: "Asia/Tokyo" });
  const created = await page.request.post("/api/trading-accounts", { data: { accountTypeId: "starter", isDemo: false }, headers: { origin: base } });
  const live = (await created.json()) as { id: string };
  await page.goto("/traders-portal");
  await awake(page, "OrderPanel");
  const bar = page.getByRole("group", { name: "Trade EUR/USD" });
  await bar.getByRole("button", { name: /^SELL 1\.08406/ }).tap();
  const sheet = page.getByRole("dialog", { name: "Demo order, EUR/USD" });
  await sheet.getByRole("button", { name: "Execute SELL EUR/USD" }).waitFor();
  await until("the sheet is in sight", async () => ((await sheet.boundingBox())?.y ?? 740) < 740);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await sheet.getByRole("button", { name: "Close", exact: true }).tap();

  await page.goto(`/traders-portal?account=${live.id}`);
  await page.getByText("Your registration is awaiting approval.").first().waitFor();
  await bar.getByRole("button", { name: "BUY" }).tap();
  // A press that came before the panel was awake opens its sheet later: Escape waits for that.
  const refusing = page.getByRole("dialog", { name: "Live order, EUR/USD" });
  await refusing.waitFor();
  expect(await page.getByRole("button", { name: "Execute BUY EUR/USD" }).isDisabled()).toBe(true);

  await until("the sheet is closed", async () => {
    await page.keyboard.press("Escape");
    return !(await refusing.isVisible());
  });
  await page.getByRole("link", { name: "Market Analysis" }).click();
  await page.getByRole("heading", { name: "Market Analysis", level: 1 }).waitFor();
  await page.getByText("Ranges and volatility").first().waitFor();
  await page.getByRole("tab", { name: "Crypto" }).click();
  await page.waitForURL("**/market-analysis?tab=crypto");
  await page
    .getByRole("table", { name: /Ranges/ })
    .getByText("EUR/USD")
    .waitFor({ state: "detached" });

  await page.goto("/economic-calendar");
  await page.getByText("It is not news.").waitFor();
  expect(await page.getByRole("table").innerText()).toMatch(/\w{3}, [A-Z][a-z]{2} \d{2}, \d{4}, \d{2}:\d{2}/);
  await page.getByLabel("Impact").selectOption("high");
  await page.getByLabel("Currency").selectOption("USD");
  await page.getByRole("button", { name: "Filter" }).click();
  await page.waitForURL("**/economic-calendar?currency=USD&impact=high");
  await awake(page, "CalendarTable");
  const jobs = page.getByRole("row").filter({ hasText: "US employment report" }).first();
  await jobs.getByText("GMT+9").waitFor();
  expect(await page.getByRole("table").innerText()).not.toContain("Forex week opens");
  await page.context().close();
});

test("the chart is drawn in the theme's colours, and anew when another is chosen or the device changes", async () => {
  const page = await trader(1440, 900);
  await page.goto("/traders-portal");
  /** Waits until candles of the one colour are on the chart and none of the other. */
  const drawn = (wanted: string, other: string) =>
    page.waitForFunction(
      (colours) => {
        const found = new Set<string>();
        for (const canvas of document.querySelectorAll<HTMLCanvasElement>("[data-island=PriceChart] canvas")) {
          if (canvas.width === 0 || canvas.height === 0) continue;
          const { data } = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
          for (let at = 0; at < data.length; at += 4) found.add(`${data[at]} ${data[at + 1]} ${data[at + 2]} ${data[at + 3]}`);
        }
        return found.has(colours.wanted) && !found.has(colours.other);
      },
      { wanted, other },
      { polling: 200 },
    );
  const [byDay, byNight] = ["10 127 87 255", "62 207 154 255"] as const;
  await drawn(byDay, byNight);
  await page.emulateMedia({ colorScheme: "dark" });
  await drawn(byNight, byDay);
  await page.getByRole("button", { name: "Theme: system. Change theme" }).click();
  await drawn(byDay, byNight);
  await page.context().close();
});
