import { join } from "node:path";
import type { Page } from "playwright-core";

/** Tests of how a page looks: axe finds nothing, and nothing is wider than the screen. */

const AXE = Bun.file(join(import.meta.dir, "..", "..", "node_modules", "axe-core", "axe.min.js"));
type Axe = { run(context: Document | Element, options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };

const ALL = { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] };
/** What another theme can change. */
const COLOURS = { type: "rule", values: ["color-contrast", "link-in-text-block"] };

export async function violations(page: Page, runOnly = ALL): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(await AXE.text());
  return page.evaluate(async (rules) => {
    const { axe } = window as unknown as { axe: Axe };
    // What lies under a dialog is out of reach, and is half hidden by it.
    const found = await axe.run(document.querySelector("dialog:modal") ?? document, { runOnly: rules, resultTypes: ["violations"], preload: false });
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`);
  }, runOnly);
}

/** How many frames a page has after it took another size: a chart measures itself in one, draws in the next, and what stands on it finds its place then. */
const FRAMES = 4;

/** Gives the page this size, and waits until what it shows has taken it: in between, what is laid out by scripts stands where it stood. */
async function resize(page: Page, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size);
  await page.waitForFunction(
    ({ width, height, frames }) => {
      if (innerWidth !== width || innerHeight !== height) return false;
      const seen = window as unknown as { framesSeen?: number };
      seen.framesSeen = (seen.framesSeen ?? 0) + 1;
      return seen.framesSeen % frames === 0;
    },
    { ...size, frames: FRAMES },
    { polling: "raf" },
  );
}

const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/**
 * Looks at each page at a desk in both themes and on the narrowest phone; with `large`, also with its text twice as large, at a desk,
 * on a tablet and on a phone. The visit must bypass the policy of our pages, which refuses the tool's own script and style.
 */
export async function inspect(page: Page, paths: readonly string[], { large = false } = {}): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    await resize(page, { width: 1440, height: 900 });
    await page.goto(path);
    found.push(...(await inspectHere(page, path)));
    if (large) found.push(...(await widthsAtDouble(page, path)));
  }
  return found;
}

/** The same for a state of the page that has no address of its own; findings call it `name`. */
export async function inspectHere(page: Page, name: string): Promise<string[]> {
  const found: string[] = [];
  await resize(page, { width: 1440, height: 900 });
  // A colour on its way from one theme to the other is neither; what is laid out only near the screen hides how wide it is.
  await page.addStyleTag({ content: "* { transition: none !important } .far { content-visibility: visible !important }" });
  for (const theme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    for (const violation of await violations(page, theme === "light" ? ALL : COLOURS)) found.push(`${name} ${theme}: ${violation}`);
  }
  await resize(page, { width: 320, height: 640 });
  const wider = await overflow(page);
  if (wider > 0) found.push(`${name}: ${wider} px wider than a phone of 320`);
  // A bar that stays in sight covers for a moment what scrolls under it: the page is looked at whole.
  await resize(page, { width: 320, height: await page.evaluate(() => document.documentElement.scrollHeight) });
  for (const violation of await violations(page)) found.push(`${name} at 320: ${violation}`);
  return found;
}

async function widthsAtDouble(page: Page, path: string): Promise<string[]> {
  const found: string[] = [];
  await page.addStyleTag({ content: ":root { font-size: 200% }" });
  for (const width of [1440, 768, 360]) {
    await resize(page, { width, height: 900 });
    const wider = await overflow(page);
    if (wider > 0) found.push(`${path}: ${wider} px wider than ${width} with its text twice as large`);
  }
  return found;
}
