import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { type Tool, TOOLS } from "../../trading/schema_layouts";
import { eventually } from "../browser";
import { openCharts, openTools, pick, byMouse, byKeys, byThumb, chips, gripOf } from "../browser_chart";

/** Drawings on the chart, by mouse, by finger and by keyboard. */

let site: Awaited<ReturnType<typeof openCharts>>;
beforeAll(async () => void (site = await openCharts()));
afterAll(() => site.end());

/** What a grip says of where it stands. */
const standsAt = async (grip: Locator) => (await grip.getAttribute("aria-label")) ?? "";
/** As the page itself has it: `boundingBox` may say where it stood a frame before, or at the origin. In pixels. */
const boxOf = (element: Locator): Promise<DOMRect> => element.evaluate((each) => each.getBoundingClientRect().toJSON());

/** A spot of what is drawn of the one turned to, away from its grips. */
async function lineOf(page: Page, tool: Tool): Promise<{ x: number; y: number }> {
  const middle = async (grip: Locator) => {
    const { x, y, width, height } = await boxOf(grip);
    return { x: x + width / 2, y: y + height / 2 };
  };
  const whole = await middle(gripOf(page, tool));
  if (tool === "text") return { x: whole.x + 20, y: whole.y - 13 };
  if (tool === "horizontal") return { x: whole.x + 60, y: whole.y };
  if (tool === "vertical") return { x: whole.x, y: whole.y + 60 };
  const [a, b] = [await middle(page.locator(`[data-grip="${tool} 0"]`)), await middle(page.locator(`[data-grip="${tool} 1"]`))];
  return tool === "rectangle" || tool === "measure" ? { x: (a.x + b.x) / 2, y: a.y } : { x: a.x + (b.x - a.x) / 4, y: a.y + (b.y - a.y) / 4 };
}

/** In parts of the chart's width and height. */
type Place = [x: number, y: number];
async function pressAt(ground: Locator, places: Place[], press: (x: number, y: number) => Promise<void>) {
  const box = await ground.boundingBox();
  if (!box) throw new Error("no chart");
  for (const [x, y] of places) await press(box.x + box.width * x, box.y + box.height * y);
}

test("every drawing by mouse: placed point by point, dragged by its grip and by its lines, and deleted by a press", async () => {
  const page = await site.trader();
  const tools = await openTools(page);
  const ground = page.locator("[data-island=PriceChart] .chart-ground canvas").first();
  for (const tool of Object.keys(TOOLS) as Tool[]) {
    await pick(tools, "Drawing", tool, byMouse);
    const places: Place[] = [
      [0.3, 0.7],
      [0.6, 0.4],
      [0.5, 0.8],
    ];
    await pressAt(ground, places.slice(0, TOOLS[tool]), (x, y) => page.mouse.click(x, y));
    const grip = gripOf(page, tool);
    await grip.waitFor();
    const before = await standsAt(grip);
    await grip.hover();
    await page.mouse.down();
    const from = await boxOf(grip);
    await page.mouse.move(from.x + 46, from.y - 34, { steps: 4 });
    await page.mouse.up();
    if (tool === "vertical" || tool === "measure") await eventually(async () => expect((await boxOf(grip)).x).toBeGreaterThan(from.x + 20));
    else await eventually(async () => expect(await standsAt(grip)).not.toBe(before));
    const [stood, was] = [await standsAt(grip), await boxOf(grip)];
    // Where a busy machine has not drawn it by now where it stands, the press is the chart's, and comes once more.
    await eventually(async () => {
      const line = await lineOf(page, tool);
      await page.mouse.move(line.x, line.y);
      await page.mouse.down();
      await page.mouse.move(line.x + 30, line.y + 20, { steps: 4 });
      await page.mouse.up();
      await Bun.sleep(300);
      // Its price is another: it was no move of the chart below it.
      if (tool !== "measure") expect(await standsAt(grip)).not.toBe(stood);
    });
    if (tool !== "horizontal") await eventually(async () => expect((await boxOf(grip)).x).toBeGreaterThan(was.x + 15));
    await chips(tools)
      .getByRole("button", { name: /^Delete/ })
      .click();
    await grip.waitFor({ state: "detached" });
  }
  await page.context().close();
});

test("every drawing by keyboard: Enter puts it in the middle, the arrow keys move it and each point, Escape leaves it, Delete takes it away", async () => {
  const page = await site.trader();
  const tools = await openTools(page);
  for (const tool of Object.keys(TOOLS) as Tool[]) {
    await pick(tools, "Drawing", tool, byKeys);
    await page.keyboard.press("Escape");
    await eventually(async () => expect(await tools.locator("[role=status]").textContent()).toBe(""));
    await pick(tools, "Drawing", tool, byKeys);
    await page.keyboard.press("Enter");
    const grip = gripOf(page, tool);
    await eventually(async () => expect(await grip.evaluate((element) => element === document.activeElement)).toBe(true));
    // Until the chart has been drawn with it, what has the keyboard waits at the edge.
    const ground = await boxOf(page.locator("[data-island=PriceChart] .chart-ground canvas").first());
    await eventually(async () => expect(Math.abs((await boxOf(grip)).x - ground.x - ground.width / 2)).toBeLessThan(ground.width / 4));
    const before = { words: await standsAt(grip), x: (await boxOf(grip)).x };
    await page.keyboard.press("Shift+ArrowUp");
    if (tool !== "measure") await eventually(async () => expect(await standsAt(grip)).not.toBe(before.words));
    await page.keyboard.press("Shift+ArrowLeft");
    if (tool !== "horizontal") await eventually(async () => expect((await boxOf(grip)).x).toBeLessThan(before.x - 10));
    if (tool === "horizontal") {
      // Off the chart it waits at its edge, with the keyboard: the same keys bring it back.
      const stood = await standsAt(grip);
      for (let press = 0; press < 8; press++) await page.keyboard.press("Shift+ArrowUp");
      expect(await grip.isVisible()).toBe(true);
      for (let press = 0; press < 8; press++) await page.keyboard.press("Shift+ArrowDown");
      await eventually(async () => expect(await standsAt(grip)).toBe(stood));
    }
    if (TOOLS[tool] > 1) {
      await page.keyboard.press("Tab");
      const point = page.locator(`[data-island=PriceChart] [data-grip="${tool} 0"]`);
      await eventually(async () => expect(await point.evaluate((element) => element === document.activeElement)).toBe(true));
      const stood = await standsAt(point);
      await page.keyboard.press("ArrowDown");
      await eventually(async () => expect(await standsAt(point)).not.toBe(stood));
    }
    await page.keyboard.press("Escape");
    await eventually(async () => expect(await page.locator("[data-island=PriceChart] [data-grip*=' ']").count()).toBe(0));
    await grip.focus();
    await page.keyboard.press("Delete");
    await grip.waitFor({ state: "detached" });
  }
  await page.context().close();
});

test("keys that come faster than the page is drawn each move a drawing, and none of them is lost", async () => {
  const page = await site.trader();
  const tools = await openTools(page);
  await pick(tools, "Drawing", "horizontal", byKeys);
  await page.keyboard.press("Enter");
  const grip = gripOf(page, "horizontal");
  await eventually(async () => expect(await grip.evaluate((element) => element === document.activeElement)).toBe(true));
  const price = async () => Number((await standsAt(grip)).split(", ")[1]);
  const before = await price();
  // What a key changed is drawn before the next one comes, and is on no screen yet.
  await grip.evaluate(async (element) => {
    for (let press = 0; press < 8; press++) {
      element.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowUp", bubbles: true, cancelable: true }));
      for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    }
  });
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn))));
  expect(await price()).toBeCloseTo(before + 0.0008, 6);
  await page.context().close();
});

/** How far down the page is once it stands still. */
async function restOf(page: Page): Promise<number> {
  const now = await page.evaluate(() => scrollY);
  await Bun.sleep(100);
  return now === (await page.evaluate(() => scrollY)) ? now : restOf(page);
}

test("every drawing by finger: its points tapped, dragged, and deleted by its sign; nothing is wider than the phone", async () => {
  const page = await site.trader({ touch: true, width: 320, height: 640 });
  const tools = await openTools(page);
  const finger = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", touchPoints: { x: number; y: number }[]) =>
    finger.send("Input.dispatchTouchEvent", { type, touchPoints });
  const canvas = page.locator("[data-island=PriceChart] .chart-ground canvas").first();
  for (const tool of Object.keys(TOOLS) as Tool[]) {
    await pick(tools, "Drawing", tool, byThumb);
    // Between the head and the prices at the foot.
    await page.locator("[data-island=PriceChart] .chart-ground").evaluate((element) => element.scrollIntoView({ block: "center" }));
    const places: Place[] = [
      [0.3, 0.6],
      [0.7, 0.3],
      [0.5, 0.5],
    ];
    await pressAt(canvas, places.slice(0, TOOLS[tool]), (x, y) => page.touchscreen.tap(x, y));
    const grip = gripOf(page, tool);
    await grip.waitFor();
    // Its name stands above the chart by now, which has moved for it.
    await chips(tools).first().waitFor();
    await eventually(async () => expect(await tools.locator("[role=status]").textContent()).toBe(""));
    await eventually(async () => {
      const from = await boxOf(grip);
      const [x, y] = [from.x + from.width / 2, from.y + from.height / 2];
      await touch("touchStart", [{ x, y }]);
      for (let part = 1; part <= 5; part++) await touch("touchMove", [{ x: x + part * 6, y: y + part * 6 }]);
      await touch("touchEnd", []);
      const to = await boxOf(grip);
      expect(Math.hypot(to.x - from.x, to.y - from.y), tool).toBeGreaterThan(12);
    });
    // It has turned to it: by its lines a finger moves all of it now, and the page stays.
    const stood = await standsAt(grip);
    let moved = 0;
    await eventually(async () => {
      // A finger that missed has flung the page, which must have come to rest.
      const scrolled = await restOf(page);
      const { x, y } = await lineOf(page, tool);
      await touch("touchStart", [{ x, y }]);
      for (let part = 1; part <= 5; part++) await touch("touchMove", [{ x, y: y - part * 5 }]);
      await touch("touchEnd", []);
      if (tool !== "measure") expect(await standsAt(grip), tool).not.toBe(stood);
      moved = (await restOf(page)) - scrolled;
    });
    expect(moved, tool).toBe(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    const gone = chips(tools).getByRole("button", { name: /^Delete/ });
    // Not below the page's own head.
    await gone.evaluate((element) => element.scrollIntoView({ block: "center", inline: "center" }));
    // A tap that comes as soon as a finger has left may end its swing alone.
    await eventually(async () => {
      if ((await grip.count()) > 0) await gone.tap({ timeout: 2_000 });
      expect(await grip.count()).toBe(0);
    });
  }
  await page.context().close();
});
