import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { ADMIN, openSite, register, type Site } from "../browser";
import { holdPage, pressEverything } from "../presses";

/** Every button of every kind of page is pressed, by a visitor, a trader and an administrator: it does something, or says why it can't. */

const DESK = { width: 1440, height: 900 };
const PHONE = { width: 360, height: 740 };
const VISITOR = ["/", "/faq", "/faq?q=zeppelin", "/contact", "/clear-history", "/register", "/login", "/deposit", "/trading-assets", "/admin", "/admin-app"];
const TRADER = [
  ...["/", "/dashboard", "/dashboard?tab=positions", "/dashboard?tab=transactions", "/dashboard?tab=requests"],
  ...["", "?tab=crypto", "?tab=positions", "?tab=history", "?tab=profile"].map((tab) => `/traders-portal${tab}`),
  ...["screener", "trading", "charts", "positions"].map((tab) => `/trading?tab=${tab}`),
  ...["/accounts", "/accounts/create", "/deposit", "/mobile-deposit", "/profile", "/two-factor"],
  ...["/support?view=tickets", "/support?view=new", "/support?view=chat", "/analytics", "/market-analysis", "/economic-calendar"],
];
const STAFF = [
  ...["users", "deposits", "withdrawals", "trades", "visitors", "support", "audit", "overview", "wallets", "system"].map((tab) => `/admin?tab=${tab}`),
  ...["tickets", "chat", "answers", "contact"].map((view) => `/admin?tab=support&view=${view}`),
  "/admin-registrations",
];
const APP = ["dashboard", "visitors", "users", "deposits", "withdrawals", "trades", "support", "settings"].map((tab) => `/admin-app?tab=${tab}`);

let site: Site;
let trader: Page;
let admin: Page;
beforeAll(async () => {
  site = await openSite();
  trader = await site.visit({ viewport: DESK });
  await register(trader, "Tess");
  const send = (path: string, data: object) => trader.request.post(path, { data });
  for (const symbol of ["EUR/USD", "BTC/USD"]) {
    const order = { symbol, type: "buy", amount: 500 };
    await (await send("/api/trading/positions", order)).json();
    const { id } = (await (await send("/api/trading/positions", order)).json()) as { id: string };
    await send(`/api/trading/positions/${id}/close`, {});
  }
  for (const amount of [5000, 400]) await send("/api/deposits", { amount, currency: "BTC", method: "crypto" });
  await send("/api/support/tickets", { subject: "A fill", message: "What was it filled at?", category: "trading" });
  await send("/api/chat/messages", { message: "Hello" });
  await send("/api/contact", { name: "Ann", email: "ann@example.test", message: "Hello" });
  admin = await site.visit({ viewport: DESK });
  expect((await admin.request.post("/api/auth/login", { data: ADMIN })).status()).toBe(200);
  await Promise.all([trader, admin].map(holdPage));
});
afterAll(() => site.close());

async function pressed(page: Page, paths: readonly string[]) {
  const faults: string[] = [];
  let count = 0;
  for (const path of paths) {
    const { pressed: here, dead, mute } = await pressEverything(page, path);
    count += here;
    faults.push(...dead.map((name) => `${path}: nothing happens at ${name}`), ...mute.map((name) => `${path}: nothing says why ${name} can't be pressed`));
  }
  return { faults, count };
}

test("a button that does nothing is seen", async () => {
  const page = await site.visit();
  await holdPage(page);
  await page.route("**/about", (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<main><button onclick="">Dead</button><button onclick="fetch('/x')">Calls</button><button onclick="location.href = '/faq'">Leaves</button>
        <div><button disabled>Mute</button></div><div><button disabled>Sell</button>Nothing to sell.</div></main>`,
    }),
  );
  expect(await pressEverything(page, "/about")).toEqual({ pressed: 3, dead: ["Dead"], mute: ["Mute"] });
});

test("for a visitor", async () => {
  const page = await site.visit({ viewport: DESK });
  await holdPage(page);
  const { faults, count } = await pressed(page, VISITOR);
  expect(faults).toEqual([]);
  expect(count).toBeGreaterThan(40);
});

const isTrading = (path: string) => path.startsWith("/trad");
test.each([
  ["money, accounts and support", TRADER.filter((path) => !isTrading(path)), DESK, 100],
  ["the trading screens", TRADER.filter(isTrading), DESK, 80],
  ["a phone", ["/traders-portal", "/dashboard", "/mobile-deposit"], PHONE, 20],
] as const)("for a trader: %s", async (_, paths, size, least) => {
  await trader.setViewportSize(size);
  const { faults, count } = await pressed(trader, paths);
  expect(faults).toEqual([]);
  expect(count).toBeGreaterThan(least);
});

test("for an administrator, at a desk and in the app", async () => {
  await admin.goto("/admin?tab=users");
  const client = (await admin.getByRole("link", { name: "Tess Lovelace" }).first().getAttribute("href")) ?? "";
  const { faults, count } = await pressed(admin, [...STAFF, client]);
  await admin.setViewportSize(PHONE);
  faults.push(...(await pressed(admin, APP)).faults);
  expect(faults).toEqual([]);
  expect(count).toBeGreaterThan(100);
});
