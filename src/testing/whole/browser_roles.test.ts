import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { type TestApp, testApp } from "../app";
import { browserOf, pressed, told, fits } from "../browser";
import { violations } from "../inspect";

/** Roles and second signatures on the screens of staff, at a desk and on the smallest phone. */

let app: TestApp;
let browser: Awaited<ReturnType<typeof browserOf>>;
type Admin = Awaited<ReturnType<TestApp["admin"]>>;
let ann: Admin, bob: Admin, sue: Admin;
beforeAll(async () => {
  app = await testApp();
  browser = await browserOf(app);
  [ann, bob, sue] = await Promise.all([app.admin(), app.admin(), app.admin()]);
  await app.sql`update users set first_name = 'Ann', last_name = 'Owner' where id = ${ann.id}`;
  await app.sql`update users set first_name = 'Bob', last_name = 'Owner' where id = ${bob.id}`;
  await app.sql`update users set first_name = 'Sue', last_name = 'Support', staff_role = 'support' where id = ${sue.id}`;
  await app.trader({ firstName: "Vera", lastName: "Client" });
});
afterAll(async () => {
  expect([...(await browser.close()), ...(await app.faults())]).toEqual([]);
  await app.end();
});

const WIDE = { viewport: { width: 1440, height: 900 } };
const SMALL = { viewport: { width: 360, height: 740 } };
const at = (page: Page, path: string) => page.goto(path);

for (const [size, options] of [
  ["at a desk", WIDE],
  ["on a phone", SMALL],
] as const) {
  test(`a role is made, changed and given ${size}`, async () => {
    const name = `Night desk ${size}`;
    const page = await browser.visitAs(ann, options);
    await at(page, "/admin?tab=settings");
    expect(await violations(page)).toEqual([]);
    expect(await fits(page)).toBe(true);
    await page.getByRole("article", { name: "Support", exact: true }).getByRole("link", { name: "Sue Support" }).waitFor();
    await page.getByRole("button", { name: "New role" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill(name);
    await dialog.getByLabel("Decide deposits").check();
    await dialog.getByLabel("Support: all").check();
    await dialog.getByRole("button", { name: "Make role" }).click();
    await dialog.getByText("A reason is required").waitFor();
    expect(await violations(page)).toEqual([]);
    await dialog.getByLabel("Reason").fill("Nights");
    await dialog.getByRole("button", { name: "Make role" }).click();
    const card = page.getByRole("article", { name, exact: true });
    await card.getByText("Nobody has it.").waitFor();
    await card.getByRole("button", { name: `Change the role ${name}` }).click();
    await dialog.getByLabel("Decide deposits").uncheck();
    await dialog.getByLabel("Reason").fill("Less");
    await pressed(dialog, "Change role");
    await card.getByText("What it lets do").click();
    await card.getByText("Answer clients").waitFor();
    await card.getByText("Decide deposits").waitFor({ state: "detached" });
    expect(await fits(page)).toBe(true);

    await at(page, `/admin/users/${sue.id}`);
    await page.getByRole("button", { name: "Change role" }).click();
    await dialog.getByLabel("Role").selectOption({ label: "Auditor" });
    await dialog.getByLabel("Reason").fill("Looks only");
    await pressed(dialog, "Change role");
    const other = await browser.visitAs(bob, options);
    await at(other, "/admin?tab=settings&view=signatures");
    const waiting = other.getByRole("article", { name: "Make Sue Support: Auditor" });
    await waiting.getByText("Looks only").waitFor();
    expect(await violations(other)).toEqual([]);
    await waiting.getByRole("button", { name: /^Decline/ }).click();
    await pressed(other.getByRole("dialog"), "Decline");
    await other.getByText("Nothing waits").waitFor();
    await Promise.all([page.context().close(), other.context().close()]);
  });

  test(`an address that depositors pay to waits for its second signature ${size}`, async () => {
    const page = await browser.visitAs(ann, options);
    await at(page, "/admin?tab=wallets");
    await page.getByRole("button", { name: "Add wallet" }).click();
    const address = `0x${(size === "at a desk" ? "1" : "2").repeat(40)}`;
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Currency", { exact: true }).selectOption("ETH");
    await dialog.getByLabel("Network", { exact: true }).selectOption("ERC-20");
    await dialog.getByLabel("Wallet address").fill(address);
    await dialog.getByRole("button", { name: "Add wallet" }).click();
    await told(page, "Waiting for a second signature");
    await at(page, "/admin?tab=settings&view=signatures");
    await page.getByText("You asked for this. Somebody else signs it.").first().waitFor();
    expect(await page.getByRole("button", { name: /^Sign:/ }).count()).toBe(0);
    expect(await fits(page)).toBe(true);
    const other = await browser.visitAs(bob, options);
    await at(other, "/admin?tab=settings&view=signatures");
    // By keys alone.
    await other.getByRole("button", { name: /^Sign:/ }).focus();
    await other.keyboard.press("Enter");
    const asked = other.getByRole("dialog");
    await asked.getByText(address).first().waitFor();
    await other.keyboard.press("Enter");
    await other.getByText("Nothing waits").waitFor();
    await at(other, "/admin?tab=wallets");
    await other.getByText(address.slice(0, 6)).first().waitFor({ state: "attached" });
    await Promise.all([page.context().close(), other.context().close()]);
  });

  test(`whoever answers clients sees no more than that, and no button that refuses ${size}`, async () => {
    const page = await browser.visitAs(sue, options);
    await at(page, "/admin");
    const tabs = await page.getByRole("tablist", { name: "Control Panel" }).getByRole("tab").allInnerTexts();
    expect(tabs.map((text) => text.split("\n")[0])).toEqual(["Users", "Registrations", "Visitors", "Support", "Settings"]);
    await at(page, "/admin?tab=users");
    await page.getByText("Vera Client").first().waitFor();
    expect(await page.getByRole("button", { name: /Suspend|Ban|KYC/ }).count()).toBe(0);
    await at(page, "/admin?tab=deposits");
    await page.getByText("You may not see deposits. Ask an owner.").waitFor();
    await at(page, "/admin-registrations");
    expect(await page.getByRole("button", { name: /Approve|Reject/ }).count()).toBe(0);
    await page.keyboard.press("a");
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill("go to");
    const commands = await page.getByRole("option").allInnerTexts();
    expect(commands.map((text) => text.split("\n")[0])).toEqual([
      ...["Go to Users", "Go to Registrations", "Go to Visitors", "Go to Support", "Go to Settings", "Go to the Admin App"],
    ]);
    expect((await app.sql<{ status: string }[]>`select registration_status as status from users where role = 'user'`).map(({ status }) => status)).toEqual([
      "pending",
    ]);
    await at(page, "/admin-app");
    expect(await page.getByRole("heading", { level: 2 }).first().innerText()).toBe("Visitors");
    expect(await fits(page)).toBe(true);
    await page.context().close();
  });
}
