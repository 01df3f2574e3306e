import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";
import { correction, generate } from "lean-qr/nano";
import { Icon, iconNames } from "./Icon";
import { PageIcon, pageIconNames } from "./PageIcon";
import { QrCode } from "./QrCode";
import { renderToStaticMarkup } from "react-dom/server";

const ROOT = join(import.meta.dir, "..", "..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

test("the style guide shows every brick", () => {
  const shown = read("views/content/StyleguidePage.tsx") + read("views/content/StyleguideBasics.tsx") + read("islands/content/StyleguideDemo.tsx");
  const bricks = [...new Glob("*.tsx").scanSync({ cwd: import.meta.dir })]
    .filter((file) => !file.includes(".test."))
    .flatMap((file) => [...read(`views/ui/${file}`).matchAll(/^export (?:function|const) ([A-Z]\w+)/gm)].map(([, name = ""]) => name));
  expect(bricks.length).toBeGreaterThan(20);
  expect(bricks.filter((name) => !new RegExp(`<${name}\\b`).test(shown))).toEqual([]);
});

test("every icon is one stroke within its square", () => {
  expect(iconNames.length).toBeGreaterThan(40);
  const icons = [...iconNames.map((name) => <Icon key={name} name={name} />), ...pageIconNames.map((name) => <PageIcon key={name} name={name} />)];
  for (const icon of icons) {
    const drawn = renderToStaticMarkup(icon);
    expect(drawn.match(/<path /g)).toHaveLength(1);
    const moves = [...(/ d="([^"]+)"/.exec(drawn)?.[1] ?? "").matchAll(/[MHV](-?[\d.]+)(?:[ ,](-?[\d.]+))?/g)].flatMap(([, x, y]) => [
      Number(x),
      Number(y ?? x),
    ]);
    expect(moves.filter((at) => !(at >= 0 && at <= 24))).toEqual([]);
  }
});

test("a QR code is drawn module by module, with four light ones round it", () => {
  const text = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq";
  const code = generate(text, { minCorrectionLevel: correction.M });
  const svg = renderToStaticMarkup(<QrCode text={text} label="An address" />);
  const dark = new Set<string>();
  for (const [, x, y, length] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g))
    for (let n = 0; n < Number(length); n++) dark.add(`${Number(x) + n - 4} ${Number(y) - 4}`);
  const modules = Array.from({ length: code.size ** 2 }, (_, n) => [n % code.size, Math.floor(n / code.size)] as const);
  expect([...dark].toSorted()).toEqual(
    modules
      .filter(([x, y]) => code.get(x, y))
      .map(([x, y]) => `${x} ${y}`)
      .toSorted(),
  );
  expect(svg).toContain(`viewBox="0 0 ${code.size + 8} ${code.size + 8}"`);
});
