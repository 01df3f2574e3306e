import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Alert } from "../../alerts/schema";
import { type TestApp, testApp } from "../app";
import { eventually, listening, openBrowser, told } from "../browser";
import { deviceOf, openPushService } from "../push_service";
import { until } from "../scenarios";

/** Price alerts in a browser: set from wherever a price stands, told on the page and, with the page closed, by push. */

const service = openPushService();
let app: TestApp;
let browser: Awaited<ReturnType<typeof openBrowser>>;
let base: string;
beforeAll(async () => {
  app = await testApp({}, undefined, service.parts);
  for (let minute = 0; minute < 40; minute++) {
    const bid = 1.0842 + 0.001 * Math.sin(minute / 5);
    await app.quote("EUR/USD", bid.toFixed(5), (bid + 0.00004).toFixed(5));
    app.pass(60_000);
  }
  await price(1.0842);
  await app.quote("GBP/USD", "1.25000", "1.25004");
  app.router.listen({ port: 0, hostname: "127.0.0.1", reusePort: false });
  base = `http://127.0.0.1:${app.router.server?.port}`;
  browser = await openBrowser(base);
});
afterAll(async () => {
  const faults = [...browser.faults];
  await browser.close();
  void app.router.server?.stop(true);
  await app.end();
  await service.stop();
  expect(faults).toEqual([]);
});

/** EUR/USD at this bid; its mid is two points above. */
const price = (bid: number) => app.quote("EUR/USD", bid.toFixed(5), (bid + 0.00004).toFixed(5));

async function trader(width: number, height: number, touch = false): Promise<Page> {
  const page = await browser.visit({ viewport: { width, height }, ...(touch ? { hasTouch: true, isMobile: true } : {}) });
  const data = { firstName: "Ada", lastName: "Lovelace", email: `ada-${crypto.randomUUID().slice(0, 8)}@t.test`, password: "Corr3ct-horse", referralCode: "" };
  expect((await page.request.post("/api/auth/register", { data, headers: { origin: base } })).status()).toBe(201);
  return page;
}
const alertsOf = async (page: Page) => (await (await page.request.get("/api/alerts")).json()) as Alert[];
const awake = (page: Page, island: string) => page.locator(`[data-island=${island}][data-awake]`).first().waitFor({ state: "attached" });
const dialog = (page: Page) => page.getByRole("dialog", { name: "Set a price alert" });

test("at a desk by keyboard alone: set beside the order panel, told when it fires, listed, deleted", async () => {
  const page = await trader(1440, 900);
  await page.goto("/traders-portal");
  await awake(page, "DealTools");
  await page.getByRole("button", { name: "Set an alert on EUR/USD" }).first().focus();
  await page.keyboard.press("Enter");
  await dialog(page).waitFor();
  // The price is selected: what is typed takes its place.
  await page.waitForFunction(() => document.activeElement?.id === "alert-price");
  await page.keyboard.type("1.09000");
  await page.getByLabel("Condition").focus();
  await page.keyboard.press("a");
  await page.keyboard.press("t");
  await page.getByLabel("Condition").selectOption("above");
  await page.getByLabel("Note").focus();
  await page.keyboard.type("Sell half");
  await page.keyboard.press("Enter");
  await told(page, "You are told once: EUR/USD mid at or above 1.09000.");
  expect(await alertsOf(page)).toMatchObject([
    { symbol: "EUR/USD", side: "mid", condition: "above", price: "1.09000000", note: "Sell half", status: "active" },
  ]);

  await page.goto("/alerts");
  await awake(page, "AlertList");
  await page.getByRole("heading", { name: "Active alerts (1 of 50)" }).waitFor();
  await listening(page);
  await price(1.0901);
  await told(page, "EUR/USD mid is at 1.09012; your alert: above or at 1.09000. Sell half");
  const over = page.getByRole("region", { name: "Fired and expired" });
  await over.getByText("Fired", { exact: true }).waitFor();
  await page.getByText("No alert waits").waitFor();
  await over.getByRole("button", { name: "Delete the alert: EUR/USD mid at or above 1.09000" }).focus();
  await page.keyboard.press("Enter");
  await over.waitFor({ state: "detached" });
  await eventually(async () => expect(await alertsOf(page)).toEqual([]));
  await page.close();
  await price(1.0842);
});

test("from a chart: a right click offers the price under it, and the alert stands there as a line", async () => {
  const page = await trader(768, 1024);
  await page.goto("/traders-portal");
  const canvas = page.locator("[data-island=PriceChart] canvas").first();
  await canvas.waitFor();
  const item = page.getByRole("menuitem", { name: /^Set an alert at 1\.\d{5}$/ });
  await until("the menu is there", async () => {
    const box = await canvas.boundingBox();
    if (!box) return false;
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 3, { button: "right" });
    return item.isVisible();
  });
  const at = /1\.\d{5}/.exec((await item.textContent()) ?? "")?.[0] ?? "";
  await item.press("Enter");
  await dialog(page).waitFor();
  await eventually(async () => expect(await page.getByLabel("At", { exact: true }).inputValue()).toBe(at));
  await page.getByRole("button", { name: "Set alert", exact: true }).click();
  await told(page, "Alert set");
  expect(await alertsOf(page)).toMatchObject([{ price: `${at}000`, condition: "crosses" }]);
  await page.close();
});

test("on a phone: from a watchlist, and from the chart by a long press; what can't be set says why", async () => {
  const page = await trader(360, 740, true);
  await page.goto("/traders-portal");
  await awake(page, "PortalTabs");
  await page.getByRole("link", { name: "Watchlist", exact: true }).tap();
  await page.getByRole("listitem").filter({ hasText: "GBP/USD" }).getByRole("button", { name: "Set an alert on GBP/USD" }).tap();
  await dialog(page).waitFor();
  await eventually(async () => expect(await page.locator("#alert-symbol").inputValue()).toBe("GBP/USD"));
  await page.getByLabel("At", { exact: true }).fill("0");
  await page.getByRole("button", { name: "Set alert", exact: true }).tap();
  await page.getByText("The price must be above zero and realistic.").waitFor();
  await page.getByLabel("At", { exact: true }).fill("1.3");
  await page.getByRole("button", { name: "Set alert", exact: true }).tap();
  await told(page, "Alert set");

  await page.getByRole("link", { name: "Chart" }).tap();
  const canvas = page.locator("[data-island=PriceChart] canvas").first();
  await canvas.scrollIntoViewIfNeeded();
  const finger = await page.context().newCDPSession(page);
  const item = page.getByRole("menuitem", { name: /^Set an alert at/ });
  await until("the menu is there", async () => {
    const box = await canvas.boundingBox();
    if (!box) return false;
    const at = { x: box.x + box.width / 2, y: box.y + box.height / 3 };
    await finger.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [at] });
    const shown = await item.waitFor({ timeout: 2_000 }).then(
      () => true,
      () => false,
    );
    await finger.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    return shown;
  });
  await item.tap();
  await dialog(page).waitFor();
  await page.getByRole("button", { name: "Set alert", exact: true }).tap();
  await told(page, "Alert set");
  await eventually(async () => expect((await alertsOf(page)).map(({ symbol }) => symbol).sort()).toEqual(["EUR/USD", "GBP/USD"]));
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  await page.close();
});

test("a person who pressed for it is told by push while no page is open; the browser is asked by that press alone", async () => {
  const device = await service.newBrowser();
  const page = await trader(1440, 900);
  // The engine alone has no push: the page finds one that leads to the test's own service.
  await page.addInitScript(
    ({ endpoint, keys }) => {
      const hand = window as unknown as { asked: number };
      hand.asked = 0;
      let permission: NotificationPermission = "default";
      let made: object | null = null;
      const registration = {
        active: {},
        pushManager: {
          getSubscription: async () => made,
          subscribe: async (options: { applicationServerKey: Uint8Array }) => {
            made = {
              endpoint,
              options: { applicationServerKey: options.applicationServerKey.buffer },
              toJSON: () => ({ endpoint, keys }),
              unsubscribe: async () => {
                made = null;
                return true;
              },
            };
            return made;
          },
        },
      };
      const workers = {
        getRegistration: async () => registration,
        register: async () => registration,
        ready: Promise.resolve(registration),
        addEventListener: () => {},
      };
      Object.defineProperty(navigator, "serviceWorker", { value: workers, configurable: true });
      Object.defineProperty(window, "PushManager", { value: class {}, configurable: true });
      Object.defineProperty(window, "Notification", {
        value: {
          get permission() {
            return permission;
          },
          requestPermission: async () => {
            hand.asked++;
            permission = "granted";
            return permission;
          },
        },
        configurable: true,
      });
    },
    { endpoint: device.endpoint, keys: device.keys },
  );
  await page.goto("/profile#push");
  const push = page.getByRole("region", { name: "Push notifications" });
  await push.getByText("Disabled").waitFor();
  expect(await page.evaluate(() => (window as unknown as { asked: number }).asked)).toBe(0);
  await push.getByRole("button", { name: "Enable" }).click();
  await push.getByText("Enabled").waitFor();
  expect(await page.evaluate(() => (window as unknown as { asked: number }).asked)).toBe(1);
  const data = { symbol: "EUR/USD", side: "mid", condition: "below", price: "1.08000" };
  expect((await page.request.post("/api/alerts", { data, headers: { origin: base } })).status()).toBe(201);
  await page.close();
  await until("the last connection is closed", () => app.context.streams.count === 0);
  await price(1.0799);
  await until("the device has it", () => service.got.length === 1);
  expect(service.got).toMatchObject([
    { device: deviceOf(device), message: { title: "Price alert", body: "EUR/USD mid is at 1.07992; your alert: below or at 1.08000.", url: "/alerts" } },
  ]);
});
