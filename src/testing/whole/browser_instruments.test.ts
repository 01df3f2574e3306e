import { expect, test } from "bun:test";
import type { TestApp } from "../app";
import { awake, eventually, fits, openStaff, pressed, shot, told } from "../browser";
import { inStaffHouse } from "../browser_house";
import { violations } from "../inspect";
import { order } from "../scenarios";
import type { Position } from "../../trading/schema";

/** How instruments are dealt is set in the panel, and told to whoever is about to order. */

let app: TestApp;
let staff: Awaited<ReturnType<typeof openStaff>>;
inStaffHouse((house) => ({ app, staff } = house));

const WIDE = { viewport: { width: 1440, height: 900 } };
const SMALL = { viewport: { width: 360, height: 740 } };
const ONLY = (symbol: string) => `${symbol} can only be closed at the moment: no position is opened in it.`;

for (const [size, options, symbol] of [
  ["desk", WIDE, "EUR/USD"],
  ["phone", SMALL, "GBP/USD"],
] as const) {
  test(`an instrument is found, made close-only, and that is told at once (${size})`, async () => {
    const tess = await app.trader();
    const trading = await staff.visitAs(tess, options);
    await trading.goto(`/trading?tab=trading&symbol=${encodeURIComponent(symbol)}`);
    await awake(trading);
    const panel = trading.locator("#execute-trade");
    await panel.getByRole("button", { name: /^Execute Trade/ }).waitFor();
    const { status } = await tess.post<Position>("/api/trading/positions", { ...order, symbol });
    expect(status).toBe(201);

    const page = await staff.visitAs(staff.ann, options);
    await page.goto("/admin?tab=settings&view=instruments");
    await awake(page);
    expect(await violations(page)).toEqual([]);
    expect(await fits(page)).toBe(true);
    await page.getByLabel("Search", { exact: true }).fill(symbol.replace("/", ""));
    await page.getByRole("button", { name: `Change ${symbol}` }).click();
    const dialog = page.getByRole("dialog", { name: `Change ${symbol}` });
    await dialog.getByText("Nothing is changed yet.").waitFor();
    await dialog.getByLabel("Smallest, USD").fill("50");
    await dialog.getByLabel("Step, USD").fill("20");
    await dialog.getByLabel("State", { exact: true }).selectOption("close_only");
    await dialog.getByText("State: Tradable → Close only").waitFor();
    await dialog.getByText("Smallest order: none → $50.00").waitFor();
    await dialog.getByLabel("Margin by size").fill("1000 5\n500 10");
    await dialog.getByLabel("Margin at least, %").fill("1");
    await dialog.getByText("Margin at least: none → 1%").waitFor();
    await shot(page, `instrument-dialog-${size}`);
    await dialog.getByLabel("Reason").fill("The feed is thin");
    await dialog.getByRole("button", { name: "Change", exact: true }).click();
    await dialog.locator("#instrument-marginSteps-error").getByText("Step 2, above: it must be more than $1,000.00, the step before it.").waitFor();
    await dialog.getByLabel("Margin by size").fill("1000 5");
    await dialog.getByText("Margin by size: none → 5% above $1,000.00").waitFor();
    await eventually(async () => {
      await dialog.getByRole("button", { name: "Change", exact: true }).click();
      await dialog.locator("#instrument-step-error").getByText("step must divide the minimum, which is $50.00").waitFor({ timeout: 3000 });
    });
    expect(await violations(page)).toEqual([]);
    await dialog.getByLabel("Step, USD").fill("10");
    await pressed(dialog, "Change");
    await told(page, `${symbol} was changed`);
    await page.locator("[data-row]").getByText("Close only").first().waitFor();
    await shot(page, `instruments-${size}`);
    await page.getByRole("button", { name: `Versions of ${symbol}` }).click();
    await page
      .getByRole("dialog")
      .getByText("1. Close only; smallest order $50.00; step $10.00; margin at least 1%; margin by size 5% above $1,000.00")
      .waitFor();

    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });

    // A file tells what is wrong with it, then what it would change, and then changes it.
    const file = page.getByRole("dialog", { name: "Instruments from a file" });
    const csv = (step: string) => ({
      name: "instruments.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(`Instrument,Version,Step,Largest order\n${symbol},1,${step},5000`),
    });
    await page.getByRole("button", { name: "From a file", exact: true }).click();
    await file.getByLabel("File (CSV)").setInputFiles(csv("20"));
    await file.getByText("Row 2, Step: step must divide the minimum, which is $50.00").waitFor();
    await shot(page, `instruments-file-wrong-${size}`);
    // The same file again, mended: as its picker opens it is let go, else a browser would tell of no change.
    const choosing = page.waitForEvent("filechooser");
    await file.getByLabel("File (CSV)").click();
    const chooser = await choosing;
    expect(await file.getByLabel("File (CSV)").inputValue()).toBe("");
    await file.getByText("Row 2, Step:").waitFor({ state: "detached" });
    await chooser.setFiles(csv("25"));
    await file.getByText("Step: $10.00 → $25.00").waitFor();
    await file.getByText("Largest order: none → $5,000.00").waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await fits(page)).toBe(true);
    await shot(page, `instruments-file-${size}`);
    await file.getByLabel("Reason").fill("From the desk's sheet");
    await pressed(file, "Change all");
    await told(page, "One instrument was changed");
    // What is changed next must have been seen as it is now.
    await page.locator("[data-row]").getByText("$5,000.00").first().waitFor();

    // A tablet has a desk's columns, and not its width.
    await page.setViewportSize({ width: 768, height: 1024 });
    expect(await fits(page)).toBe(true);
    await shot(page, `instruments-tablet-${size}`);
    await page.setViewportSize(options.viewport);

    // A wider mark-up: the panel says from when on it holds for what is open, whose price stays.
    const before = (await tess.get<Position[]>("/api/trading/positions/open")).body[0]?.currentPrice;
    await page.getByRole("button", { name: `Change ${symbol}` }).click();
    await dialog.getByLabel("Mark-up, pips").fill("7.5");
    await dialog.getByText("Mark-up: none → 7.5 pips").waitFor();
    await dialog.getByLabel("Reason").fill("The feed is thin");
    await pressed(dialog, "Change");
    await told(page, `${symbol} was changed`);
    await page.getByText(/^What was open before takes its mark-up from .+ UTC on\.$/).waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await fits(page)).toBe(true);
    await shot(page, `instruments-notice-${size}`);
    expect((await tess.get<Position[]>("/api/trading/positions/open")).body[0]?.currentPrice).toBe(before);
    await page.getByRole("button", { name: `Versions of ${symbol}` }).click();
    await page
      .getByRole("dialog")
      .getByText(/, for what is open from .+ UTC, by /)
      .waitFor();
    await shot(page, `instrument-versions-${size}`);

    await panel.getByText(ONLY(symbol)).waitFor();
    expect(await panel.getByRole("button", { name: /^Execute Trade/ }).isDisabled()).toBe(true);
    await shot(trading, `close-only-${size}`);

    const plain = await staff.visitAs(tess, { ...options, javaScriptEnabled: false });
    await plain.goto(`/positions/new?symbol=${encodeURIComponent(symbol)}`);
    await plain.getByText(ONLY(symbol)).waitFor();
    await plain.getByText("From $50.00 up to $5,000.00 in steps of $25.00.").waitFor();
    await shot(plain, `plain-${size}`);
  });
}
