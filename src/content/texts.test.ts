import { afterAll, describe, expect, test } from "bun:test";
import { faq, searchFaq } from "../../views/content/faq";
import type { Market } from "../market/market";
import { testApp } from "../testing/app";
import { chrome, type PageTexts, pages, refusals } from "../testing/texts";
import { contentRoutes } from "./routes";

/** Each public page says what the specification says that it says. */

const app = await testApp();
afterAll(() => app.end());

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'", nbsp: " " };
const plain = (html: string) => html.replace(/&([#\w]+);/g, (whole, name: string) => entities[name] ?? whole);
/** What one reads, every tag a blank. */
const words = (html: string) =>
  plain(html.replace(/<(script|style|template|svg)\b[\s\S]*?<\/\1>/g, "").replace(/<[^>]+>/g, " "))
    .replace(/\s+/g, " ")
    .trim();
const linksOf = (html: string) =>
  [...html.matchAll(/<a\b[^>]*?\bhref="([^"]*)"[^>]*>([\s\S]*?)<\/a>/g)].map(([, href = "", inner = ""]) => ({ href: plain(href), text: words(inner) }));

function missing(html: string, { texts, links = [], attributes = [] }: PageTexts): string[] {
  const read = words(html);
  const found = linksOf(html);
  const count = (text: string, href: string) => found.filter((link) => link.text === text && link.href === href).length;
  return [
    ...texts.filter((text) => !read.includes(text)),
    ...links
      .filter(([text, href, times]) => (times === undefined ? count(text, href) === 0 : count(text, href) !== times))
      .map(([text, href]) => `${text} → ${href}`),
    ...attributes.filter((text) => !html.includes(text)),
  ];
}

const pageOf = async (path: string) => (await app.stranger().get(path)).text;

describe("a page says what it should", () => {
  test.each(Object.entries(pages))("%s", async (path, expected) => {
    const html = await pageOf(path);
    expect(missing(html, expected)).toEqual([]);
    expect(missing(html, chrome)).toEqual([]);
  });

  test.each(Object.keys(pages).filter((path) => path !== "/" && path !== "/register" && path !== "/login"))("%s, signed in too", async (path) => {
    const tess = await app.trader();
    const { text, status } = await tess.get(path);
    expect(status).toBe(path === "/no-such-page" ? 404 : 200);
    expect(missing(text, pages[path] as PageTexts)).toEqual([]);
    expect(words(text)).toContain("Welcome, Tess");
  });

  test.each(Object.entries(refusals))("%s, posted empty", async (path, messages) => {
    const ask = { raw: "nothing=1", headers: { "content-type": "application/x-www-form-urlencoded" } };
    const { status, text } = await app.stranger().call("POST", path, ask);
    expect(status).toBe(400);
    expect(missing(text, { texts: messages })).toEqual([]);
  });
});

describe("the questions", () => {
  test("are five times four, and each is on the page with its answer", async () => {
    expect(faq.map(({ questions }) => questions.length)).toEqual([4, 4, 4, 4, 4]);
    const read = words(await pageOf("/faq"));
    for (const { questions } of faq)
      for (const { question, answer } of questions) {
        expect(read).toContain(question);
        expect(read).toContain(answer);
      }
    const ids = faq.flatMap(({ questions }) => questions.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("are found by words of question or answer in any case", async () => {
    expect(searchFaq("INACTIVITY fee").flatMap(({ questions }) => questions.map(({ id }) => id))).toEqual(["inactivity"]);
    expect(searchFaq("   ")).toBe(faq);
    expect(searchFaq("manipul")).toEqual([]);
    const read = words(await pageOf("/faq?q=InActivity"));
    expect(read).toContain("Is there a fee if I do not trade?");
    expect(read).not.toContain("How do I open an account?");
    expect(read).toContain("1 question for “InActivity”.");
  });
});

describe("the landing page", () => {
  test("is there though the database went before anybody asked for it", async () => {
    const asked: Promise<unknown>[] = [];
    let away = false;
    const candles = (...given: Parameters<Market["candles"]>) => {
      const answer = away ? Promise.reject(Object.assign(new Error("away"), { code: "ECONNREFUSED" })) : app.market.candles(...given);
      asked.push(answer);
      return answer;
    };
    const market = Object.create(app.market, { candles: { value: candles } }) as Market;
    const { router } = contentRoutes(app.context, market, () => Promise.reject(new Error("nobody is signed in")));
    const once = asked.length;
    expect(once).toBeGreaterThan(1);
    await Promise.all(asked);
    away = true;
    expect((await router.handle(new Request("http://halyard.test/"))).status).toBe(200);
    expect(asked).toHaveLength(2 * once);
  });

  test("shows sample rows until there is a quote, and then no more", async () => {
    const quoted = await testApp();
    try {
      for (const [symbol, bid, ask] of [
        ["EUR/USD", "1.23454", "1.23456"],
        ["GBP/USD", "1.30000", "1.30002"],
        ["USD/JPY", "150.000", "150.004"],
        ["AUD/USD", "0.65000", "0.65002"],
      ] as const)
        await quoted.quote(symbol, bid, ask);
      const read = words((await quoted.stranger().get("/")).text);
      expect(read).toContain("1.23 45 5");
      expect(read).not.toContain("Sample rows");
    } finally {
      await quoted.end();
    }
  });

  test("promises nothing that an operator gone live does not hold", async () => {
    const live = await testApp({ SITE_MODE: "live", FEED: "kraken" });
    const licensed = await testApp({ SITE_MODE: "live", FEED: "kraken", LICENCE: "FSC 0123", COMPANY_NAME: "Sail Ltd", CONTACT_PHONE: "+44 1" });
    try {
      for (const path of ["/", "/about", "/contact", "/domain-verification"])
        for (const word of ["Sample", "sample", "Maren Halvorsen", "Regulated & Licensed", "Demonstration"])
          expect([path, words((await live.stranger().get(path)).text).replace("Sample rows until the first live quote", "")]).not.toEqual([
            path,
            expect.stringContaining(word),
          ]);
      expect(words((await licensed.stranger().get("/")).text)).toContain("Regulated & Licensed FSC 0123");
      expect(words((await licensed.stranger().get("/domain-verification")).text)).toContain("Company Sail Ltd");
      expect((await licensed.stranger().get("/contact")).text).toContain('href="tel:+441"');
    } finally {
      await Promise.all([live.end(), licensed.end()]);
    }
  });
});

test("domain verification was generated just now, and names the site that was asked", async () => {
  const before = Date.now();
  const html = await pageOf("/domain-verification");
  const at = Date.parse(/<time dateTime="([^"]+)"/i.exec(html)?.[1] ?? "");
  expect(at).toBeGreaterThanOrEqual(before);
  expect(at).toBeLessThanOrEqual(Date.now());
  expect(words(html)).toContain("halyard.test");
});
