import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { eventually, holdClock, openSite, register, type Site } from "../browser";

/** Tooltips, and what else the small scripts do. */

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(async () => {
  const faults = [...site.faults];
  await site.close();
  expect(faults).toEqual([]);
});

const DESK = { width: 1440, height: 900 };
const tooltip = (page: Page) => page.getByRole("tooltip");
const theme = (page: Page) => page.getByRole("button", { name: /^Theme:/ });

/** The page with the tooltips' script there and its clock in the test's hand; pointer and focus are where nothing tells anything. */
async function ready(page: Page, path: string) {
  await holdClock(page);
  await page.goto(path);
  await page.mouse.move(700, 500);
  await page.mouse.move(700, 505);
  await page.evaluate(() => import(document.querySelector<HTMLElement>("script[data-tooltip]")?.dataset.tooltip ?? ""));
}

test("a sign says what it does where the pointer rests for 700 ms, its neighbour at once, and both let go", async () => {
  const page = await site.visit({ viewport: DESK });
  await register(page, "Tim");
  await ready(page, "/dashboard");
  await theme(page).hover();
  await page.clock.runFor(690);
  expect(await tooltip(page).count()).toBe(0);
  await page.clock.runFor(20);
  expect(await tooltip(page).innerText()).toBe("Theme: system. Change theme");
  const id = await tooltip(page).getAttribute("id");
  expect(await theme(page).getAttribute("aria-describedby")).toBe(id);
  // Onto the tooltip itself, and it stays.
  await tooltip(page).hover();
  await page.clock.runFor(1000);
  expect(await tooltip(page).isVisible()).toBe(true);
  const support = page.getByRole("link", { name: "Support", exact: true }).first();
  await support.hover();
  expect(await tooltip(page).innerText()).toBe("Support");
  expect(await theme(page).getAttribute("aria-describedby")).toBeNull();
  await page.mouse.move(700, 500);
  await page.clock.runFor(160);
  expect(await tooltip(page).count()).toBe(0);
  // Within 300 ms of the last one the next opens at once; later it takes its time again.
  await page.clock.runFor(100);
  await support.hover();
  expect(await tooltip(page).count()).toBe(1);
  await page.mouse.move(700, 500);
  await page.clock.runFor(160 + 310);
  await support.hover();
  await page.clock.runFor(600);
  expect(await tooltip(page).count()).toBe(0);
  await page.clock.runFor(110);
  expect(await tooltip(page).count()).toBe(1);
});

test("the keyboard has it, too; Escape, a press and scrolling close it", async () => {
  const page = await site.visit({ viewport: DESK });
  await ready(page, "/about");
  const opens = async () => {
    await page.clock.runFor(710);
    expect(await tooltip(page).innerText()).toStartWith("Theme: ");
  };
  const gone = async () => expect(await tooltip(page).count()).toBe(0);
  await page.getByText("Documents").first().focus();
  await page.keyboard.press("Tab");
  await opens();
  await page.keyboard.press("Escape");
  await gone();
  await page.clock.runFor(2000);
  await gone();
  await page.keyboard.press("Shift+Tab");
  await page.clock.runFor(500);
  await page.keyboard.press("Tab");
  await opens();
  await page.keyboard.press("Enter");
  await gone();
  expect(await page.evaluate(() => document.documentElement.dataset.choice)).toBe("light");
  await page.mouse.move(700, 500);
  await page.clock.runFor(1000);
  await theme(page).hover();
  await opens();
  await page.mouse.wheel(0, 300);
  await page.waitForFunction(() => scrollY > 0);
  await tooltip(page).waitFor({ state: "detached" });
});

test("what was pressed before the script came says nothing over what it opened, and its name again later", async () => {
  const page = await site.visit({ viewport: { width: 768, height: 1024 }, serviceWorkers: "block" });
  await holdClock(page);
  const { promise: pressed, resolve: goOn } = Promise.withResolvers<void>();
  await page.route(/\/tooltip[^/]*\.js/, async (route) => {
    await pressed;
    await route.continue();
  });
  await page.goto("/about");
  const menu = page.locator("summary[aria-label=Menu]");
  await menu.click();
  const path = await page.evaluate(() => document.querySelector<HTMLElement>("script[data-tooltip]")?.dataset.tooltip ?? "");
  expect(path).toMatch(/\/tooltip[^/]*\.js/);
  goOn();
  await page.evaluate((script) => import(script), path);
  await page.clock.runFor(1000);
  expect(await tooltip(page).count()).toBe(0);
  await menu.click();
  await page.mouse.move(300, 700);
  await page.clock.runFor(1000);
  await menu.hover();
  await page.clock.runFor(710);
  expect(await tooltip(page).innerText()).toBe("Menu");
});

test("a finger gets none, and loads none that opens", async () => {
  const page = await site.visit({ viewport: { width: 360, height: 740 }, hasTouch: true });
  await holdClock(page);
  await page.goto("/about");
  await theme(page).tap();
  await page.waitForFunction(() => document.documentElement.dataset.choice === "light");
  await page.clock.runFor(2000);
  expect(await tooltip(page).count()).toBe(0);
});

test("it stands inside the screen, in an open dialog too, and goes with what it belongs to", async () => {
  const page = await site.visit({ viewport: DESK });
  await register(page, "Tom");
  await page.goto("/dashboard");
  await page.getByRole("button", { name: "Make a Deposit" }).click();
  // It grows, and its sign moves, once the ways of payment have come.
  await page.getByRole("dialog").getByLabel("Amount").waitFor();
  const close = page.getByRole("dialog").getByRole("button", { name: "Close" }).first();
  await close.hover();
  await tooltip(page).waitFor();
  expect(await tooltip(page).innerText()).toBe("Close");
  const box = await tooltip(page).boundingBox();
  expect(box && box.x >= 0 && box.y >= 0 && box.x + box.width <= DESK.width).toBe(true);
  expect(await tooltip(page).evaluate((tip, { x, y }) => document.elementFromPoint(x, y) === tip, { x: (box?.x ?? 0) + 4, y: (box?.y ?? 0) + 4 })).toBe(true);
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await tooltip(page).waitFor({ state: "detached" });
});

test("questions are filtered as one types on a page that was asked for with words, one without a find too", async () => {
  const page = await site.visit();
  for (const words of ["inactivity", "nothing of this"]) {
    await page.goto(`/faq?q=${encodeURIComponent(words)}`);
    const other = page.getByText("How do I open an account?");
    expect(await other.count()).toBe(0);
    await page.getByLabel("Search questions").fill("open an ACCOUNT");
    await other.waitFor();
    expect(await page.getByText("Is there a fee if I do not trade?").isVisible()).toBe(false);
    expect(
      await page
        .locator("[data-faq-group]:visible details:visible")
        .first()
        .evaluate((each) => getComputedStyle(each).borderBottomWidth),
    ).toBe("1px");
    await page.getByLabel("Search questions").fill("zeppelin");
    await page.getByText("No questions found matching your search.").waitFor();
    await page.getByRole("button", { name: "Clear Search" }).click();
    await eventually(async () => expect(await page.locator("details[id]:visible").count()).toBe(20));
  }
});

test("what lies below the first screen waits for the first picture, unless the address leads there", async () => {
  const page = await site.visit({ viewport: { width: 360, height: 740 } });
  await register(page, "Tess");
  const options = '{ subtree: true, attributeFilter: ["data-first"], attributeOldValue: true }';
  await page.addInitScript(`waits = []; new MutationObserver((all) => waits.push(...all.map((each) => each.oldValue))).observe(document, ${options})`);
  for (const [hash, waits] of [["#lists", []] as const, ["", [null, ""]] as const]) {
    await page.goto(`/traders-portal${hash}`);
    await eventually(async () => expect(await page.evaluate<unknown>("waits")).toEqual([...waits]));
  }
});
