import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { ADMIN, eventually, holdClock, openSite, register, type Site } from "../browser";

/** The installable app and what every page's frame does, in a real browser. */

let site: Site;
beforeAll(async () => {
  site = await openSite({}, "whole");
});
afterAll(async () => {
  const { faults } = site;
  await site.close();
  // An island's bundle is taken away on purpose below.
  expect(faults.filter((fault) => !/could not be loaded|net::ERR_FAILED|Failed to fetch/.test(fault))).toEqual([]);
});

/** Waits until the worker answers for this page. A browser that lost its page among others while the worker came has it at the next one. */
const controlled = (page: Page) =>
  eventually(async () => {
    const answers = () => navigator.serviceWorker.controller !== null;
    await page.waitForFunction(answers, undefined, { timeout: 20_000 }).catch(() => page.reload());
    expect(await page.evaluate(answers)).toBe(true);
  });

/** Everything that the caches hold: addresses, and the text of each. */
const cached = (page: Page) =>
  page.evaluate(async () => {
    const held: { path: string; text: string }[] = [];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys())
        held.push({ path: new URL(request.url).pathname, text: await ((await cache.match(request)) as Response).text() });
    }
    return held;
  });

test("after A signed out, B finds nothing of A: offline there is a page that says so, and the caches hold no page of a person", async () => {
  const page = await site.visit();
  const email = await register(page, "Adelheid");
  await controlled(page);
  for (const path of ["/dashboard", "/profile", "/traders-portal", "/terms"]) await page.goto(path);
  await page.evaluate(() => localStorage.setItem("kept", "Adelheid's draft"));
  await page.goto("/api/auth/logout");
  expect(await page.evaluate(() => localStorage.getItem("kept"))).toBeNull();
  // Signing out clears the worker and its caches away; the next page brings them back, for anyone.
  await controlled(page);
  await eventually(async () => expect((await cached(page)).map(({ path }) => path)).toContain("/offline"));
  const held = await cached(page);
  expect(held.map(({ path }) => path).filter((path) => path !== "/offline" && !path.startsWith("/assets/"))).toEqual([]);
  for (const { text, path } of held) for (const secret of [email, "Adelheid"]) expect(text.includes(secret), path).toBe(false);

  await page.context().setOffline(true);
  for (const path of ["/dashboard", "/profile", "/traders-portal", "/"]) {
    await page.goto(path);
    await page.getByRole("heading", { name: "You are offline" }).waitFor();
    const text = await page.content();
    for (const secret of [email, "Adelheid", "10,000"]) expect(text).not.toContain(secret);
  }
  expect(
    await page.evaluate(() =>
      fetch("/api/auth/user").then(
        () => "answered",
        () => "unreachable",
      ),
    ),
  ).toBe("unreachable");
  await page.context().setOffline(false);
  await page.getByRole("link", { name: "Try again" }).click();
  await page.getByRole("link", { name: "Register Now" }).first().waitFor();
  await page.context().close();
});

/** The browser's offer to install, as it makes it where it wants to. */
const offer = (page: Page, outcome: "accepted" | "dismissed" = "accepted") =>
  page.evaluate((said) => {
    const prompt = () => Promise.resolve({ outcome: said });
    dispatchEvent(Object.assign(new Event("beforeinstallprompt", { cancelable: true }), { prompt }));
  }, outcome);
const card = (page: Page) => page.getByRole("region", { name: /^Install/ });

test("three seconds after the page the app offers itself, once; where the browser does not, it stays away", async () => {
  const page = await site.visit();
  await holdClock(page);
  await page.goto("/terms");
  await page.clock.runFor(10_000);
  expect(await card(page).count()).toBe(0);
  await page.goto("/terms");
  await offer(page);
  await page.clock.runFor(2900);
  expect(await card(page).count()).toBe(0);
  await page.clock.runFor(200);
  await card(page).waitFor();
  expect(await card(page).innerText()).toContain("nothing of yours is kept on the device");
  const box = await card(page).boundingBox();
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  expect(box && { right: width - box.x - box.width, bottom: height - box.y - box.height }).toEqual({ right: 16, bottom: 16 });
  await card(page).getByRole("button", { name: "Not now" }).click();
  expect(await card(page).count()).toBe(0);

  await page.goto("/privacy");
  await offer(page);
  await page.clock.runFor(10_000);
  expect(await card(page).count()).toBe(0);
  await page.context().close();
});

test("administrators are told what the app is for; installing takes the card away; on a phone that has no offer it says how", async () => {
  const staff = await site.visit();
  await staff.request.post("/api/auth/login", { data: ADMIN, headers: { origin: site.base } });
  await holdClock(staff);
  await staff.goto("/admin");
  await offer(staff);
  await staff.clock.runFor(3100);
  await card(staff).waitFor();
  for (const text of ["Admin controls", "Trade manipulation controls", "Visitor tracking", "Deposit and withdrawal alerts"])
    expect(await card(staff).innerText()).toContain(text);
  await card(staff).getByRole("button", { name: "Install" }).click();
  await card(staff).waitFor({ state: "detached" });
  await staff.context().close();

  for (const standalone of [false, true]) {
    const phone = await site.visit();
    await phone.addInitScript((value) => Object.defineProperty(navigator, "standalone", { value }), standalone);
    await holdClock(phone);
    await phone.goto("/");
    await phone.clock.runFor(3100);
    if (standalone) expect(await card(phone).count()).toBe(0);
    else await card(phone).getByText("Add to Home Screen").waitFor();
    await phone.context().close();
  }
});

test("a push shows what it says and leads nowhere but to this site", async () => {
  const page = await site.visit();
  await page.context().grantPermissions(["notifications"], { origin: site.base });
  await page.goto("/terms");
  await controlled(page);
  const devtools = await page.context().newCDPSession(page);
  const registered = new Promise<string>((found) =>
    devtools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => registrations[0] && found(registrations[0].registrationId)),
  );
  await devtools.send("ServiceWorker.enable");
  const registrationId = await registered;
  const read = () =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      const wait = () => new Promise((go) => setTimeout(go, 100));
      let notices: Notification[] = [];
      for (let looks = 0; notices.length === 0; looks++) {
        if (looks === 50) return null;
        await wait();
        notices = await registration.getNotifications();
      }
      const [{ title, body, data }] = notices as [Notification];
      while (notices.length > 0) {
        for (const notice of notices) notice.close();
        await wait();
        notices = await registration.getNotifications();
      }
      return { title, body, url: (data as { url: string }).url.replace(location.origin, "") };
    });
  // Chromium forgets a notice that is asked for in the moment between its noting and its showing: then the push comes once more.
  const shown = async (data: string) => {
    for (;;) {
      await devtools.send("ServiceWorker.deliverPushMessage", { origin: site.base, registrationId, data });
      const notice = await read();
      if (notice) return notice;
    }
  };
  expect(await shown(JSON.stringify({ title: "Deposit approved", body: "$500.00", url: "/dashboard?tab=requests" }))).toEqual({
    title: "Deposit approved",
    body: "$500.00",
    url: "/dashboard?tab=requests",
  });
  expect(await shown(JSON.stringify({ title: "x".repeat(500), url: "https://evil.example/" }))).toEqual({ title: "x".repeat(100), body: "", url: "/" });
  expect(await shown("{ not json")).toEqual({ title: "News from your account", body: "", url: "/" });
  await page.context().close();
});

const ISLANDS = /\/assets\/[A-Z]\w+\.entry-\w+\.js$/;

test("when a deployment took an island's bundle away, the page reloads once and no more", async () => {
  const page = await site.visit({ serviceWorkers: "block" });
  await page.request.post("/api/auth/login", { data: ADMIN, headers: { origin: site.base } });
  let loads = 0;
  page.on("request", (request) => request.isNavigationRequest() && loads++);
  let asked = 0;
  await page.route(ISLANDS, (route) => {
    asked++;
    return route.fulfill({ status: 404, body: "" });
  });
  await page.goto("/dashboard", { waitUntil: "commit" });
  await page.waitForFunction(() => sessionStorage.getItem("reloaded") && performance.getEntriesByType("navigation")[0]?.toJSON().type === "reload");
  await page.waitForLoadState("networkidle");
  expect(loads).toBe(2);
  expect(asked).toBeGreaterThan(1);
  await page.unroute(ISLANDS);
  await page.context().close();
});

test("a visitor's pages ask nobody but this site, and carry every rule that they use", async () => {
  const page = await site.visit({ serviceWorkers: "block" });
  const strangers: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(site.base) && !request.url().startsWith("data:")) strangers.push(request.url());
  });
  // A page that stands still: prices that come meanwhile would change what is compared.
  await page.route("**/api/market/stream*", (route) => route.abort());
  const sitemap = await (await page.request.get("/sitemap.xml")).text();
  const paths = [...sitemap.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, at]) => new URL(at as string).pathname);
  // Any page that wakes islands names the whole sheet.
  const sheet = /<link rel="stylesheet" href="([^"]+)"/.exec(await (await page.request.get("/deposit")).text())?.[1];
  expect(sheet).toBeDefined();
  const own: string[] = [];
  for (const path of paths) {
    await page.goto(path);
    if (await page.locator('link[rel="stylesheet"]').count()) continue;
    own.push(path);
    await page.waitForFunction(() => !document.querySelector(".far"));
    const differing = await page.evaluate(async (href) => {
      /** What a price that moves would change is left out. */
      const names = [...getComputedStyle(document.body)].filter((name) => !/^--|animation|width|inline-size|block-size|height|origin|perspective/.test(name));
      // Of elements that no rule tells apart, as the rows of a list, one is looked at.
      const kindOf = ({ tagName, attributes, parentElement, previousElementSibling, nextElementSibling }: Element) =>
        [tagName, parentElement?.className, !previousElementSibling, !nextElementSibling, ...[...attributes].map(({ name, value }) => name + value)].join();
      const elements = new Map([...document.querySelectorAll("body, body *")].map((element) => [kindOf(element), element])).values().toArray();
      const looks = () =>
        elements.map((element) => {
          const style = getComputedStyle(element);
          return names.map((name) => style.getPropertyValue(name)).join(";");
        });
      const before = looks();
      const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
      await new Promise((go) => {
        link.addEventListener("load", go);
        document.head.append(link);
      });
      const after = looks();
      return before.filter((each, index) => each !== after[index]).length;
    }, sheet as string);
    expect({ path, differing }).toEqual({ path, differing: 0 });
  }
  expect(own).toContain("/");
  expect(own).toContain("/terms");
  expect(strangers).toEqual([]);
  await page.context().close();
});

test("a chosen theme is there before the page's body, in every tab; 'system' follows the device", async () => {
  const page = await site.visit({ colorScheme: "light" });
  await page.context().addInitScript(() => {
    const watcher = new MutationObserver(() => {
      if (!document.body) return;
      watcher.disconnect();
      (window as { themeAtBody?: string | undefined }).themeAtBody = document.documentElement.dataset.theme;
    });
    watcher.observe(document, { childList: true, subtree: true });
  });
  const ground = (of: Page, colour: string) => of.waitForFunction((wanted) => getComputedStyle(document.documentElement).backgroundColor === wanted, colour);
  const [LIGHT, DARK] = ["rgb(251, 250, 247)", "rgb(10, 20, 32)"] as const;
  await page.goto("/terms");
  await ground(page, LIGHT);
  await page.getByRole("button", { name: "Theme: system. Change theme" }).click();
  await page.getByRole("button", { name: "Theme: light. Change theme" }).click();
  await page.getByRole("button", { name: "Theme: dark. Change theme" }).waitFor();
  await ground(page, DARK);
  expect(await page.evaluate(() => localStorage.getItem("theme"))).toBe("dark");

  const other = await page.context().newPage();
  await other.goto("/privacy");
  expect(await other.evaluate(() => (window as { themeAtBody?: string }).themeAtBody)).toBe("dark");
  await other.getByRole("button", { name: "Theme: dark. Change theme" }).click();
  await page.getByRole("button", { name: "Theme: system. Change theme" }).waitFor();
  await page.bringToFront();
  await ground(page, LIGHT);
  await page.emulateMedia({ colorScheme: "dark" });
  await ground(page, DARK);
  await page.context().close();
});
