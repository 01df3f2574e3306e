import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Route } from "../../platform/http/routes";
import { testApp } from "../app";
import { rawExchange } from "../raw_http";

/** What every answer of a site on https carries, over a real connection that is itself plain: a proxy's, or one past it. */

const app = await testApp({ PUBLIC_URL: "https://trade.example" });
app.router.listen({ port: 0, hostname: "127.0.0.1", reusePort: false, idleTimeout: 30 });
const port = app.router.server?.port ?? 0;
const base = `http://127.0.0.1:${port}`;
afterAll(async () => {
  void app.router.server?.stop(true);
  await app.end();
});

let cookies: string[];
beforeAll(async () => {
  const [trader, admin] = await Promise.all([app.trader(), app.admin()]);
  await app.quote("EUR/USD", "1.10000", "1.10002");
  cookies = ["", trader.cookie, admin.cookie];
});

const EVERYWHERE = {
  "x-content-type-options": /^nosniff$/,
  "referrer-policy": /^strict-origin-when-cross-origin$/,
  "content-security-policy": /frame-ancestors 'none'|sandbox/,
  "x-frame-options": /^DENY$/,
  "cross-origin-resource-policy": /^(same|cross)-origin$/,
  "strict-transport-security": /^max-age=31536000$/,
  "cache-control": /./,
};
function expectDressed(name: string, headers: Headers) {
  for (const [header, value] of Object.entries(EVERYWHERE))
    expect([name, header, headers.get(header) ?? ""]).toEqual([name, header, expect.stringMatching(value)]);
  for (const cookie of headers.getSetCookie())
    expect([name, cookie]).toEqual([name, expect.stringMatching(/^__Host-sid=[^;]*; Path=\/; HttpOnly; SameSite=Lax; .*Secure$/)]);
}

const nowhere = "01890000-0000-7000-8000-000000000000";
const pathOf = ({ path }: Pick<Route, "path">) => path.replace(/:name/, "nothing.js").replace(/:\w+/g, nowhere);
const endsSession = ({ path }: Route) => /(logout|sign-out)$/.test(path);

async function ask(method: string, path: string, cookie: string, more: Record<string, string> = {}) {
  const type = path.startsWith("/api/") ? "application/json" : "application/x-www-form-urlencoded";
  const sends = method !== "GET" && method !== "HEAD";
  const headers = { ...(sends ? { "Content-Type": type } : {}), ...(cookie ? { Cookie: cookie } : {}), ...more };
  const response = await fetch(base + path, { method, headers, redirect: "manual", ...(sends ? { body: type.endsWith("json") ? "{}" : "nothing=1" } : {}) });
  await response.body?.cancel();
  return response;
}

const routes = app.list.map((route) => [`${route.method} ${route.path}`, route] as const);

describe("every answer of", () => {
  test.each(routes)("%s", async (name, route) => {
    for (const cookie of endsSession(route) ? ["", (await app.trader()).cookie] : cookies) {
      const answer = await ask(route.method, pathOf(route), cookie);
      expect(answer.status).toBeLessThan(500);
      expectDressed(name, answer.headers);
      if (endsSession(route)) expect(answer.headers.get("clear-site-data")).toBe('"cache", "storage"');
    }
    // What another site sends is refused, and a kept page is answered from what was kept.
    expectDressed(name, (await ask(route.method, pathOf(route), "", { "Sec-Fetch-Site": "cross-site" })).headers);
  });
});

test("so are those where there is no route, no such method, nothing changed, and no one host", async () => {
  expectDressed("404", (await ask("GET", "/api/nothing", "")).headers);
  expectDressed("404 page", (await ask("GET", "/nothing", "")).headers);
  expectDressed("405", (await ask("DELETE", "/api/auth/login", "")).headers);
  const first = await ask("GET", "/terms", "");
  const again = await ask("GET", "/terms", "", { "If-None-Match": first.headers.get("etag") ?? "" });
  expect(again.status).toBe(304);
  expectDressed("304", again.headers);
  const { status, text } = await rawExchange(port, "GET /nothing HTTP/1.1\r\nHost: a.test, b.test\r\n\r\n");
  expect(status).toBe(400);
  for (const header of Object.keys(EVERYWHERE)) expect(text.toLowerCase()).toContain(`\r\n${header}: `);
});

test("a command from a page at another address than the site's own is refused, though the browser knows of no other site", async () => {
  const from = (origin: string) => ask("POST", "/api/auth/logout", "", { "Sec-Fetch-Site": "same-origin", Origin: origin });
  expect((await from(base)).status).toBe(403);
  expect((await from("https://trade.example")).status).toBe(204);
});

test("where a trusted proxy alone knows of https, its visitors are asked to stay on it, and others are not", async () => {
  const proxied = await testApp({ TRUSTED_PROXY: "127.0.0.1" });
  proxied.router.listen({ port: 0, hostname: "127.0.0.1", reusePort: false });
  const asked = async (path: string, headers: Record<string, string>) => {
    const answer = await fetch(`http://127.0.0.1:${proxied.router.server?.port}${path}`, { headers, redirect: "manual" });
    await answer.body?.cancel();
    return answer.headers.get("strict-transport-security");
  };
  // A page that is kept is asked for twice: drawn, then as it lies ready.
  for (const path of ["/terms", "/terms", "/terms/", "/api/promotions", "/robots.txt", "/nothing"]) {
    expect([path, await asked(path, { "X-Forwarded-Proto": "https" })]).toEqual([path, "max-age=31536000"]);
    expect([path, await asked(path, {})]).toEqual([path, null]);
  }
  void proxied.router.server?.stop(true);
  await proxied.end();
});

describe("each page has one address", () => {
  const pages = app.list.filter(({ kind, path }) => kind === "page" && path !== "/");
  test.each(pages.map((page) => [page.path, page] as const))("%s", async (_, page) => {
    const path = pathOf(page);
    const answer = await ask("GET", `${path}/?returnTo=%2Fterms&a=1`, cookies[1] ?? "");
    expect([answer.status, answer.headers.get("location")]).toEqual([308, `${path}?returnTo=%2Fterms&a=1`]);
    expectDressed(path, answer.headers);
  });

  test("so what one visitor asked first is no other's canonical address", async () => {
    const fresh = await testApp({ PUBLIC_URL: "https://trade.example" });
    await fresh.stranger().get("/terms/");
    const { text } = await fresh.stranger().get("/terms");
    await fresh.end();
    expect(text).toContain('<link rel="canonical" href="https://trade.example/terms"/>');
    expect(text).not.toContain("/terms/");
  });
});
