/**
 * Draws the pictures of public/ that can't be SVG: icons of the installed app and of old browsers, and the card that a shared link
 * shows. Run by hand after the mark or the palette changed (`node_modules/.bin/bun scripts/pictures.ts`): it needs Chromium, which a
 * machine that only builds does not have, so its results are kept in public/.
 */
import { join } from "node:path";
import { launchChromium } from "../src/testing/browser";
import { icoOf } from "../src/texts/pictures";
import { palette } from "../views/palette";

const PUBLIC = join(import.meta.dir, "..", "public");
const { light, dark } = palette;

/** The mark in a square of 28 units; `inset` is the share of the side that stays free around it. */
const mark = (ink: string, sail: string, inset: number) => {
  const size = 28 / (1 - 2 * inset);
  const from = (28 - size) / 2;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${from} ${from} ${size} ${size}" fill="none" stroke="${ink}" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round"><path d="M13.25 3v22"/><path stroke="none" fill="${sail}" d="M15.5 5.5c4 4 6.5 9 7.5 14.5h-7.5z"/><path d="M11 7.5C9.8 12 7.5 16.5 4.5 20H11z"/><path d="M3 23.25c3.5 1.7 6.5-1.7 10.25 0s7.5 1.7 11.75 0"/></svg>`;
};
const square = (size: number, inset: number, radius: string, ground: string = dark.paper) => ({
  width: size,
  height: size,
  html: `<div style="width:100%;height:100%;background:${ground};border-radius:${radius}">${mark(dark.ink, dark.accent, inset)}</div>`,
});

/** A rising line of a walk that is the same each time: the look of the hero, no market's data. */
function walk(points: number): number[] {
  let seed = 7;
  let value = 0;
  return Array.from({ length: points }, () => {
    seed = (seed * 16_807) % 2_147_483_647;
    value += seed / 2_147_483_647 - 0.455;
    return value;
  });
}

function chart(width: number, height: number): string {
  const values = walk(140);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const at = values.map((value, index) => `${((index / 139) * width).toFixed(1)},${(height - ((value - low) / (high - low)) * (height - 20) - 10).toFixed(1)}`);
  return `<svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" fill="none">
    ${[0.2, 0.4, 0.6, 0.8].map((share) => `<path d="M0 ${height * share}H${width}" stroke="${dark.line}"/>`).join("")}
    <path d="M0,${height} L${at.join(" L")} L${width},${height}z" fill="${dark.accent}" opacity=".1"/>
    <path d="M${at.join(" L")}" stroke="${dark.accent}" stroke-width="4" stroke-linejoin="round"/></svg>`;
}

/** Without the operator's name, which is theirs to choose; the page's own title stands beside it. */
const card = {
  width: 1200,
  height: 630,
  html: `<div style="width:1200px;height:630px;background:${dark.paper};color:${dark.ink};display:flex;flex-direction:column;position:relative;overflow:hidden">
    <div style="position:absolute;right:0;bottom:0">${chart(1200, 240)}</div>
    <div style="padding:64px 80px 0;position:relative">
      <div style="width:84px">${mark(dark.ink, dark.accent, 0)}</div>
      <div style="font:400 72px/1.08 Georgia,'DejaVu Serif',serif;letter-spacing:-.025em;margin-top:32px;max-width:1000px">Forex and crypto, with a receipt for every fill.</div>
    </div></div>`,
};

const browser = await launchChromium();
const page = await browser.newPage();
async function draw({ width, height, html }: { width: number; height: number; html: string }): Promise<Buffer> {
  await page.setViewportSize({ width, height });
  await page.setContent(`<style>*{margin:0}body{width:${width}px;height:${height}px}svg{display:block}</style>${html}`);
  return page.screenshot({ omitBackground: true });
}

for (const size of [192, 512]) {
  await Bun.write(join(PUBLIC, `icon-${size}.png`), await draw(square(size, 0.14, "22%")));
  // A device cuts a maskable icon to its own shape: what matters lies in the middle four fifths.
  await Bun.write(join(PUBLIC, `icon-maskable-${size}.png`), await draw(square(size, 0.22, "0")));
}
await Bun.write(join(PUBLIC, "apple-touch-icon.png"), await draw(square(180, 0.16, "0")));
await Bun.write(join(PUBLIC, "favicon.ico"), icoOf(await draw({ ...square(32, 0.02, "0", "transparent"), html: mark(light.accent, light.accent, 0.02) }), 32));
await Bun.write(
  join(PUBLIC, "icon.svg"),
  mark(dark.ink, dark.accent, 0.14).replace(
    /(viewBox="([-\d.]+) ([-\d.]+) ([-\d.]+) [^"]*"[^>]*>)/,
    `$1<path stroke="none" fill="${dark.paper}" d="M$2 $3h$4v$4h-$4z"/>`,
  ),
);
await Bun.write(join(PUBLIC, "card.png"), await draw(card));
await browser.close();
