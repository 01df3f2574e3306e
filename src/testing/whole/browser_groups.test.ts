import { afterAll, beforeAll, expect, test } from "bun:test";
import { type TestApp, testApp } from "../app";
import { awake, eventually, fits, openStaff, pressed, shot, told } from "../browser";
import { violations } from "../inspect";
import { order, until } from "../scenarios";

/** What accounts of a group cost is set in the panel. */

let app: TestApp;
let staff: Awaited<ReturnType<typeof openStaff>>;
beforeAll(async () => {
  app = await testApp();
  staff = await openStaff(app);
  await app.quote("EUR/USD", "1.10000", "1.10002");
});
afterAll(async () => expect(await staff.end()).toEqual([]));

const WIDE = { viewport: { width: 1440, height: 900 } };
const SMALL = { viewport: { width: 360, height: 740 } };

for (const [size, options, id] of [
  ["desk", WIDE, "raw"],
  ["phone", SMALL, "pro"],
] as const) {
  test(`a group is opened and changed, its difference said before and its versions after (${size})`, async () => {
    const page = await staff.visitAs(staff.ann, options);
    const dialog = page.getByRole("dialog");
    await page.goto("/admin?tab=settings&view=groups");
    await awake(page);
    expect(await violations(page)).toEqual([]);
    expect(await fits(page)).toBe(true);
    await shot(page, `groups-${size}`);
    await page.getByRole("button", { name: /^Worse terms wait/ }).click();
    await dialog.getByLabel("Hours").fill("36");
    await dialog.getByLabel("Reason").fill("A weekend");
    await pressed(dialog, "Save");
    await page.getByRole("button", { name: "Worse terms wait 36 hours" }).waitFor();

    await page.getByRole("button", { name: "New group", exact: true }).click();
    await dialog.getByLabel("Id", { exact: true }).fill(id.toUpperCase());
    await dialog.getByLabel("Name", { exact: true }).fill(`The ${id} one`);
    await dialog.getByLabel("Commission, USD").fill("3.505");
    // On a phone it stands where Save was pressed a moment ago: a press that comes too soon counts for nothing.
    await eventually(async () => {
      await dialog.getByRole("button", { name: "Open group", exact: true }).click();
      await dialog.getByText("An id is 1 to 20 small letters.").waitFor({ timeout: 3000 });
    });
    await dialog.getByText("A commission from $0 to $1,000 for each $100,000, such as 3.50.").waitFor();
    await dialog.getByText("A reason is required").waitFor();
    expect(await violations(page)).toEqual([]);
    await dialog.getByLabel("Spread by instrument").fill("forex-minor 2\nEUR/USD 0 fixed");
    await dialog.getByRole("button", { name: "Open group", exact: true }).click();
    await dialog.getByText("Line 2: A fixed spread is at least 0.1 pips.").waitFor();
    await dialog.getByLabel("Spread by instrument").fill("forex-minor 2\nEUR/USD 0.8 fixed");
    await Bun.sleep(600);
    await dialog.getByLabel("Swap over 17:00 New York").fill("forex-major points -0.85 0.2\nEUR/USD points much 0.2 Wed");
    await dialog.getByRole("button", { name: "Open group", exact: true }).click();
    await dialog.getByText("Line 2: A swap such as -0.85 or 0.2, with at most four decimals: below zero the client pays.").waitFor();
    await shot(page, `group-new-${size}`);
    await dialog.getByLabel("Swap over 17:00 New York").fill("forex-major points -0.85 0.2");
    await dialog.getByLabel("Id", { exact: true }).fill(id);
    await dialog.getByLabel("Commission, USD").fill("3.50");
    await dialog.getByLabel("Who may join").selectOption("yes");
    await dialog.getByLabel("Reason").fill("For those who deal much");
    await pressed(dialog, "Open group");
    await told(page, `The ${id} one was opened`);
    const row = page.locator(`[data-row="${id}"]`);
    await row.getByText("$3.50 a side for each $100,000").waitFor();
    await row.getByText("forex-minor 2.0, EUR/USD 0.8 fixed").waitFor();
    // A tablet has a desk's columns, and not its width.
    await page.setViewportSize({ width: 768, height: 1024 });
    expect(await fits(page)).toBe(true);
    await shot(page, `groups-tablet-${size}`);
    await page.setViewportSize(options.viewport);

    // Somebody holds a position in it, which keeps its terms until the notice is over.
    const tess = await app.trader();
    const { body } = await tess.post<{ id: string; accountNumber: string }>("/api/trading-accounts", { accountTypeId: id, isDemo: true });
    expect((await tess.post("/api/trading/positions", { ...order, accountId: body.id })).status).toBe(201);
    await page.getByRole("button", { name: `Change The ${id} one`, exact: true }).focus();
    await page.keyboard.press("Enter");
    await dialog.getByText("Nothing is changed yet.").waitFor();
    await dialog.getByLabel("Commission, USD").fill("7");
    await dialog.getByLabel("Leverage, 1 to").fill("30");
    await dialog.getByText("Commission: $3.50 a side for each $100,000 → $7.00 a side for each $100,000").waitFor();
    await dialog.getByText("Leverage: 1:100 → 1:30").waitFor();
    await dialog.getByLabel("Spread by instrument").fill("EUR/USD 0.8");
    await dialog.getByText("Spread by instrument: forex-minor 2.0, EUR/USD 0.8 fixed → EUR/USD 0.8").waitFor();
    await dialog.getByLabel("Swap over 17:00 New York").fill("");
    await dialog.getByText("Swap: forex-major points -0.85 0.2 Wed → none").waitFor();
    await dialog.getByLabel("Only for people who live in").fill("DE");
    await dialog.getByText("From: everywhere → DE").waitFor();
    await dialog.getByLabel("Only for people who live in").fill("");
    await shot(page, `group-change-${size}`);
    await dialog.getByLabel("Reason").fill("Dearer liquidity");
    // A second press within half a second counts for nothing, by key as by mouse.
    await until("the change is sent", async () => {
      if (await dialog.isVisible()) await page.keyboard.press("Control+Enter");
      await Bun.sleep(600);
      return !(await dialog.isVisible());
    });
    await told(page, `The ${id} one was changed`);
    await row.getByText(/^What was open before follows from .* UTC on\.$/).waitFor();
    await row.locator("[data-cell=commission]").getByText("$7.00 a side for each $100,000").waitFor();
    expect(await fits(page)).toBe(true);
    await page.getByRole("button", { name: `Versions of The ${id} one`, exact: true }).click();
    await dialog.getByText(/for what is open from .* UTC, in force, by .*: Dearer liquidity/).waitFor();
    await shot(page, `group-versions-${size}`);
    expect(await violations(page)).toEqual([]);

    // A file tells what is wrong with it, then what it would change, and then changes it.
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "From a file", exact: true }).click();
    const csv = (figure: string) => ({ name: "groups.csv", mimeType: "text/csv", buffer: Buffer.from(`Group,Version,Commission\n${id},2,${figure}`) });
    await dialog.getByLabel("File (CSV)").setInputFiles(csv("-1"));
    await dialog.getByText("Row 2, Commission: A commission from $0 to $1,000 for each $100,000, such as 3.50.").waitFor();
    await shot(page, `group-file-wrong-${size}`);
    await dialog.getByLabel("File (CSV)").setInputFiles(csv("2.50"));
    await dialog.getByText("Commission: $7.00 a side for each $100,000 → $2.50 a side for each $100,000").waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await fits(page)).toBe(true);
    await shot(page, `group-file-${size}`);
    await dialog.getByLabel("Reason").fill("From the desk's sheet");
    await pressed(dialog, "Change all");
    await told(page, "One group was changed");

    // The client is moved to another group, whose terms are told before.
    await page.goto(`/admin/users/${tess.id}?tab=accounts`);
    await awake(page);
    expect(await fits(page)).toBe(true);
    const own = page.locator(`[data-row="${body.id}"]`);
    await shot(page, `client-accounts-${size}`);
    await page.getByRole("button", { name: `Move ${body.accountNumber}`, exact: true }).click();
    await dialog.getByLabel("Group", { exact: true }).selectOption("gold");
    await dialog.getByText("Spread from: 0.0 pips → 1.0 pips").waitFor();
    await shot(page, `client-move-${size}`);
    await dialog.getByLabel("Reason").fill("Asked for it");
    await pressed(dialog, "Move");
    await told(page, `${body.accountNumber} will move`);
    await own.getByText(/^Gold from /).waitFor({ state: "attached" });
    expect(await violations(page)).toEqual([]);
    await shot(page, `client-moved-${size}`);
  });
}

for (const [size, options, figure] of [
  ["desk", WIDE, "4.00"],
  ["phone", SMALL, "5.00"],
] as const)
  test(`costs that take two wait in the queue with their difference, and are signed there (${size})`, async () => {
    await app.sql`update signature_rules set is_on = true where deed = 'costs'`;
    const page = await staff.at(staff.ann, "/admin?tab=settings&view=groups", options.viewport);
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Change Silver", exact: true }).click();
    await dialog.getByLabel("Commission, USD").fill(figure);
    await dialog.getByLabel("Reason").fill("Dearer liquidity");
    await pressed(dialog, "Change");
    await told(page, "Waiting for a second signature");
    const other = await staff.at(staff.bea, "/admin?tab=settings&view=signatures", options.viewport);
    await other.getByText(`$${figure} a side for each $100,000`).first().waitFor();
    expect(await violations(other)).toEqual([]);
    expect(await fits(other)).toBe(true);
    await shot(other, `group-signature-${size}`);
    await other.getByRole("button", { name: /^Sign:/ }).click();
    await pressed(other.getByRole("dialog"), "Sign");
    await other.getByText("Nothing waits").waitFor();
    await page.goto("/admin?tab=settings&view=groups");
    await page.locator('[data-row="silver"] [data-cell=commission]').getByText(`$${figure} a side for each $100,000`).waitFor({ state: "attached" });
    await app.sql`update signature_rules set is_on = false where deed = 'costs'`;
  });

for (const [size, options, colorScheme] of [
  ["desk", WIDE, "light"],
  ["phone", SMALL, "dark"],
] as const)
  test(`what is refused and has no field in a form is told within it, and the focus is there (${size})`, async () => {
    const page = await staff.visitAs(staff.ann, { ...options, colorScheme });
    const dialog = page.getByRole("dialog");
    await page.goto("/admin?tab=settings&view=groups");
    await awake(page);
    await page.getByRole("button", { name: "Change Bronze", exact: true }).click();
    await dialog.getByLabel("Reason").fill("A test");
    // As an older page might send it: no person sees this field, and none could mend it.
    await dialog.locator("input[name=version]").evaluate((field: HTMLInputElement) => (field.value = "x"));
    await dialog.getByRole("button", { name: "Change", exact: true }).click();
    const notice = dialog.locator("[data-unsaid]");
    await notice.getByText("Version: version must be a whole number").waitFor();
    expect(await notice.evaluate((element) => element === document.activeElement)).toBe(true);
    await dialog.locator("input[name=version]").evaluate((field: HTMLInputElement) => (field.value = "1"));
    await page.route("**/api/admin/groups", (route) =>
      route.fulfill({ status: 400, json: { message: "Say it", code: "invalid", fields: { "margins.1.above": "An amount, such as 1000." } } }),
    );
    await eventually(async () => {
      await dialog.getByRole("button", { name: "Change", exact: true }).click();
      await notice.getByText("Margins 2, above: An amount, such as 1000.").waitFor({ timeout: 3000 });
    });
    expect(await notice.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await notice.getByText("version must be").count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    expect(await fits(page)).toBe(true);
    await shot(page, `form-unsaid-${size}`);
  });
