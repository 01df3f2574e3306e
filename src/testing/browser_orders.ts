import { afterAll, beforeAll, beforeEach, expect } from "bun:test";
import type { Locator, Page } from "playwright-core";
import type { Position } from "../trading/schema";
import { testApp } from "./app";
import { openBrowser } from "./browser";

/** What browser tests of orders that wait share: a program with prices and clock in the test's hand, and traders with orders. */
export async function openOrders() {
  const app = await testApp();
  /** EUR/USD at this bid, the ask four points above; a Starter account's spread is 3.3 pips around their middle. */
  const price = (bid: number) => app.quote("EUR/USD", bid.toFixed(5), (bid + 0.00004).toFixed(5));
  // The last is of this very minute: whatever the time is, the newest candle is the one that the next price moves.
  for (let minute = 0; minute < 40; minute++) {
    app.pass(60_000);
    await price(1.0842 + 0.001 * Math.sin(minute / 5));
  }
  app.router.listen({ port: 0, hostname: "127.0.0.1", reusePort: false });
  const base = `http://127.0.0.1:${app.router.server?.port}`;
  const browser = await openBrowser(base);
  return {
    app,
    base,
    price,
    /** A new trader's page; a phone's where it has `touch`. */
    async trader({ touch = false, width = touch ? 360 : 1440, height = touch ? 740 : 900, ...more }: Record<string, unknown> = {}): Promise<Page> {
      const device = touch ? { hasTouch: true, isMobile: true } : {};
      const page = await browser.visit({ viewport: { width: Number(width), height: Number(height) }, ...device, ...more });
      const person = { firstName: "Ada", lastName: "Lovelace", password: "Corr3ct-horse", referralCode: "" };
      const data = { ...person, email: `ada-${crypto.randomUUID().slice(0, 8)}@t.test` };
      expect((await page.request.post("/api/auth/register", { data, headers: { origin: base } })).status()).toBe(201);
      return page;
    },
    async place(page: Page, over: object): Promise<Position> {
      const data = { symbol: "EUR/USD", type: "buy", amount: 1000, ...over };
      const answer = await page.request.post("/api/trading/positions", { data, headers: { origin: base } });
      expect(answer.status()).toBe(201);
      return (await answer.json()) as Position;
    },
    async end() {
      const faults = [...browser.faults];
      await browser.close();
      void app.router.server?.stop(true);
      await app.end();
      expect(faults).toEqual([]);
    },
  };
}

/** The same for the tests of one file: open for all of them, at one price before each. */
export function ordersSite() {
  const site = {} as Awaited<ReturnType<typeof openOrders>>;
  beforeAll(async () => void Object.assign(site, await openOrders()));
  beforeEach(async () => {
    await site.price(1.0842);
  });
  afterAll(async () => site.end());
  return site;
}

export const openOf = async (page: Page) => (await (await page.request.get("/api/trading/positions/open")).json()) as Position[];
export const limit = (triggerPrice: string, more: object = {}) => ({ orderType: "limit", triggerPrice, ...more });
export const listOf = (page: Page) => page.getByRole("table", { name: "Waiting orders, newest first" });
export const rowOf = (page: Page, { id }: { id: string }) => page.locator(`tr[data-row="${id}"]`);
export async function toPositions(page: Page) {
  await page.goto("/traders-portal?tab=positions#lists");
  await page.locator("[data-island=PortalTabs][data-awake]").waitFor({ state: "attached" });
  await page.getByRole("heading", { name: "Waiting Orders" }).waitFor();
}
/** Pointer and keyboard leave the list, so that its rows may move. */
export async function letGo(page: Page) {
  await page.getByRole("heading", { name: "Waiting Orders" }).click();
  // What comes or goes above moves the list, and never under a pointer that rests at the top.
  await page.mouse.move(5, 5);
}
/** The chart's handle by its name, once it is there. */
export async function handleOf(page: Page, name: string | RegExp): Promise<Locator> {
  const found = page.getByRole("slider", { name, exact: true });
  await found.waitFor();
  return found;
}
