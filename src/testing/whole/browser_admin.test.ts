import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { ADMIN, eventually, holdClock, openSite, register, type Site, told } from "../browser";

/** The control panel in two open browsers, by keyboard, while a trader asks for money to be moved. */

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(async () => {
  const faults = [...site.faults];
  await site.close();
  expect(faults).toEqual([]);
});

type Person = { email: string; password: string };
const headers = () => ({ origin: site.base });

async function staff(path: string, person: Person = ADMIN): Promise<Page> {
  const page = await site.visit({ viewport: { width: 1440, height: 900 }, permissions: ["clipboard-read", "clipboard-write"] });
  await page.request.post("/api/auth/login", { data: person, headers: headers() });
  await page.goto(path);
  await page.locator("[data-island=AdminHeader][data-awake]").waitFor({ state: "attached" });
  return page;
}

const colleagues: string[] = [];
/** A second administrator, made by the first one, who is alone again by then: so nobody else has to confirm it. */
async function colleague(by: Page, firstName: string): Promise<Person> {
  const person = { email: `${firstName.toLowerCase()}@example.test`, password: "Corr3ct-horse-battery" };
  const data = { ...person, firstName, lastName: "Hopper", referralCode: "" };
  const visitor = await site.visit();
  const made = (await (await visitor.request.post("/api/auth/register", { data, headers: headers() })).json()) as { user: { id: string } };
  await by.request.post(`/api/admin/approve-registration/${made.user.id}`, { headers: headers() });
  const roles = (id: string, role: string) =>
    by.request.post(`/api/admin/users/${id}/role`, { data: { role, reason: "Joins or leaves the desk" }, headers: headers() });
  for (const id of colleagues.splice(0)) expect((await roles(id, "user")).status()).toBe(200);
  const role = await roles(made.user.id, "admin");
  colleagues.push(made.user.id);
  expect(role.status()).toBe(200);
  return person;
}
const waiting = (page: Page) => page.getByRole("region", { name: "Waiting deposits" });
/** The keyboard is in a field of a dialog. */
const writing = (page: Page) => page.waitForFunction(() => document.activeElement?.matches("dialog :is(input, textarea)"));
const current = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute("data-row"));

test("two administrators and a trader: a request appears by itself, is claimed, decided by keyboard, and the late click is told", async () => {
  const one = await staff("/admin?tab=deposits");
  const two = await staff("/admin?tab=deposits", await colleague(one, "Radia"));
  await waiting(one).getByText("Nothing waits").waitFor();
  const trader = await site.visit();
  await register(trader, "Grace");
  await trader.goto("/dashboard?tab=requests");
  const ask = async (amount: number): Promise<string> => {
    const data = { amount, currency: "USD", method: "bank", notes: "<img src=x onerror=alert(1)>" };
    const answer = await trader.request.post("/api/deposits", { data, headers: headers() });
    return ((await answer.json()) as { id: string }).id;
  };
  const first = await ask(6000);
  // While its stream is open a list never looks for itself: what comes here came by the stream.
  await Promise.all([one, two].map((page) => page.locator(`tr[data-row="${first}"]`).waitFor()));
  const second = await ask(70);
  for (const page of [one, two]) await page.locator(`tr[data-row="${second}"]`).waitFor();
  await one.waitForFunction(() => document.title.startsWith("(2) Deposits"));

  // Who has waited longest stands first.
  await one.keyboard.press("j");
  await eventually(async () => expect(await current(one)).toBe(first));
  await two.getByRole("button", { name: "Reject Grace Lovelace" }).first().click();
  await two.getByLabel("Reason").fill("Not seen at the bank");
  // Who opens a request is seen by the others, and who leaves it is gone.
  await one.locator(`tr[data-row="${first}"]`).getByText("Radia Hopper is looking at this").waitFor();
  const place = () => two.getByRole("button", { name: "Reject", exact: true }).boundingBox();
  const asked = two.getByRole("dialog");
  await asked.getByText("Nobody else is looking at this").waitFor();
  const before = await place();

  await one.keyboard.press("a");
  await one.getByText("Credits $6,000.00 to Grace Lovelace; bonuses $500.00").waitFor();
  // Who comes and goes moves no button from under a finger.
  await asked.getByText(/^(?!Nobody).* is looking at this/).waitFor();
  expect(await place()).toEqual(before);
  // Above the threshold the amount is typed; another one is not sent.
  await writing(one);
  await one.keyboard.type("600");
  await one.keyboard.press("Enter");
  await one.getByText("This is not the request's amount.").waitFor();
  await one.keyboard.type("0");
  await one.keyboard.press("Enter");
  await told(one, "Deposit approved");
  await one.locator(`section[aria-label="Decided deposits"] tr[data-row="${first}"]`).waitFor();
  await eventually(async () => expect(await current(one)).toBe(second));
  await asked.getByText("Nobody else is looking at this").waitFor();
  expect(await place()).toEqual(before);

  await two.getByRole("button", { name: "Reject", exact: true }).click();
  await told(two, "This deposit is already approved.");
  await two.getByRole("dialog").waitFor({ state: "detached" });
  await two.locator(`section[aria-label="Decided deposits"] tr[data-row="${first}"]`).waitFor();
  await eventually(async () => expect(await one.getByText("is looking at this").count()).toBe(0));
  await trader.getByText("Deposit approved").first().waitFor();
  const money = await trader.request.get("/api/user/financials");
  expect(await money.json()).toMatchObject({ accountBalance: "6500.00" });
});

test("a newcomer is approved from the cards, which come and go by themselves", async () => {
  const [one, two] = await Promise.all([site.visit(), site.visit()]);
  for (const page of [one, two]) {
    await page.request.post("/api/auth/login", { data: ADMIN, headers: headers() });
    await page.goto("/admin-registrations");
    await page.locator("[data-island=AdminRegistrations][data-awake]").waitFor({ state: "attached" });
  }
  await register(await site.visit(), "Nora");
  for (const page of [one, two]) await page.getByRole("button", { name: "Approve Nora Lovelace" }).waitFor();
  await one.getByRole("button", { name: "Approve Nora Lovelace" }).click();
  await told(one, "Registration Approved!");
  await two.getByRole("button", { name: "Approve Nora Lovelace" }).waitFor({ state: "detached" });
});

test("whoever is banned, or signs out in another tab, is led away from every open tab at once", async () => {
  const boss = await staff("/admin?tab=users");
  const person = await colleague(boss, "Edsger");
  const banned = await staff("/admin?tab=withdrawals", person);
  const tab = await banned.context().newPage();
  await tab.goto("/admin?tab=audit");
  // A dialog that was thought better of gives the keyboard back to what opened it.
  const opener = boss.getByRole("button", { name: "Ban Edsger" });
  await opener.click();
  await boss.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await boss.waitForFunction((name) => document.activeElement?.getAttribute("aria-label")?.startsWith(name), "Ban Edsger");
  const { id } = (await (await banned.request.get("/api/auth/user")).json()) as { id: string };
  const ban = await boss.request.post(`/api/admin/users/${id}/ban`, { data: { reason: "Left the house" }, headers: headers() });
  expect(ban.status()).toBe(200);
  await Promise.all([banned, tab].map((page) => page.waitForURL("**/login?returnTo=**")));

  const other = await boss.context().newPage();
  await other.goto("/admin?tab=overview");
  await boss.request.post("/api/auth/logout", { headers: headers() });
  await Promise.all([boss, other].map((page) => page.waitForURL("**/login?returnTo=**")));
});

test("who is suspended is led away from pages that have no stream of their own, too, each of which says why", async () => {
  const boss = await staff("/admin?tab=users");
  const trader = await site.visit();
  await register(trader, "Sully");
  const { id } = (await (await trader.request.get("/api/auth/user")).json()) as { id: string };
  const pages = [trader, await trader.context().newPage(), await trader.context().newPage()];
  for (const [n, path] of ["/about", "/deposit", "/terms"].entries()) await pages[n]?.goto(path);
  const suspended = await boss.request.post(`/api/admin/users/${id}/suspend`, { data: { reason: "Odd sign-ins" }, headers: headers() });
  expect(suspended.status()).toBe(200);
  await Promise.all(pages.map((page) => page.waitForURL("**/login?returnTo=**", { waitUntil: "commit" })));
  for (const page of pages) await page.getByText("Your session has ended.").waitFor();
});

test("a proof that is a PDF is handed over as the file that was sent", async () => {
  const trader = await site.visit();
  await register(trader, "Petra");
  const headers = { origin: site.base };
  const made = await trader.request.post("/api/deposits", { data: { amount: 500, currency: "USD", method: "bank", notes: "" }, headers });
  const { id } = (await made.json()) as { id: string };
  const pdf = Buffer.from("%PDF-1.7\n1 0 obj <</Type /Catalog >> endobj\ntrailer <</Root 1 0 R>>\nstartxref\n9\n%%EOF\n");
  const sent = await trader.request.post(`/api/deposits/${id}/proof`, { data: pdf, headers: { ...headers, "content-type": "application/pdf" } });
  expect(sent.ok()).toBe(true);

  const page = await staff("/admin?tab=deposits&q=petra");
  await page.getByRole("button", { name: "View proof of Petra Lovelace" }).click();
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Download the PDF" }).click()]);
  expect(download.suggestedFilename()).toBe(`proof-${id}.pdf`);
  expect(await Bun.file(await download.path()).text()).toBe(pdf.toString());
});

test("a proof of payment is shown where it can be, and an address is copied whole", async () => {
  const trader = await site.visit();
  await register(trader, "Paula");
  const headers = { origin: site.base };
  const hash = "f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16";
  const made = await trader.request.post("/api/deposits", {
    data: { amount: 400, currency: "BTC", method: "crypto", notes: "", transactionHash: hash },
    headers,
  });
  const { id } = (await made.json()) as { id: string };
  const picture = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");
  const sent = await trader.request.post(`/api/deposits/${id}/proof`, { data: picture, headers: { ...headers, "content-type": "image/png" } });
  expect(sent.ok()).toBe(true);

  const page = await staff("/admin?tab=deposits&q=paula");
  await page.getByRole("button", { name: "View proof of Paula Lovelace" }).click();
  const image = page.getByRole("img", { name: "Proof of payment, $400.00 from Paula Lovelace" });
  await image.waitFor();
  await eventually(async () => expect(await image.evaluate((element) => (element as HTMLImageElement).naturalWidth)).toBe(1));
  await page.keyboard.press("Escape");
  await page
    .getByRole("region", { name: "Waiting deposits" })
    .getByRole("button", { name: `Copy transaction hash ${hash}` })
    .click();
  await told(page, "Transaction hash Copied");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(hash);
});

test("a visitor of the panel is sent to sign in and comes back", async () => {
  const page = await site.visit();
  await holdClock(page);
  await page.goto("/admin?tab=audit");
  await told(page, "You are logged out. Logging in again...");
  await page.clock.runFor(600);
  await page.waitForURL(`**/login?returnTo=${encodeURIComponent("/admin?tab=audit")}`);
});

test("by keyboard alone the focus stays where a decision was made, and never on the next one's button", async () => {
  const page = await staff("/admin?tab=users");
  for (const firstName of ["Edith", "Frances"]) await register(await site.visit(), firstName);
  const press = async (name: string | RegExp) => {
    await page.keyboard.press("Shift");
    await page.getByRole("button", { name }).focus();
    await page.keyboard.press("Enter");
  };
  const focusIsOn = (selector: string, text: string) =>
    page.waitForFunction(([css, part]) => document.activeElement?.matches(css) && document.activeElement.textContent?.includes(part), [
      selector,
      text,
    ] as const);

  await page.goto("/admin-registrations");
  await page.locator("[data-island=AdminRegistrations][data-awake]").waitFor({ state: "attached" });
  await press("Approve Frances Lovelace");
  await told(page, "Registration Approved!");
  await focusIsOn("li", "Edith Lovelace");

  await page.goto("/admin?tab=users&q=frances");
  await page.locator("[data-island=AdminUsers][data-awake]").waitFor({ state: "attached" });
  await press("Ban Frances Lovelace");
  await writing(page);
  await page.keyboard.type("Fraud");
  await page.keyboard.press("Control+Enter");
  await told(page, "User banned");
  await focusIsOn("td span", "Activate");

  await page.goto("/admin?tab=audit");
  await page.locator("[data-island=AdminAudit][data-awake]").waitFor({ state: "attached" });
  await press("Verify");
  await page.getByText("The chain is whole").waitFor();
  await focusIsOn("button", "Verify");
});
