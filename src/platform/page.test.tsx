import { expect, test } from "bun:test";
import { TermsPage } from "../../views/content/TermsPage";
import { LoginPage } from "../../views/identity/LoginPage";
import { RegisterPage } from "../../views/identity/RegisterPage";
import { readConfig } from "../config";
import type { House, Me } from "./house";
import type { Visit } from "./http";
import { manifest } from "./assets";
import { type Page, notFoundPage, renderHtml, renderPage } from "./page";

const houseWith = (env: Record<string, string> = {}) => ({ config: readConfig(env) }) as House;
const house = houseWith();
const visitor = (path = "/", coding = ""): Visit => {
  const url = new URL(`http://localhost${path}`);
  return { me: null, url, headers: new Headers(), request: new Request(url, { headers: { "accept-encoding": coding } }) } as Visit;
};
const trader = { firstName: `Eve"</script><script>alert(1)</script>`, email: "eve@example.com", role: "user" } as Me;
const scripts = (html: string) => [...html.matchAll(/<script src="([^"]+)"/g)].map(([, src]) => src);

const terms: Page = { title: "Terms", body: <TermsPage brand="Halyard" demonstration /> };

test("a static page loads the theme's script and nothing else", () => {
  const html = renderHtml(house, terms, visitor("/terms"));
  expect(scripts(html)).toEqual([`/assets/${manifest().scripts.theme}`]);
  expect(html).not.toContain("modulepreload");
  expect(html).not.toContain("data-island");
});

test("a page with an island loads the boot script and asks for the island's code", () => {
  const html = renderHtml(house, { title: "Register", body: <RegisterPage /> }, visitor("/register"));
  expect(scripts(html)).toEqual([`/assets/${manifest().scripts.theme}`, `/assets/${manifest().scripts.boot}`]);
  expect(html).toContain(`<link rel="modulepreload" href="/assets/${manifest().islands.RegisterForm?.file}"/>`);
  expect(html).toContain('data-island="RegisterForm"');
});

test("no script and no style stands in the page itself, so the policy can refuse them all", async () => {
  const response = await renderPage(house, { title: "Register", body: <RegisterPage /> }, visitor());
  const html = await response.text();
  for (const [tag] of html.matchAll(/<script[^>]*>/g)) expect(tag).toMatch(/src=|type="application\/json"/);
  expect(html).not.toMatch(/<style|\sstyle=|\son\w+=/);
  const policy = response.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain("unsafe");
});

test("text from people stays text: in the page, in attributes, in an island's props", () => {
  const hostile = `x"'</script><script>alert(1)</script><img src=x onerror=alert(1)>`;
  const html = renderHtml(house, { title: hostile, body: <LoginPage values={{ email: hostile }} message={hostile} /> }, { ...visitor(), me: trader });
  expect(html).not.toContain("<script>alert");
  expect(html).not.toContain("<img");
  const [, json = ""] = /data-island="LoginForm".*?<script type="application\/json">(.*?)<\/script>/.exec(html) ?? [];
  expect(JSON.parse(json)).toMatchObject({ values: { email: hostile }, message: hostile });
});

test("a password never comes back", () => {
  const html = renderHtml(house, { title: "Register", body: <RegisterPage values={{ firstName: "Ada", password: "s3cret-pw" }} /> }, visitor());
  expect(html).toContain("Ada");
  expect(html).not.toContain("s3cret-pw");
});

test("signed-in pages are stored by nobody and found by no search engine", async () => {
  const response = await renderPage(house, terms, { ...visitor(), me: trader });
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(await response.text()).toContain('<meta name="robots" content="noindex"/>');
  const open = await renderPage(house, terms, visitor());
  expect(open.headers.get("cache-control")).toBe("no-cache");
  expect(await open.text()).not.toContain("noindex");
});

test("an unknown path says so and leads home", async () => {
  const response = await notFoundPage(house, visitor("/nowhere"));
  const html = await response.text();
  expect(response.status).toBe(404);
  expect(html).toContain("Page Not Found");
  expect(html).toContain("does not exist or has been moved");
  expect(html).toMatch(/<a [^>]*href="\/"[^>]*>Back to Home<\/a>/);
});

test("an error shows its message and its status", async () => {
  const response = await renderPage(house, { kind: "error", status: 503, message: "The service is briefly unavailable. Please try again." }, visitor());
  expect(response.status).toBe(503);
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(await response.text()).toContain("The service is briefly unavailable.");
});

test("the demonstration notice shows until the operator goes live; the licence only then", () => {
  expect(renderHtml(house, terms, visitor())).toContain("Demonstration.");
  const live = renderHtml(houseWith({ SITE_MODE: "live", LICENCE: "Licence 4711" }), terms, visitor());
  expect(live).not.toContain("Demonstration.");
  expect(live).toContain("Licence 4711");
  expect(renderHtml(houseWith({ LICENCE: "Licence 4711" }), terms, visitor())).not.toContain("4711");
});

test("every page carries the risk warning", () => expect(renderHtml(house, terms, visitor())).toContain("Risk warning"));

test("a page made for one person is packed for a browser that takes it", async () => {
  const plain = await renderPage(house, terms, { ...visitor(), me: trader });
  const packed = await renderPage(house, terms, { ...visitor("/", "gzip, br"), me: trader });
  expect(packed.headers.get("content-encoding")).toBe("gzip");
  const bytes = new Uint8Array(await packed.arrayBuffer());
  const html = await plain.text();
  expect(bytes.length).toBeLessThan(html.length / 2);
  expect(new TextDecoder().decode(Bun.gunzipSync(bytes))).toBe(html);
});
