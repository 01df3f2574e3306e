import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { brotliDecompressSync } from "node:zlib";
import AdminGate from "../../../islands/admin/AdminGate";
import ReferralLink from "../../../islands/funding/ReferralLink";
import { island } from "../../../islands/runtime/island";
import { TermsPage } from "../../../views/content/TermsPage";
import { LoginPage } from "../../../views/identity/LoginPage";
import { RegisterPage } from "../../../views/identity/RegisterPage";
import { readConfig } from "../../config";
import { firstBrand } from "./brand";
import type { AppContext, Me } from "../app_context";
import type { RequestContext } from "../http/routes";
import { manifest } from "./assets";
import { type Page, renderPage } from "./page";

const appWith = (env: Record<string, string> = {}) => {
  const config = readConfig(env);
  return { config, brand: firstBrand(config) } as AppContext;
};
const app = appWith();
const visitor = (path = "/", coding = ""): RequestContext => {
  const url = new URL(`http://localhost${path}`);
  return { me: null, url, headers: new Headers(), request: new Request(url, { headers: { "accept-encoding": coding } }) } as RequestContext;
};
const trader = { firstName: `Eve"</script><script>alert(1)</script>`, email: "eve@example.com", role: "user" } as Me;
const htmlOf = async (app: AppContext, page: Page, context: RequestContext) => (await renderPage(app, page, context)).text();
const scripts = (html: string) => [...html.matchAll(/<script src="([^"]+)"/g)].map(([, src]) => src);

const terms: Page = { title: "Terms", body: <TermsPage brand="Halyard" demonstration /> };

const chrome = () => `/assets/${manifest().scripts.chrome}`;

test("a static page loads the frame's script and nothing else", async () => {
  const html = await htmlOf(app, terms, visitor("/terms"));
  expect(scripts(html)).toEqual([chrome()]);
  expect(html).not.toContain("modulepreload");
  expect(html).not.toContain("data-island");
});

test("a page with an island loads the boot script and asks for the island's code", async () => {
  const html = await htmlOf(app, { title: "Gate", body: <AdminGate /> }, visitor("/admin"));
  expect(scripts(html)).toEqual([`/assets/${manifest().scripts.boot}`, chrome()]);
  expect(html).toContain(`<link rel="modulepreload" href="/assets/${manifest().islands.AdminGate?.file}" media="not all"/>`);
  expect(html).toContain('data-island="AdminGate"');
});

test("a style sheet of its own file is named before the page is, and asked for before any script; one in the page is not", async () => {
  const page: Page = { title: "Gate", body: <AdminGate /> };
  const response = await renderPage(app, page, visitor("/admin"));
  const [, sheet] = /<link rel="stylesheet" href="([^"]+)"/.exec(await response.text()) ?? [];
  expect(sheet).toStartWith("/assets/style-");
  expect(response.headers.get("link")).toBe(`<${sheet}>; rel=preload; as=style`);
  expect((await renderPage(app, terms, visitor("/terms"))).headers.get("link")).toBeNull();
});

/** The inline scripts and styles of a page, as the policy would have to name them. */
const hashed = (html: string, tag: "script" | "style") =>
  [...html.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, "gs"))].map(([, text = ""]) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`);
const rule = (response: Response, name: string) =>
  (response.headers.get("content-security-policy") ?? "").split("; ").find((each) => each.startsWith(`${name} `)) ?? "";

test.each([
  ["with islands", { title: "Gate", body: <AdminGate /> } as Page],
  ["kept", { ...terms, keep: { forMs: 1 } } as Page],
])("of what stands in a page %s, the policy names the theme's script and its own rules by hash and allows no other", async (_, page) => {
  const response = await renderPage(app, page, visitor());
  const html = await response.text();
  for (const [tag] of html.matchAll(/<script[^>]*>/g)) expect(tag).toMatch(/^<script>$|src=|type="application\/(ld\+)?json"/);
  expect(html).not.toMatch(/\sstyle=|\son\w+=/);
  expect(rule(response, "script-src")).toBe(`script-src 'self' ${hashed(html, "script").join(" ")}`);
  expect(hashed(html, "script")).toHaveLength(1);
  expect(rule(response, "style-src")).toBe(["style-src 'self'", ...hashed(html, "style")].join(" "));
  expect(response.headers.get("content-security-policy")).not.toContain("unsafe");
  expect(response.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
});

test("text from people stays text: in the page, in attributes, in an island's props", async () => {
  const hostile = `x"'</script><script>alert(1)</script><img src=x onerror=alert(1)>`;
  const html = await htmlOf(app, { title: hostile, body: <LoginPage values={{ email: hostile }} message={hostile} /> }, { ...visitor(), me: trader });
  expect(html).not.toContain("<script>alert");
  expect(html).not.toContain("<img");
  const island = await htmlOf(app, { title: "Profile", body: <ReferralLink link={hostile} /> }, visitor());
  expect(island).not.toContain("<script>alert");
  const [, json = ""] = /data-island="ReferralLink".*?<script type="application\/json">(.*?)<\/script>/.exec(island) ?? [];
  expect(JSON.parse(json)).toEqual({ link: hostile });
});

test("a password never comes back", async () => {
  const html = await htmlOf(app, { title: "Register", body: <RegisterPage values={{ firstName: "Ada", password: "s3cret-pw" }} /> }, visitor());
  expect(html).toContain("Ada");
  expect(html).not.toContain("s3cret-pw");
});

test("signed-in pages are stored by nobody and found by no search engine", async () => {
  const response = await renderPage(app, terms, { ...visitor(), me: trader });
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(await response.text()).toContain('<meta name="robots" content="noindex"/>');
  const open = await renderPage(app, terms, visitor());
  expect(open.headers.get("cache-control")).toBe("no-cache");
  expect(await open.text()).not.toContain("noindex");
});

test("an unknown path says so and leads home", async () => {
  const response = await renderPage(app, { kind: "error", status: 404, message: "Not found." }, visitor("/nowhere"));
  const html = await response.text();
  expect(response.status).toBe(404);
  expect(html).toContain("Page Not Found");
  expect(html).toContain("does not exist or has been moved");
  expect(html).toMatch(/<a [^>]*href="\/"[^>]*>Back to Home<\/a>/);
});

test("an error shows its message and its status", async () => {
  const response = await renderPage(app, { kind: "error", status: 503, message: "The service is briefly unavailable. Please try again." }, visitor());
  expect(response.status).toBe(503);
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(await response.text()).toContain("The service is briefly unavailable.");
});

test("the demonstration notice shows until the operator goes live; the licence only then", async () => {
  expect(await htmlOf(app, terms, visitor())).toContain("Demonstration.");
  const live = await htmlOf(appWith({ SITE_MODE: "live", FEED: "kraken", LICENCE: "Licence 4711" }), terms, visitor());
  expect(live).not.toContain("Demonstration.");
  expect(live).toContain("Licence 4711");
  expect(await htmlOf(appWith({ LICENCE: "Licence 4711" }), terms, visitor())).not.toContain("4711");
});

test("every page carries the risk warning", async () => expect(await htmlOf(app, terms, visitor())).toContain("Risk warning"));

test("a page made for one person is packed for a browser that takes it", async () => {
  const plain = await renderPage(app, terms, { ...visitor(), me: trader });
  const html = await plain.text();
  const ways = {
    "gzip, deflate": ["gzip", Bun.gunzipSync],
    "gzip, br": ["gzip", Bun.gunzipSync],
    "gzip, deflate, br, zstd": ["zstd", Bun.zstdDecompressSync],
  } as const;
  for (const [accepted, [coding, unpack]] of Object.entries(ways)) {
    const packed = await renderPage(app, terms, { ...visitor("/", accepted), me: trader });
    expect(packed.headers.get("content-encoding")).toBe(coding);
    const bytes = new Uint8Array(await packed.arrayBuffer());
    expect(bytes.length).toBeLessThan(html.length / 2);
    expect(new TextDecoder().decode(unpack(bytes))).toBe(html);
  }
  const words = Array.from({ length: 20_000 }, (_, n) => n.toString(36)).join(" ");
  const large = await renderPage(app, { title: "Large", body: <p>{words}</p> }, { ...visitor("/", "gzip, br"), me: trader });
  expect(large.headers.get("content-encoding")).toBe("br");
  expect(brotliDecompressSync(new Uint8Array(await large.arrayBuffer())).toString()).toContain(words);
});

test("an island that looks at its props alone is drawn once for all who have the same", async () => {
  let drawings = 0;
  const Probe = island(
    "Standing",
    ({ words }: { words: string }) => {
      drawings++;
      return <b>{words}</b>;
    },
    { shared: true },
  );
  const shown = async (words: string, me: Me) =>
    (await renderPage(app, { title: "Probe", body: <Probe words={words} /> }, { ...visitor("/", "identity"), me })).text();
  const own = crypto.randomUUID();
  for (const me of [trader, { ...trader, id: crypto.randomUUID(), email: "eve@t.test" }]) expect(await shown(own, me)).toContain(`<b>${own}</b>`);
  expect(drawings).toBe(1);
  expect(await shown("of others", trader)).toContain("<b>of others</b>");
  // What was drawn long ago is forgotten before it fills the memory, and drawn anew.
  for (let n = 0; n < 5; n++) await shown(String(n).repeat(1_000_000), trader);
  expect(drawings).toBe(7);
  expect(await shown(own, trader)).toContain(`<b>${own}</b>`);
  expect(drawings).toBe(8);
});

test("the frame is drawn once for all who are signed in, and each gets a page of her own, as React would draw it whole", async () => {
  const at = (me: Me | null, path = "/dashboard"): RequestContext => ({ ...visitor(path), me });
  const page = (title: string): Page => ({ title, body: <p>{`${title} $& \u0001email\u0001`}</p> });
  const eve = { ...trader, id: "00000000-0000-4000-8000-000000000001" } as Me;
  const ann = { firstName: "", email: `a'&"<b>@example.com`, role: "user", id: "00000000-0000-4000-8000-000000000002" } as Me;
  const [first, second, third] = [
    await htmlOf(app, page("A & <b>"), at(eve)),
    await htmlOf(app, page("$1"), at(ann)),
    await htmlOf(app, page("A & <b>"), at(eve)),
  ];
  expect(third).toBe(first);
  for (const [html, me, title] of [
    [first, eve, "A & <b>"],
    [second, ann, "$1"],
  ] as const) {
    expect(html).toContain(`<title>${Bun.escapeHTML(title)} · Halyard</title>`);
    expect(html).toContain(`data-person="${me.id}"`);
    expect(html).toContain(`${Bun.escapeHTML(me.email)}</p>`);
    expect(html).toContain(`Welcome, ${me.firstName ? Bun.escapeHTML(me.firstName) : "Trader"}</p>`);
    expect(html).toContain(`<p>${Bun.escapeHTML(title)} $&amp; \u0001email\u0001</p>`);
    expect(html.match(/<main/g)).toHaveLength(1);
  }
  expect(second).not.toContain("eve@example.com");
  expect(first).not.toContain(ann.id);
  // What stands in the frame is the reader's: the page of the address is marked in it, and staff have their link.
  expect(await htmlOf(app, page("A"), at(eve, "/accounts"))).toMatch(/href="\/accounts" aria-current="page"/);
  expect(await htmlOf(app, page("A"), at({ ...eve, role: "admin", permissions: [] } as unknown as Me))).toContain("Control Panel");
  expect(first).not.toContain("Control Panel");
});
