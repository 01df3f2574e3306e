import { afterAll, beforeAll, expect, test } from "bun:test";
import type { StaffPromotion } from "../../funding/schema_promotions";
import { type TestApp, testApp } from "../app";
import { fits, openStaff, pressed, told } from "../browser";
import { violations } from "../inspect";

/** What is offered for deposits, changed on the Settings tab and read on the pages. */

let app: TestApp;
let staff: Awaited<ReturnType<typeof openStaff>>;
beforeAll(async () => {
  app = await testApp();
  staff = await openStaff(app);
});
afterAll(async () => expect(await staff.end()).toEqual([]));

const offer = async (id: string) => (await staff.ann.get<StaffPromotion[]>("/api/admin/promotions")).body.find((each) => each.id === id);

for (const [width, height, id, kind] of [
  [1440, 900, "deposit_bonus", "Deposit bonus"],
  [360, 740, "bitcoin_bonus", "Bitcoin bonus"],
] as const) {
  test(`a promotion is changed for a time and for countries, and a colleague's change is not written over (${width} px)`, async () => {
    const page = await staff.visitAs(staff.ann, { viewport: { width, height } });
    const dialog = page.getByRole("dialog");
    await page.goto("/admin?tab=settings&view=promotions");
    expect(await violations(page)).toEqual([]);
    expect(await fits(page)).toBe(true);
    await page.getByRole("button", { name: `Change ${kind}`, exact: true }).click();
    await dialog.getByLabel("Pays, USD").fill("0");
    await dialog.getByLabel("Only for people who live in").fill("Germany");
    await dialog.getByRole("button", { name: "Change", exact: true }).click();
    await dialog.getByText("Give countries by their codes, such as DE, FR.").waitFor();
    await dialog.getByText("A reason is required").waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await fits(page)).toBe(true);
    await dialog.getByLabel("Pays, USD").fill("321");
    await dialog.getByLabel("Only for people who live in").fill("de, fr");
    await dialog.getByLabel("Until (UTC)").fill("2099-12-31T12:00");
    await dialog.getByLabel("Reason").fill("Until the fair ends");
    const before = await offer(id);
    // A colleague is first.
    expect((await staff.ann.patch(`/api/admin/promotions/${id}`, { turnover: 7, reason: "By the colleague" })).status).toBe(200);
    await dialog.getByRole("button", { name: "Change", exact: true }).click();
    await dialog.getByText("This promotion was changed meanwhile.").first().waitFor();
    expect(await offer(id)).toMatchObject({ amount: before?.amount, turnover: 7 });
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("cell", { name: "7 times" }).first().waitFor({ state: "attached" });
    await page.getByRole("button", { name: `Change ${kind}`, exact: true }).click();
    await dialog.getByLabel("Pays, USD").fill("321");
    await dialog.getByLabel("Only for people who live in").fill("de, fr");
    await dialog.getByLabel("Until (UTC)").fill("2099-12-31T12:00");
    await dialog.getByLabel("Reason").fill("Until the fair ends");
    await pressed(dialog, "Change");
    await told(page, `${kind} was changed`);
    await page.getByText("Now until 2099-12-31 12:00 UTC").first().waitFor();
    expect(await offer(id)).toMatchObject({ amount: "321.00", countries: ["DE", "FR"], endsAt: "2099-12-31T12:00:00.000Z", turnover: 7 });
    await page.getByRole("button", { name: `Versions of ${kind}`, exact: true }).click();
    await dialog.getByText("until 2099-12-31 12:00 UTC; in DE, FR").waitFor();
    await dialog.getByText("Until the fair ends").waitFor();
    await dialog.getByText("By the colleague").waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await fits(page)).toBe(true);
    await page.context().close();
  });
}
