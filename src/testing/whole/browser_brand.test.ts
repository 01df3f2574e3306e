import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { type TestApp, testApp } from "../app";
import { fits, openStaff, pressed } from "../browser";
import { violations } from "../inspect";

/** The house's name, colours and pictures, changed on the Settings tab, at a desk and on a phone. */

let app: TestApp;
let staff: Awaited<ReturnType<typeof openStaff>>;
beforeAll(async () => {
  app = await testApp();
  staff = await openStaff(app);
});
afterAll(async () => expect(await staff.end()).toEqual([]));

const ICON = join(import.meta.dir, "..", "..", "..", "public", "icon-512.png");
const accentOf = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--c-accent"));

for (const [width, height, accent] of [
  [1440, 900, "#7a1fa2"],
  [360, 740, "#0a6b4d"],
] as const)
  test(`at ${width} px a colour that can't be read is named before it is sent, name and pictures are changed, and the pages follow`, async () => {
    const page = await staff.visitAs(staff.ann, { viewport: { width, height } });
    const dialog = page.getByRole("dialog");
    const name = `Nordlys ${width}`;
    await page.goto("/admin?tab=settings&view=brand");
    expect([await violations(page), await fits(page)]).toEqual([[], true]);
    await page.getByRole("button", { name: "Change the brand", exact: true }).click();
    await dialog.getByLabel("Name", { exact: true }).fill(name);
    await dialog.getByLabel("Accent by day").fill("#ffcc00");
    await dialog.getByText("Choose another colour: by day this has a contrast of 1.4 on the page; 4.5 is needed.").waitFor();
    expect([await violations(page), await fits(page)]).toEqual([[], true]);
    await dialog.getByLabel("Reason").fill("A new house");
    await dialog.getByLabel("Accent by day").fill(accent);
    await pressed(dialog, "Change");
    await page.getByText(name, { exact: true }).last().waitFor();
    for (const kind of ["logo", "icon"] as const) {
      await page.locator(`#brand-${kind}`).setInputFiles(ICON);
      await dialog.getByLabel("Reason").fill(`The ${kind} of the house`);
      await pressed(dialog, `Use as ${kind}`);
      await page.getByRole("img", { name: kind === "logo" ? "Logo" : "Icon", exact: true }).waitFor();
    }
    expect([await violations(page), await fits(page)]).toEqual([[], true]);
    await page.reload();
    expect(await accentOf(page)).toBe(accent);
    const visitor = await staff.visit({ viewport: { width, height } });
    await visitor.goto("/faq");
    await visitor.getByRole("link", { name: `${name}, home`, exact: true }).waitFor();
    expect([await accentOf(visitor), await violations(visitor), await fits(visitor)]).toEqual([accent, [], true]);
    expect(await visitor.evaluate(() => document.querySelector<HTMLImageElement>("header img")?.naturalWidth)).toBe(84);
    await visitor.context().close();
    await page.getByRole("button", { name: "Versions of the brand", exact: true }).click();
    await dialog.getByText("The icon of the house").first().waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Back to the program's" }).last().click();
    await dialog.getByLabel("Reason").fill("It was a test");
    await pressed(dialog, "Take it back");
    await page.getByRole("img", { name: "Icon", exact: true }).waitFor({ state: "detached" });
    await page.context().close();
  });
