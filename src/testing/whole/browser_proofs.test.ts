import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { endLog } from "../../proof/commands";
import { type TestApp, testApp } from "../app";
import { awake, browserOf } from "../browser";
import { until } from "../scenarios";

/** A proof is taken from a receipt and checked in the browser, offline, by keyboard and by hand. */

let app: TestApp;
let site: Awaited<ReturnType<typeof browserOf>>;
let tess: Awaited<ReturnType<TestApp["trader"]>>;
let id: string;
beforeAll(async () => {
  app = await testApp({ PUBLIC_URL: "http://127.0.0.1" });
  site = await browserOf(app);
  tess = await app.trader();
  await app.quote("EUR/USD", "1.10000", "1.10002");
  ({ id } = (await tess.post<{ id: string }>("/api/trading/positions", { symbol: "EUR/USD", type: "buy", amount: 500, takeProfit: "1.10500" })).body);
  for (const bid of ["1.10200", "1.10600"]) await app.quote("EUR/USD", bid, `${bid.slice(0, -1)}2`);
  await until("the ticks are recorded", async () => {
    const [row] = await app.sql<
      { there: boolean }[]
    >`select not exists (select from fills f where not exists (select from ticks t where t.seq = f.quote_seq)) as there`;
    return row?.there === true;
  });
  await app.logbook.wake();
});
afterAll(async () => {
  const faults = await site.close();
  await app.end();
  expect(faults).toEqual([]);
});

const fileOf = async () => (await tess.fetch("GET", `/api/trading/positions/${id}/proof`)).text();
const give = (page: Page, text: string) =>
  page.getByLabel("Choose a proof file").setInputFiles({ name: "proof.json", mimeType: "application/json", buffer: Buffer.from(text) });
const found = (page: Page) => page.getByRole("region", { name: "What was found" });

test("on a phone, from the receipt to 'It holds' without a connection; one digit changed, and it does not", async () => {
  const page = await site.visitAs(tess, { viewport: { width: 360, height: 740 } });
  await page.goto(`/positions/${id}/receipt`);
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Download the proof" }).click()]);
  const text = await Bun.file(await download.path()).text();
  expect(download.suggestedFilename()).toBe(`proof-${id.slice(0, 8)}.json`);
  await page.getByRole("link", { name: "Verify a proof" }).first().click();
  await page.getByRole("heading", { name: "Verify a proof" }).waitFor();
  await awake(page);
  await page.context().setOffline(true);
  await give(page, text);
  await page.getByText("It holds", { exact: true }).waitFor();
  const words = await found(page).innerText();
  expect(words).toContain("The price had reached the target 1.10500000.");
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  // Offline the server can't be asked, and that is said.
  await page.getByRole("button", { name: "Check the ticks between" }).click();
  await page.getByText("Not checked to the end. The server can’t be reached").waitFor();
  await give(
    page,
    text.replace(/"profit":"(\d+)\./, (_, whole: string) => `"profit":"${Number(whole) + 1}.`),
  );
  await page.getByText("It does not hold", { exact: true }).waitFor();
  expect(await page.getByRole("alert").filter({ hasText: "It does not hold" }).innerText()).toContain("it is not in the log as it stands here");
  await page.context().setOffline(false);
  await give(page, text);
  await page.getByText("It holds", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Check the ticks between" }).click();
  await page.getByText(/None of 1 ticks? in \d+ batch(es)? of the log had reached the target before/).waitFor();
  await page.context().close();
});

test("by keyboard: the file is chosen, a proof pasted, an earlier checkpoint compared", async () => {
  const page = await site.visitAs(tess);
  await page.goto("/verify");
  const chooser = page.waitForEvent("filechooser");
  await page.getByLabel("Choose a proof file").focus();
  await page.keyboard.press("Enter");
  await (await chooser).setFiles({ name: "other.json", mimeType: "application/json", buffer: Buffer.from('{"format":"other"}') });
  await page.getByText("This is no proof of this program's: its format is not halyard-proof-1.").first().waitFor();
  await page.getByText("Paste a proof, or compare").focus();
  await page.keyboard.press("Enter");
  await page.getByLabel("The proof’s text").fill(await fileOf());
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByText("It holds", { exact: true }).waitFor();
  const kept = await app
    .stranger()
    .fetch("GET", "/log/checkpoint")
    .then((answer) => answer.text());
  await page.getByLabel("An earlier checkpoint").fill(kept.replace(/\n(\d+)\n/, "\n1\n"));
  await page.keyboard.press("Tab");
  await page.getByText("Your kept checkpoint: this log's key did not sign it, or it was changed.").first().waitFor();
  await page.context().close();
});

test("dropped on the page, by a stranger: all is checked but what only the server knows", async () => {
  const page = await site.visit({ viewport: { width: 1440, height: 900 }, bypassCSP: true });
  await page.goto("/verify");
  const text = await fileOf();
  const transfer = await page.evaluateHandle((content) => {
    const data = new DataTransfer();
    data.items.add(new File([content], "proof.json", { type: "application/json" }));
    return data;
  }, text);
  await page.getByText("or drop it here").dispatchEvent("drop", { dataTransfer: transfer });
  await page.getByText("It holds", { exact: true }).waitFor();
  await page.getByText("Not checked. Sign in to have the server asked.").waitFor();
  await page.context().close();
});

test("the profile lets a person keep a checkpoint, by letter", async () => {
  const page = await site.visitAs(tess, { viewport: { width: 360, height: 740 } });
  await page.goto("/profile");
  await page.getByLabel("Send me the log’s checkpoint").selectOption("letter");
  await page.getByText("One comes by letter each day.").waitFor();
  await page.reload();
  expect(await page.getByLabel("Send me the log’s checkpoint").inputValue()).toBe("letter");
  await page.context().close();
});

test("what staff declare to hold stands beside what is owed", async () => {
  const ann = await app.admin();
  const page = await site.visitAs(ann);
  await page.goto("/admin?tab=wallets");
  const part = page.getByRole("region", { name: "Held for clients" });
  await part.getByText("Not declared").waitFor();
  await part.getByRole("button", { name: "Declare" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Amount (USD)").fill("125000.50");
  await dialog.getByLabel("Evidence, as clients read it").fill("Letter of our bank");
  await dialog.getByRole("button", { name: "Declare" }).click();
  await dialog.getByText("Reason is required").waitFor();
  await dialog.getByLabel("Reason, for the audit trail").fill("First declaration");
  await dialog.getByRole("button", { name: "Declare" }).click();
  await part.getByText("$125,000.50").waitFor();
  await page.context().close();
});

test("a checkpoint that was kept of a log that has ended is compared with what the site serves of that; without a connection nothing holds", async () => {
  await app.logbook.wake();
  const kept = await (await app.stranger().fetch("GET", "/log/1/checkpoint")).text();
  // Something more, so that the kept one is not the last.
  await app.sql`select audit_append(null, null, 'books.release', '{}', '{}', '{}', '', '', '')`;
  await app.logbook.wake();
  await endLog(app.sql, "A tile is lost");
  await app.logbook.wake();
  const page = await site.visit();
  await page.goto("/verify");
  await awake(page);
  await give(page, await fileOf());
  await page.getByText("It holds", { exact: true }).waitFor();
  await page.getByText("Paste a proof, or compare").click();
  await page.getByLabel("An earlier checkpoint").fill(kept);
  await page.keyboard.press("Tab");
  await page
    .getByText(/only grew, and each log after it up to/)
    .first()
    .waitFor();
  await page.getByText("It holds", { exact: true }).waitFor();
  // What is asked for one check comes after the next one was made, and is not said of that.
  let answer = () => {};
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route("**/log/1/checkpoint", async (route) => {
    await held;
    await route.fulfill({ status: 200, contentType: "text/plain", body: "no checkpoint" });
  });
  const [request] = await Promise.all([
    page.waitForRequest("**/log/1/checkpoint"),
    page
      .locator("#proof-key")
      .focus()
      .then(() => page.keyboard.press("Shift+Tab")),
  ]);
  await page.getByLabel("An earlier checkpoint").fill("");
  await page.keyboard.press("Tab");
  await page.getByText("It holds", { exact: true }).waitFor();
  answer();
  await (await request.response())?.finished();
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100))));
  expect(await page.getByText("It does not hold", { exact: true }).count()).toBe(0);
  await page.unroute("**/log/1/checkpoint");
  await page.getByLabel("An earlier checkpoint").fill(kept);
  await page.context().setOffline(true);
  await page.getByLabel("An earlier checkpoint").focus();
  await page.keyboard.press("Tab");
  await page.getByText("It does not hold", { exact: true }).waitFor();
  await page
    .getByText(/the site, which could, was not reached/)
    .first()
    .waitFor();
  await page.context().close();
});

test("a folder, or a file that is gone by then, is said to be none that can be read", async () => {
  const page = await site.visit();
  await page.goto("/verify");
  await awake(page);
  await page.evaluate(() => {
    Blob.prototype.text = () => Promise.reject(new DOMException("gone", "NotReadableError"));
  });
  await give(page, "{}");
  await page.getByText("It does not hold", { exact: true }).waitFor();
  expect(await page.getByRole("alert").filter({ hasText: "It does not hold" }).innerText()).toContain("This file can’t be read: it is a folder, or");
  await page.context().close();
});

test("a huge file is told which check failed, and not what the browser says of its own stack", async () => {
  const page = await site.visit();
  await page.goto("/verify");
  await awake(page);
  const statement = await Bun.file(`${import.meta.dir}/../../../docs/proofs/statement.json`).json();
  // Made in the page: on its way there it would take longer than all else.
  await page.locator("input[type=file]").evaluate((input: HTMLInputElement, parts) => {
    const given = new DataTransfer();
    given.items.add(new File([JSON.stringify({ ...parts, account: "a".repeat(20_000_000) })], "huge.json", { type: "application/json" }));
    input.files = given.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
  }, statement);
  await page.getByText("It does not hold", { exact: true }).waitFor({ timeout: 100_000 });
  expect(await page.getByRole("alert").filter({ hasText: "It does not hold" }).innerText()).toContain("The file is another log's: it names another key");
  await page.context().close();
});
