import { afterAll, beforeAll, expect, test } from "bun:test";
import type { StaffPromotion } from "../../funding/schema_promotions";
import { type TestApp, testApp } from "../app";
import { awake, fits, openStaff, pressed, told } from "../browser";
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

for (const [width, height, id, kind, pays] of [
  [1440, 900, "deposit_bonus", "Deposit bonus", "321"],
  [360, 740, "bitcoin_bonus", "Bitcoin bonus", "32"],
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
    await dialog.getByLabel("Pays, USD").fill(pays);
    await dialog.getByLabel("Only for people who live in").fill("de, fr");
    await dialog.getByLabel("Until (UTC)").fill("2099-12-31T12:00");
    await dialog.getByLabel("Reason").fill("Until the fair ends");
    const before = await offer(id);
    // A colleague is first.
    expect((await staff.ann.patch(`/api/admin/promotions/${id}`, { turnover: 17, reason: "By the colleague" })).status).toBe(200);
    await dialog.getByRole("button", { name: "Change", exact: true }).click();
    await dialog.getByText("This promotion was changed meanwhile.").first().waitFor();
    expect(await offer(id)).toMatchObject({ amount: before?.amount, turnover: 17 });
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("cell", { name: "17 times" }).first().waitFor({ state: "attached" });
    await page.getByRole("button", { name: `Change ${kind}`, exact: true }).click();
    await dialog.getByLabel("Pays, USD").fill(pays);
    await dialog.getByLabel("Only for people who live in").fill("de, fr");
    await dialog.getByLabel("Until (UTC)").fill("2099-12-31T12:00");
    await dialog.getByLabel("Reason").fill("Until the fair ends");
    await pressed(dialog, "Change");
    await told(page, `${kind} was changed`);
    await page.getByText("Now until 2099-12-31 12:00 UTC").first().waitFor();
    expect(await offer(id)).toMatchObject({ amount: `${pays}.00`, countries: ["DE", "FR"], endsAt: "2099-12-31T12:00:00.000Z", turnover: 17 });
    await page.getByRole("button", { name: `Versions of ${kind}`, exact: true }).click();
    await dialog.getByText("until 2099-12-31 12:00 UTC; in DE, FR").waitFor();
    await dialog.getByText("Until the fair ends").waitFor();
    await dialog.getByText("By the colleague").waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await fits(page)).toBe(true);
    await page.context().close();
  });

  test(`what offers more says that it waits, is taken back, and holds once a colleague signs it (${width} px)`, async () => {
    const viewport = { width, height };
    const before = await offer(id);
    const page = await staff.visitAs(staff.ann, { viewport });
    const dialog = page.getByRole("dialog");
    const more = dialog.getByText("This offers more than what stands, so it waits until another administrator signs it.");
    const ask = async () => {
      await page.goto("/admin?tab=settings&view=promotions");
      await page.getByRole("button", { name: `Change ${kind}`, exact: true }).click();
      await dialog.getByText("What offers more than what stands waits until another administrator signs it.").waitFor();
      await dialog.getByLabel("Pays, USD").fill("1");
      expect(await more.count()).toBe(0);
      await dialog.getByLabel("Pays, USD").fill("4321");
      await more.waitFor();
      expect(await violations(page)).toEqual([]);
      expect(await fits(page)).toBe(true);
      await dialog.getByLabel("Reason").fill("For the fair");
      await pressed(dialog, "Change");
      await told(page, "Waiting for a second signature");
      expect(await offer(id)).toEqual(before);
      await page.goto("/admin?tab=settings&view=signatures");
    };
    await ask();
    await page.getByRole("button", { name: `Take back: ${kind}: $4,321.00` }).click();
    await dialog.getByText("Nobody can sign it any more.").waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await fits(page)).toBe(true);
    await pressed(dialog, "Take back");
    await page.getByText("Nothing waits").waitFor();

    await ask();
    await page
      .getByRole("article")
      .filter({ hasText: `${kind}: $4,321.00` })
      .getByText("For the fair")
      .waitFor();
    await page.goto("/admin?tab=settings&view=promotions");
    await awake(page);
    const other = await staff.visitAs(staff.bea, { viewport });
    await other.goto("/admin?tab=settings&view=signatures");
    await other.getByRole("button", { name: `Sign: ${kind}: $4,321.00` }).click();
    await other.getByRole("dialog").getByText("Amount: ").waitFor();
    expect(await violations(other)).toEqual([]);
    expect(await fits(other)).toBe(true);
    await pressed(other.getByRole("dialog"), "Sign");
    await other.getByText("Nothing waits").waitFor();
    await page.getByRole("cell", { name: "$4,321.00" }).first().waitFor({ state: "attached" });
    expect(await offer(id)).toMatchObject({ amount: "4321.00" });
    await Promise.all([page.context().close(), other.context().close()]);
  });
}
