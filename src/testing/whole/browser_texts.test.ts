import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { type TestApp, testApp } from "../app";
import { eventually, fits, openStaff, pressed, told } from "../browser";
import { violations } from "../inspect";

/** The operator's own texts of pages, written on the Settings tab, and the terms accepted by whom they concern. */

let app: TestApp;
let staff: Awaited<ReturnType<typeof openStaff>>;
beforeAll(async () => {
  app = await testApp();
  staff = await openStaff(app);
});
afterAll(async () => expect(await staff.end()).toEqual([]));

const sound = async (page: Page) => {
  expect(await violations(page)).toEqual([]);
  expect(await fits(page)).toBe(true);
};

for (const [width, height] of [
  [1440, 900],
  [360, 740],
] as const) {
  test(`terms are written, seen beforehand, published, accepted, and every version stays (${width} px)`, async () => {
    const tess = await app.trader();
    const page = await staff.visitAs(staff.ann, { viewport: { width, height } });
    const dialog = page.getByRole("dialog");
    await page.goto("/admin?tab=settings&view=texts");
    await sound(page);
    await page.getByRole("button", { name: "Write Terms of service", exact: true }).click();
    const mark = `Clause ${width}`;
    await dialog.getByLabel("Text, as Markdown").fill(`## ${mark}\n\nWe **promise** this. <img src=x onerror=alert(1)>`);
    await dialog.getByRole("button", { name: "Preview" }).click();
    const preview = dialog.getByRole("region", { name: "Preview" });
    await preview.getByRole("heading", { name: mark }).waitFor();
    // What is no Markdown stays words.
    await preview.getByText("<img src=x").waitFor();
    expect(await preview.locator("img").count()).toBe(0);
    await dialog.getByRole("button", { name: "Publish", exact: true }).click();
    await dialog.getByText("A reason is required").waitFor();
    await sound(page);
    await dialog.getByLabel("Reason").fill(`For ${width}`);
    await pressed(dialog, "Publish");
    await told(page, /^Terms of service: version \d is published$/);
    await page.getByRole("button", { name: "Versions of Terms of service", exact: true }).click();
    await dialog.getByText(`For ${width}`).waitFor();
    await sound(page);
    await dialog
      .getByRole("link", { name: /^From \d/ })
      .first()
      .click();
    await page.getByRole("heading", { name: mark }).waitFor();
    await sound(page);
    await page.context().close();

    // Whom it concerns is asked, and what was accepted is kept with its version.
    const own = await staff.visitAs(tess, { viewport: { width, height } });
    const accept = own.getByRole("button", { name: /accept/i });
    // A new version may go unnoticed for some seconds.
    await eventually(async () => {
      await own.goto("/dashboard");
      expect(await accept.count()).toBe(1);
    });
    await sound(own);
    await accept.click();
    await accept.waitFor({ state: "detached" });
    await sound(own);
    const kept = await app.sql<{ version: number }[]>`select version from term_acceptances where user_id = ${tess.id} and way = 'asked'`;
    const [{ newest = 0 } = {}] = await app.sql<{ newest: number }[]>`select max(version) as newest from page_texts where page = 'terms'`;
    expect(kept.map(({ version }) => version)).toEqual([newest]);
    await own.context().close();
  });
}
