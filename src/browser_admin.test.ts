import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { ADMIN, openSite, register, type Site } from "./testing/browser";

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

async function staff(path: string): Promise<Page> {
  const page = await site.visit({ viewport: { width: 1440, height: 900 }, permissions: ["clipboard-read", "clipboard-write"] });
  await page.request.post("/api/auth/login", { data: ADMIN, headers: { origin: site.base } });
  await page.goto(path);
  await page.locator("[data-island=AdminDeposits][data-awake]").waitFor({ state: "attached" });
  return page;
}
const waiting = (page: Page) => page.getByRole("region", { name: "Waiting deposits" });
const current = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute("data-row"));

test("a request appears by itself, is approved by keyboard, and leaves the other screen, whose late click is told", async () => {
  const [one, two] = await Promise.all([staff("/admin?tab=deposits"), staff("/admin?tab=deposits")]);
  await waiting(one).getByText("Nothing waits").waitFor();
  const trader = await site.visit();
  await register(trader, "Grace");
  const ask = async (amount: number): Promise<string> => {
    const answer = await trader.request.post("/api/deposits", {
      data: { amount, currency: "USD", method: "bank", notes: "<img src=x onerror=alert(1)>" },
      headers: { origin: site.base },
    });
    return ((await answer.json()) as { id: string }).id;
  };
  const [first, second] = [await ask(6000), await ask(70)];
  for (const page of [one, two]) for (const id of [first, second]) await page.locator(`tr[data-row="${id}"]`).waitFor();
  await one.waitForFunction(() => document.title.startsWith("(3) "));

  // The newest stands first; the second row is the large one.
  await one.keyboard.press("j");
  await one.keyboard.press("j");
  expect(await current(one)).toBe(first);
  await two.getByRole("button", { name: "Reject Grace Lovelace" }).last().click();
  await two.getByLabel("Reason").fill("Not seen at the bank");

  await one.keyboard.press("a");
  await one.getByText("Credits $6,000.00 to Grace Lovelace; bonuses $500.00").waitFor();
  await one.keyboard.press("Enter");
  await one.getByText("Deposit approved").waitFor();
  await one.locator(`section[aria-label="Decided deposits"] tr[data-row="${first}"]`).waitFor();
  expect(await current(one)).toBe(second);

  await two.getByRole("button", { name: "Reject", exact: true }).click();
  await two.getByText("This deposit is already approved.").waitFor();
  await two.getByRole("dialog").waitFor({ state: "detached" });
  await two.locator(`section[aria-label="Decided deposits"] tr[data-row="${first}"]`).waitFor();
  const money = await trader.request.get("/api/user/financials");
  expect(await money.json()).toMatchObject({ accountBalance: "6500.00" });
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
  expect(await image.evaluate((element) => (element as HTMLImageElement).naturalWidth)).toBe(1);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: `Copy transaction hash ${hash}` }).click();
  await page.getByText("Transaction hash Copied").waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(hash);
});

test("a visitor of the panel is sent to sign in and comes back", async () => {
  const page = await site.visit();
  await page.goto("/admin?tab=audit");
  await page.getByText("You are logged out. Logging in again...").waitFor();
  await page.waitForURL(`**/login?returnTo=${encodeURIComponent("/admin?tab=audit")}`);
});
