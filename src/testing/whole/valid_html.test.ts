import { afterAll, beforeAll, expect, test } from "bun:test";
import { HtmlValidate, StaticConfigLoader } from "html-validate";
import { type Person, testApp } from "../app";

/** Every page's HTML held to the standard, as a stranger, a trader and an administrator get it: each open route, and each tab that a page leads to. */

const app = await testApp();
afterAll(() => app.end());

const validator = new HtmlValidate(
  new StaticConfigLoader({
    extends: ["html-validate:standard"],
    rules: {
      // How React writes HTML is as valid as any other way.
      "void-style": "off",
      "doctype-style": "off",
      "attr-quotes": "off",
      "attribute-boolean-style": "off",
      "attribute-empty-style": "off",
      "no-inline-style": "error",
    },
  }),
);

const pages = app.list.filter(({ kind, path }) => kind === "page" && !/^\/api\/|[:.]/.test(path)).map(({ path }) => path);

let trader: Awaited<ReturnType<typeof app.trader>>;
let admin: Awaited<ReturnType<typeof app.admin>>;
const more: string[] = [];
beforeAll(async () => {
  [trader, admin] = await Promise.all([app.trader({ firstName: `"><b>Eve` }), app.admin()]);
  await app.quote("EUR/USD", "1.10000", "1.10002");
  const open = await trader.post<{ id: string }>("/api/trading/positions", { symbol: "EUR/USD", type: "buy", amount: 1000, stopLoss: 1, takeProfit: 2 });
  const closed = await trader.post<{ id: string }>("/api/trading/positions", { symbol: "EUR/USD", type: "sell", amount: 500 });
  await trader.post(`/api/trading/positions/${closed.body.id}/close`);
  await trader.post("/api/deposits", { amount: 5000, currency: "BTC", method: "crypto" });
  await trader.post("/api/support/tickets", { subject: "<i>Help", message: "Line\nand line", category: "general" });
  more.push(`/positions/${open.body.id}/receipt`, `/positions/${closed.body.id}/receipt`, "/statements/wallet");
});

/** What is wrong on each page, and on the tabs it leads to. */
async function faults(person: Person, paths: string[]): Promise<string[]> {
  const found: string[] = [];
  const waiting = [...paths];
  const seen = new Set<string>();
  for (let path = waiting.shift(); path; path = waiting.shift()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const answer = await person.fetch("GET", path);
    const html = await answer.text();
    if (!(answer.headers.get("content-type") ?? "").startsWith("text/html")) continue;
    for (const [, tab = ""] of html.matchAll(/href="([^"#]*\?tab=\w+)"/g)) waiting.push(tab.startsWith("?") ? `${path.split("?")[0]}${tab}` : tab);
    for (const { messages } of (await validator.validateString(html, path)).results)
      for (const { ruleId, message, line, column } of messages) {
        const near = html.split("\n")[line - 1]?.slice(Math.max(0, column - 60), column + 100);
        found.push(`${path} ${ruleId}: ${message} … ${near}`);
      }
  }
  return found;
}

test("for a stranger", async () => expect(await faults(app.stranger(), [...pages, "/no-such-page", "/register?ref=%22x"])).toEqual([]));
test("for a trader", async () => expect(await faults(trader, [...pages, ...more])).toEqual([]));
test("for an administrator", async () => expect(await faults(admin, [...pages, `/admin/users/${trader.id}`])).toEqual([]));
