import { afterAll, beforeAll, expect, test } from "bun:test";
import { Window } from "happy-dom";
import { type Person, testApp } from "../app";
import { faultsOf, textsUnder } from "../figures";

/** How figures are written on every page, as a stranger, a trader who loses and an administrator get it. What islands draw later, `openDom` holds to the same. */

const app = await testApp();
afterAll(() => app.end());

const pages = app.list.filter(({ kind, path }) => kind === "page" && !/^\/api\/|[:.]/.test(path)).map(({ path }) => path);
let trader: Awaited<ReturnType<typeof app.trader>>;
let admin: Awaited<ReturnType<typeof app.admin>>;
const own: string[] = [];
const staff: string[] = [];
beforeAll(async () => {
  [trader, admin] = await Promise.all([app.trader(), app.admin()]);
  await app.quote("EUR/USD", "1.10000", "1.10002");
  await app.quote("BTC/USD", "97490.68", "97491.68");
  const buy = async (symbol: string, amount: number) =>
    (await trader.post<{ id: string }>("/api/trading/positions", { symbol, type: "buy", amount, stopLoss: 1 })).body.id;
  const [closed, settled] = [await buy("EUR/USD", 200_000), await buy("EUR/USD", 20_000)];
  await buy("BTC/USD", 5000);
  await app.quote("EUR/USD", "1.08900", "1.08902");
  await app.quote("BTC/USD", "95490.68", "95491.68");
  await trader.post(`/api/trading/positions/${closed}/close`);
  expect((await admin.post(`/api/admin/trades/${settled}/force-loss`, { reason: "A test.", loss: "1234.56" })).status).toBe(200);
  await trader.post("/api/deposits", { amount: 5000, currency: "BTC", method: "crypto" });
  own.push(`/positions/${closed}/receipt`, `/positions/${settled}/receipt`, "/statements/wallet", "/traders-portal?symbol=BTC/USD");
  staff.push(`/admin/users/${trader.id}`, "/admin?tab=trades&view=corrections", "/admin?tab=trades&view=exceptions");
});

async function read(person: Person, paths: string[]) {
  const window = new Window();
  const faults: string[] = [];
  const waiting = [...paths];
  const seen = new Set<string>();
  let losses = 0;
  for (let path = waiting.shift(); path; path = waiting.shift()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const answer = await person.fetch("GET", path);
    if (!(answer.headers.get("content-type") ?? "").startsWith("text/html")) continue;
    const html = await answer.text();
    for (const [, tab = ""] of html.matchAll(/href="([^"#]*[?;]tab=\w+)"/g))
      waiting.push((tab.startsWith("?") ? `${path.split("?")[0]}${tab}` : tab).replaceAll("&amp;", "&"));
    const page = new window.DOMParser().parseFromString(html, "text/html") as unknown as Document;
    for (const { text, faults: found } of textsUnder(page.body)) {
      if (text.includes("−")) losses += 1;
      for (const fault of found) faults.push(`${path} ${fault}: ${text.slice(0, 100)}`);
    }
  }
  await window.happyDOM.close();
  return { faults: [...new Set(faults)], losses };
}

test("a fault is seen where there is one", () => {
  expect(faultsOf("closed with −$3.05", false)).toEqual(["a minus that parts from its number"]);
  expect(faultsOf("-3.05 and 97490.68", true)).toEqual(["a hyphen for a minus", "thousands that are not grouped"]);
  expect(faultsOf("−0.12% of 1,234.5, ACC-1234, 2020-01-02 10:00", false)).toEqual([]);
});
test("for a stranger", async () => expect((await read(app.stranger(), pages)).faults).toEqual([]));
test("for a trader who loses", async () => {
  const { faults, losses } = await read(trader, [...pages, ...own]);
  expect(faults).toEqual([]);
  expect(losses).toBeGreaterThan(10);
});
test("for an administrator", async () => {
  const { faults, losses } = await read(admin, [...pages, ...staff]);
  expect(faults).toEqual([]);
  expect(losses).toBeGreaterThan(5);
});
