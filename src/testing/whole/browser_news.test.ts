import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { ADMIN, eventually, listening, openSite, register, type Site, told } from "../browser";

/** What staff are told, in several open browsers: visitors as they come, notifications, and the app on a phone. */

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(async () => {
  const faults = [...site.faults];
  await site.close();
  expect(faults).toEqual([]);
});

type Options = Parameters<Site["visit"]>[0];
async function staff(path: string, island: string, options: Options = {}): Promise<Page> {
  const page = await site.visit({ viewport: { width: 1440, height: 900 }, ...options });
  await page.request.post("/api/auth/login", { data: ADMIN, headers: { origin: site.base } });
  await page.goto(path);
  await page.locator(`[data-island=${island}][data-awake]`).waitFor({ state: "attached" });
  return page;
}
const bell = (page: Page) => page.locator("summary[aria-label^=Notifications]");

test("a visitor is on the screen as the page is opened, its texts are text, and who asks not to be tracked is not there", async () => {
  const watching = await staff("/admin?tab=visitors", "AdminVisitors");
  const list = watching.getByRole("region", { name: "Recent visitors" });
  const silent = await site.visit();
  await silent.addInitScript(() => Object.defineProperty(navigator, "globalPrivacyControl", { value: true }));
  await silent.goto("/privacy");
  const visitor = await site.visit({ timezoneId: "Europe/Stockholm" });
  await visitor.goto("/terms");
  const row = list.getByRole("row").filter({ hasText: "/terms" }).first();
  await row.waitFor();
  await row.getByRole("img", { name: "Sweden" }).waitFor();
  await row.getByText("Desktop").waitFor();
  expect(await visitor.context().cookies()).toEqual([]);
  expect(await visitor.evaluate(() => localStorage.length)).toBe(0);

  const script = "/<img src=x onerror=document.title=1337><script>document.title=1338</script>";
  for (const data of [{ page: script }, { page: "/\n\nevent: notification\ndata: {}\n\n", device: script, userAgent: script, timezone: script }])
    expect((await visitor.request.post("/api/admin/visitors/track", { data })).status()).toBe(204);
  await list.getByText(script).waitFor();
  expect(await watching.title()).not.toContain("133");
  expect(await list.locator("img, script").count()).toBe(0);
  expect(await list.getByText("/privacy").count()).toBe(0);
  await watching.getByRole("group", { name: "Total today" }).getByText("1", { exact: true }).waitFor();
});

test("a trader's deposit is told on two administrators' screens at once, read by one on every tab, and decided on a phone", async () => {
  const [computer, phone] = await Promise.all([
    staff("/admin?tab=users", "AdminBell"),
    staff("/admin-app?tab=deposits", "AdminBell", { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }),
  ]);
  await Promise.all([computer, phone].map(listening));
  const second = await computer.context().newPage();
  await second.goto("/admin?tab=audit");
  await second.locator("[data-island=AdminBell][data-awake]").waitFor({ state: "attached" });
  const trader = await site.visit();
  await register(trader, "Grace");
  const bothTold = (words: string) => Promise.all([computer, phone].map((page) => told(page, words)));
  await bothTold("New registration");

  await trader.request.post("/api/deposits", { data: { amount: 75, currency: "USD", method: "card", notes: "" }, headers: { origin: site.base } });
  await bothTold("Grace Lovelace wants to deposit $75.00 by card.");

  await bell(computer).click();
  const centre = computer.getByRole("region", { name: "Notifications", exact: true });
  await centre.getByText("New deposit request").first().waitFor();
  await centre.getByRole("button", { name: "Mark all read" }).click();
  for (const page of [computer, second, phone]) await page.waitForFunction(() => document.querySelector("summary[aria-label='Notifications']") !== null);
  await phone.getByRole("link", { name: "Alerts" }).locator("xpath=ancestor::div[1]").getByText("0", { exact: true }).waitFor();

  const card = phone.getByRole("listitem").filter({ hasText: "Grace Lovelace" }).first();
  await card.getByRole("button", { name: "Approve Grace Lovelace" }).tap();
  await phone.getByText("Credits $75.00 to Grace Lovelace").waitFor();
  await phone.getByRole("dialog").getByRole("button", { name: "Approve", exact: true }).tap();
  await told(phone, "Deposit approved");
  // Under a finger what was decided stays where it was, marked, until it is tidied up.
  const waiting = phone.getByRole("list", { name: "Waiting deposits" });
  await waiting.getByText("Approved", { exact: true }).waitFor();
  await eventually(async () => expect(await waiting.getByRole("button").count()).toBe(0));
  await phone.getByRole("button", { name: "Tidy up" }).tap();
  await phone.getByText("Nothing waits").waitFor();
  await phone.getByText("Decided", { exact: true }).tap();
  await phone.getByRole("list", { name: "Decided deposits" }).getByText("approved").waitFor();
  await phone.getByRole("link", { name: "Users", exact: true }).tap();
  await phone.getByText("grace-").first().waitFor();
});

test("the app's settings ask the browser, and say how push stands; a stranger is led to sign in", async () => {
  const page = await staff("/admin-app?tab=settings", "AdminAppSettings");
  const push = page.getByRole("region", { name: "Push notifications" });
  await push.getByText("Disabled").waitFor();
  expect(await page.getByRole("checkbox", { name: "Visitors" }).isChecked()).toBe(false);
  await page.getByRole("checkbox", { name: "Withdrawals" }).uncheck();
  await page.reload();
  await page.locator("[data-island=AdminAppSettings][data-awake]").waitFor({ state: "attached" });
  await page.waitForFunction(() => !document.querySelector<HTMLFieldSetElement>("fieldset")?.disabled);
  expect(await page.getByRole("checkbox", { name: "Withdrawals" }).isChecked()).toBe(false);
  expect(await page.getByRole("checkbox", { name: "Deposits" }).isChecked()).toBe(true);

  const stranger = await site.visit();
  await stranger.goto("/admin-app");
  await stranger.getByRole("heading", { name: "Admin Access Required" }).waitFor();
  await stranger.getByRole("link", { name: "Login as Admin" }).click();
  await stranger.waitForURL("**/login?returnTo=%2Fadmin-app");
});
