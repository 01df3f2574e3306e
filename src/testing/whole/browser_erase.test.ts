import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { type TestApp, testApp } from "../app";
import { openStaff, pressed, told, shot } from "../browser";
import { violations } from "../inspect";

/** A client is erased on the client's page: asked for by one, signed by another. */

let app: TestApp;
let staff: Awaited<ReturnType<typeof openStaff>>;
beforeAll(async () => {
  app = await testApp();
  staff = await openStaff(app);
});
afterAll(async () => expect(await staff.end()).toEqual([]));

const sound = async (page: Page) => {
  expect(await violations(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)).toBe(true);
};

for (const viewport of [
  { width: 1440, height: 900 },
  { width: 360, height: 740 },
]) {
  test(`asked for with its reason and a word, signed under Settings, and the client's open page ends (${viewport.width} px)`, async () => {
    const tess = await app.trader({ firstName: "Philomena", lastName: `Leaver${viewport.width}` });
    const own = await staff.at(tess, "/dashboard", viewport);
    const page = await staff.at(staff.ann, `/admin/users/${tess.id}`, viewport);
    await page.getByRole("button", { name: "Erase", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: `Erase Philomena Leaver${viewport.width}` });
    await dialog.getByLabel("Write ERASE to confirm").fill("yes");
    await dialog.getByRole("button", { name: "Erase", exact: true }).click();
    await dialog.locator("#erase-confirm-error").getByText("Write ERASE to confirm.").waitFor();
    await dialog.getByText("A reason is required").waitFor();
    await sound(page);
    await shot(page, `erase-${viewport.width}`);
    await dialog.getByLabel("Reason").fill("Asked for by letter");
    await dialog.getByLabel("Write ERASE to confirm").fill("ERASE");
    await pressed(dialog, "Erase");
    await told(page, "Waiting for a second signature");

    const other = await staff.at(staff.bea, "/admin?tab=settings&view=signatures", viewport);
    const waits = other.getByRole("article", { name: `Close the account of client ${tess.id.slice(0, 8)}, and erase who it was` });
    expect(await waits.getByRole("link", { name: "The client's page" }).getAttribute("href")).toBe(`/admin/users/${tess.id}`);
    await sound(other);
    await shot(other, `erase-signature-${viewport.width}`);
    await waits.getByRole("button", { name: /^Sign/ }).click();
    const question = other.getByRole("dialog");
    await pressed(question, "Sign");
    await own.waitForURL("**/login*");
    expect((await app.sql<{ name: string }[]>`select first_name || ' ' || last_name as name from users where id = ${tess.id}`)[0]?.name).toBe("Closed account");
    for (const each of [own, page, other]) await each.context().close();
  });
}
