import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { eventually, listening, openBrowser, told } from "../browser";
import { type Person, type TestApp, testApp } from "../app";
import { lose, openLive, win } from "../corrections";
import { deposit } from "../money";
import { silentProxy } from "../silent_proxy";

/** What staff and a trader hear of each other while their pages are open: of decisions, objections and declined corrections; and of a line that fell silent. */

type Admin = Awaited<ReturnType<TestApp["admin"]>>;
let app: TestApp;
let browser: Awaited<ReturnType<typeof openBrowser>>;
let proxy: ReturnType<typeof silentProxy>;
let base: string;
let ann: Admin;
let bea: Admin;
beforeAll(async () => {
  app = await testApp({ ADVERSE_CORRECTIONS: "four-eyes" });
  await app.quote("EUR/USD", "1.10000", "1.10002");
  app.router.listen({ port: 0, hostname: "127.0.0.1", reusePort: false });
  proxy = silentProxy(`http://127.0.0.1:${app.router.server?.port}`);
  ({ base } = proxy);
  browser = await openBrowser(base);
  [ann, bea] = [await app.admin(), await app.admin()];
  await app.sql`update users set first_name = 'Ann' where id = ${ann.id}`;
  await app.sql`update users set first_name = 'Bea' where id = ${bea.id}`;
});
afterAll(async () => {
  const faults = [...browser.faults];
  await browser.close();
  void proxy.end();
  void app.router.server?.stop(true);
  await app.end();
  expect(faults).toEqual([]);
});

async function at(person: Person, path: string): Promise<Page> {
  const page = await browser.visit({ viewport: { width: 1440, height: 900 } });
  const [name = "", value = ""] = person.cookie.split("=");
  await page.context().addCookies([{ name, value, url: base }]);
  await page.goto(path);
  return page;
}
const another = async (page: Page, path: string) => {
  const tab = await page.context().newPage();
  await tab.goto(path);
  return tab;
};

test("an identity check, an objection and a declined correction reach whom they concern, with no page reloaded", async () => {
  const [one, two] = [await openLive(app), await openLive(app)];
  const [asker, disputes, trader] = await Promise.all([at(ann, "/admin?tab=users"), at(bea, "/admin?tab=trades&status=disputes"), at(one.tess, "/dashboard")]);
  await Promise.all([asker, disputes, trader].map(listening));
  await bea.post(`/api/admin/users/${one.tess.id}/kyc`, { status: "verified", reason: "Passport seen" });
  await told(trader, "Your identity was verified");

  expect((await win(ann, one.position.id, "5.00")).status).toBe(200);
  await disputes.getByText("No disputes").waitFor();
  await one.tess.post(`/api/trading/positions/${one.position.id}/dispute`, { message: "This is not the price that I saw" });
  await disputes.locator("tr[data-row]").getByText("This is not the price that I saw").waitFor();

  const { body } = await lose(ann, two.position.id, "10.00");
  await bea.post(`/api/admin/corrections/${(body as unknown as { id: string }).id}/decline`, { reason: "No ground for it" });
  // The bell has it, whoever asked; several that come in one breath are one toast.
  await asker.locator("summary[aria-label^='Notifications']").click();
  await asker.getByRole("region", { name: "Notifications", exact: true }).getByText("Correction declined").first().waitFor();
});

test("ten tabs of one administrator hear of a request on one connection", async () => {
  const cleo = await app.admin();
  await app.sql`update users set first_name = 'Cleo' where id = ${cleo.id}`;
  const first = await at(cleo, "/admin?tab=deposits");
  const before = app.context.streams.count;
  const tabs = [first];
  for (let n = 1; n < 10; n++) tabs.push(await another(first, n % 2 ? "/admin?tab=deposits" : "/admin-app?tab=deposits"));
  const trader = await app.trader({ firstName: "Tenfold" });
  await deposit(trader, { amount: 77 });
  for (const tab of tabs) await tab.getByRole("button", { name: "Approve Tenfold Trader, $77.00" }).waitFor();
  await eventually(async () => expect(app.context.streams.count).toBe(before));
  for (const tab of tabs) await tab.close();
});

test("a line that fell silent, though nobody closed it, is said in every tab of staff, and so is its return", async () => {
  const first = await at(ann, "/admin?tab=deposits");
  const tabs = [
    first,
    await another(first, "/admin?tab=withdrawals"),
    await another(first, "/admin-registrations"),
    await another(first, "/admin-app?tab=deposits"),
  ];
  const lost = (tab: Page) => tab.getByText("The live connection is lost");
  for (const tab of tabs) expect(await lost(tab).count()).toBe(0);
  proxy.silence(true);
  await Promise.all(tabs.map((tab) => lost(tab).waitFor({ state: "attached" })));
  // It is looked all the same.
  const trader = await app.trader({ firstName: "Quiet" });
  await deposit(trader, { amount: 55 });
  await first.bringToFront();
  await first.getByRole("button", { name: "Approve Quiet Trader, $55.00" }).waitFor();
  proxy.silence(false);
  for (const tab of tabs) {
    await tab.bringToFront();
    await lost(tab).waitFor({ state: "detached" });
  }
});
