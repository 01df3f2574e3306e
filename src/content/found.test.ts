import { afterAll, expect, test } from "bun:test";
import { faq } from "../../views/content/faq";
import { testApp } from "../testing/app";

const app = await testApp({ PUBLIC_URL: "https://broker.test" });
const elsewhere = await testApp({ BRAND_NAME: `</script><script>alert(1)</script>` }, app.db);
afterAll(async () => {
  await elsewhere.close();
  await app.end();
});

const page = async (path: string, at = app) => (await at.stranger().fetch("GET", path)).text();
const attribute = (html: string, pattern: RegExp) => pattern.exec(html)?.[1];
const canonical = (html: string) => attribute(html, /<link rel="canonical" href="([^"]*)"/);
const property = (html: string, name: string) => attribute(html, new RegExp(`<meta property="og:${name}" content="([^"]*)"`));
const structured = (html: string) =>
  [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)].map(([, json = ""]) => JSON.parse(json) as Record<string, unknown>);
const places = (xml: string) => [...xml.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, at]) => at as string);

test("the sitemap names the public pages by the operator's own address", async () => {
  const found = places(await page("/sitemap.xml"));
  for (const path of ["/", "/register", "/login", "/terms", "/privacy"]) expect(found).toContain(`https://broker.test${path}`);
  expect(found.filter((at) => /admin|dashboard|portal|offline|api|\.xml/.test(at))).toEqual([]);
  expect(places(await page("/sitemap.xml", elsewhere))).toContain("http://halyard.test/terms");
});

test("every page of the sitemap says what it is, in words of its own, and where it belongs", async () => {
  const titles = new Set<string | undefined>();
  for (const at of places(await page("/sitemap.xml"))) {
    const html = await page(new URL(at).pathname);
    expect(canonical(html)).toBe(at);
    expect(property(html, "url")).toBe(at);
    expect(property(html, "image")).toBe("https://broker.test/card.png");
    const title = attribute(html, /<title>(.*?)<\/title>/);
    expect(property(html, "title")).toBe(title as string);
    expect(titles).not.toContain(title);
    titles.add(title);
    expect(attribute(html, /<meta name="description" content="([^"]*)"/)?.length ?? 0, `${at} has no description`).toBeGreaterThan(50);
    expect(html).not.toContain("noindex");
    expect(structured(html).map((each) => each["@type"])).toContain(new URL(at).pathname === "/" ? "Organization" : "BreadcrumbList");
  }
});

test("search engines get the questions that people read, with their answers", async () => {
  const html = await page("/faq");
  const found = structured(html).find((each) => each["@type"] === "FAQPage") as { mainEntity: { name: string; acceptedAnswer: { text: string } }[] };
  expect(found.mainEntity.map(({ name }) => name)).toEqual(faq.flatMap(({ questions }) => questions.map(({ question }) => question)));
  for (const { acceptedAnswer } of found.mainEntity) expect(acceptedAnswer.text.length).toBeGreaterThan(40);
});

test("robots are kept from calls and shown the sitemap", async () => {
  expect(await page("/robots.txt")).toBe("User-agent: *\nDisallow: /api/\n\nSitemap: https://broker.test/sitemap.xml\n");
});

test("no address is made of the host that one visitor asked: what is kept answers everyone", async () => {
  const html = await page("/terms", elsewhere);
  expect(html).not.toContain("halyard.test");
  expect(canonical(html)).toBeUndefined();
  expect(property(html, "image")).toBe("/card.png");
});

test("what search engines read can't end its script element", async () => {
  const html = await page("/", elsewhere);
  expect(html).not.toContain("<script>alert");
  expect(structured(html)[0]).toMatchObject({ "@type": "Organization", name: "</script><script>alert(1)</script>" });
});

test("what is one person's, staff's, or not there is found by no search engine", async () => {
  const [trader, admin] = [await app.trader(), await app.admin()];
  const expectHidden = async (answer: Response) => {
    expect(answer.headers.get("x-robots-tag")).toBe("noindex");
    const html = await answer.text();
    expect(html).toContain('<meta name="robots" content="noindex"/>');
    expect(canonical(html)).toBeUndefined();
    expect(structured(html)).toEqual([]);
  };
  for (const path of ["/dashboard", "/traders-portal", "/terms"]) await expectHidden(await trader.fetch("GET", path));
  for (const path of ["/admin", "/admin-registrations"]) {
    await expectHidden(await admin.fetch("GET", path));
    await expectHidden(await app.stranger().fetch("GET", path));
  }
  for (const path of ["/no-such-page", "/offline"]) await expectHidden(await app.stranger().fetch("GET", path));
});

test("the app introduces itself under the operator's name", async () => {
  const answer = await elsewhere.stranger().fetch("GET", "/manifest.webmanifest");
  expect(answer.headers.get("content-type")).toBe("application/manifest+json");
  const manifest = (await answer.json()) as { icons: { src: string }[] };
  expect(manifest).toMatchObject({ name: "</script><script>alert(1)</script>", display: "standalone", scope: "/", start_url: "/dashboard" });
  for (const { src } of [...manifest.icons, { src: "/card.png" }, { src: "/favicon.ico" }, { src: "/favicon.svg" }, { src: "/apple-touch-icon.png" }])
    expect((await elsewhere.stranger().fetch("GET", src)).headers.get("content-type"), src).toMatch(/^image\//);
});

test("the service worker is served at the root, asked for each time, with the build in its text", async () => {
  const answer = await app.stranger().fetch("GET", "/sw.js");
  expect(answer.headers.get("cache-control")).toBe("no-cache");
  expect(answer.headers.get("content-type")).toStartWith("text/javascript");
  expect(await answer.text()).toMatch(/"offline-[a-z0-9]{5,}"/);
});
