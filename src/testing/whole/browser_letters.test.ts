import { afterAll, beforeAll, expect, test } from "bun:test";
import { type TestApp, testApp } from "../app";
import { awake, eventually, fits, openStaff, pressed, shot, told } from "../browser";
import { violations } from "../inspect";

/** The words of letters are written on the Settings tab, seen beforehand, and the house's own are a press away. */

let app: TestApp;
let staff: Awaited<ReturnType<typeof openStaff>>;
beforeAll(async () => {
  app = await testApp();
  staff = await openStaff(app);
});
afterAll(async () => expect(await staff.end()).toEqual([]));

for (const [size, viewport, title, subject, colorScheme] of [
  ["desk", { width: 1440, height: 900 }, "Margin call", "Margin call on 100042", "light"],
  ["phone", { width: 360, height: 740 }, "Deposit credited", "Deposit of $250.00 credited", "dark"],
] as const)
  test(`words are written, refused without their placeholders, previewed, saved, and taken back (${size})`, async () => {
    const page = await staff.visitAs(staff.ann, { viewport, colorScheme });
    const dialog = page.getByRole("dialog");
    await page.goto("/admin?tab=settings&view=texts");
    await awake(page);
    expect(await fits(page)).toBe(true);
    await page.getByRole("button", { name: `Write ${title}`, exact: true }).click();
    const words = dialog.getByLabel("Words");
    const own = await words.inputValue();
    expect(own).toContain("{firstName}");
    await words.fill("Dear {name},\n\n{facts}\n\n{link}");
    await dialog.getByLabel("Reason").fill("Our own tone");
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await dialog.locator("#letter-body-error").getByText("There is no placeholder {name} here.", { exact: false }).waitFor();
    await shot(page, `letter-refused-${size}`);
    await words.fill("## Hello\n\nDear {firstName}, yours is **{brand}**; see [your page](/profile).\n\n{facts}\n\n{link}\n\n- Thank you.");
    const preview = dialog.getByRole("region", { name: "Preview" });
    const letter = preview.frameLocator("iframe");
    // A second press near the one before counts for nothing.
    await eventually(async () => {
      await dialog.getByRole("button", { name: "Preview" }).click();
      await letter.getByText("yours is Halyard", { exact: false }).waitFor({ timeout: 5000 });
    });
    // It is the letter: in its own styles, which the page's policy lets in, and nothing of it runs or leads away.
    expect(await preview.locator("iframe").getAttribute("sandbox")).toBe("");
    const looks = (locator: typeof words, name: string) => locator.evaluate((element, of) => getComputedStyle(element).getPropertyValue(of), name);
    expect(await looks(letter.locator("strong"), "font-weight")).toBe("700");
    expect(await looks(letter.locator(".button").first(), "padding")).toBe("12px 20px");
    expect(await looks(letter.locator(".card"), "border-radius")).toBe("10px");
    expect(await looks(letter.getByRole("link", { name: "your page" }), "pointer-events")).toBe("none");
    expect(await looks(letter.locator("body"), "background-color")).toBe(colorScheme === "dark" ? "rgb(10, 20, 32)" : "rgb(251, 250, 247)");
    await preview.getByText(subject).waitFor();
    await preview.scrollIntoViewIfNeeded();
    expect(await violations(page)).toEqual([]);
    expect(await fits(page)).toBe(true);
    await shot(page, `letter-preview-${size}`);
    await preview.getByRole("button", { name: "As plain text" }).click();
    await preview.getByText("yours is Halyard; see your page (http://localhost:", { exact: false }).waitFor();
    expect(await preview.locator("iframe").count()).toBe(0);
    await preview.scrollIntoViewIfNeeded();
    expect(await violations(page)).toEqual([]);
    await shot(page, `letter-text-${size}`);
    await pressed(dialog, "Save");
    await told(page, `${title}: the words were saved`);
    await page.locator("[data-row]").getByText("Version 1, since", { exact: false }).first().waitFor();
    await page.getByRole("button", { name: `Write ${title}`, exact: true }).click();
    await eventually(async () => {
      await dialog.getByRole("button", { name: "The house’s own words" }).click();
      expect(await words.inputValue()).toBe(own);
    });
    await dialog.getByLabel("Reason").fill("Back again");
    await pressed(dialog, "Save");
    await eventually(async () => expect(await app.sql`select from letter_texts where version = 2 and subject is null`).toHaveLength(size === "desk" ? 1 : 2));
    await page.getByRole("button", { name: `Versions of ${title}`, exact: true }).click();
    await dialog.getByText("The house's own words").waitFor();
    await dialog.getByText("Our own tone", { exact: false }).waitFor();
    expect(await violations(page)).toEqual([]);
    await shot(page, `letter-versions-${size}`);
  });
