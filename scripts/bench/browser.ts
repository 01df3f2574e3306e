/** Pages in a real Chromium, its engine alone where that is installed, on a slowed phone: the processor at a sixth, a line of 1.6 Mbit/s that takes 150 ms for each request. */
import type { Browser, Page } from "playwright-core";
import { launchChromium } from "../../src/testing/browser";
import { THREE_INDICATORS } from "../../src/testing/chart_layout";

const SLOWER = 6;
const LINE = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };
const PHONE = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };
/** What still moves or loads so long after the page is there counts too. */
const SETTLE_MS = 1500;
const LONG_TASK_MS = 50;

/** Milliseconds since the navigation, and bytes as they travelled, heads of answers included. */
export type PageSpeed = { path: string; fcp: number; lcp: number; blocking: number; shift: number; bytes: Record<string, number> };
export type ScreenSpeed = PageSpeed & {
  /** When a press of a price tile first had its effect; null on a page without one. */
  answers: number | null;
  /** Scripts, and their bytes, until then; on a page without tiles in its first six seconds. */
  first: Scripts;
  /** The same with what came later: the chart, which is drawn last. */
  all: Scripts;
  /** The slowest of the presses and keys while prices tick, to the next picture. */
  slowestInteraction: number;
  /** Tasks of over 50 ms while prices tick and nobody touches the page, and the longest of them. */
  longTasks: number;
  longestTask: number;
  /** Of the same by its processor time, at full speed and then times six: what else runs on the machine does not lengthen it. */
  longestOwn: number;
};

type Scripts = { count: number; bytes: number };
/** A program that is measured, with the cookie of a trader of its own. */
export type Site = { origin: string; cookie: string };

type Kept = { lcp: number; shift: number; tasks: { at: number; ms: number }[]; interactions: number[]; answered: number | null };
declare global {
  var bench: Kept;
}

/** Runs in the page before anything of its own. */
function watch() {
  const kept: Kept = { lcp: 0, shift: 0, tasks: [], interactions: [], answered: null };
  globalThis.bench = kept;
  const on = <T extends PerformanceEntry>(type: string, keep: (entry: T) => void, options: object = {}) =>
    new PerformanceObserver((list) => (list.getEntries() as T[]).forEach(keep)).observe({ type, buffered: true, ...options });
  on("largest-contentful-paint", ({ startTime }) => (kept.lcp = startTime));
  on<PerformanceEntry & { value: number; hadRecentInput: boolean }>("layout-shift", ({ value, hadRecentInput }) => {
    if (!hadRecentInput) kept.shift += value;
  });
  on("longtask", ({ startTime, duration }) => kept.tasks.push({ at: startTime, ms: duration }));
  on<PerformanceEntry & { interactionId: number }>(
    "event",
    ({ interactionId, duration }) => {
      if (interactionId) kept.interactions.push(duration);
    },
    { durationThreshold: 16 },
  );
}

/** Presses the SELL tile over and over until it answers. Runs in the page. */
function pressUntilAnswered() {
  const timer = setInterval(() => {
    const tile = document.querySelector('button[aria-pressed] [data-price="sell"]')?.closest("button");
    if (tile?.getAttribute("aria-pressed") === "true") {
      globalThis.bench.answered = performance.now();
      clearInterval(timer);
      // To ask the page for it again and again would keep it from it.
      console.info("answered");
    } else tile?.click();
  }, 25);
}

type Phone = { page: Page; bytes: Record<string, number>; scripts: () => Scripts; slow: (times: number) => Promise<unknown> };
/** A new phone: nothing cached, and the cookie of whoever holds it. */
async function phone(browser: Browser, origin: string, cookie: string): Promise<Phone> {
  const context = await browser.newContext({ ...PHONE, serviceWorkers: "block" });
  const [name = "", value = ""] = cookie.split("=");
  if (cookie) await context.addCookies([{ name, value, url: origin }]);
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send("Network.enable");
  await devtools.send("Network.emulateNetworkConditions", LINE);
  const slow = (rate: number) => devtools.send("Emulation.setCPUThrottlingRate", { rate });
  await slow(SLOWER);
  const kinds = new Map<string, string>();
  const bytes: Record<string, number> = {};
  let count = 0;
  devtools.on("Network.responseReceived", ({ requestId, type }) => kinds.set(requestId, type));
  devtools.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId) ?? "Other";
    bytes[kind] = (bytes[kind] ?? 0) + encodedDataLength;
    if (kind === "Script") count += 1;
  });
  await page.addInitScript(watch);
  return { page, bytes, scripts: () => ({ count, bytes: bytes.Script ?? 0 }), slow };
}

async function figures(page: Page, path: string, bytes: Record<string, number>): Promise<PageSpeed> {
  const seen = await page.evaluate((long) => {
    const fcp = performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0;
    const { lcp, shift, tasks } = globalThis.bench;
    const blocking = tasks.filter(({ at }) => at >= fcp).reduce((sum, { ms }) => sum + ms - long, 0);
    return { fcp, lcp, shift, blocking };
  }, LONG_TASK_MS);
  return { path, ...seen, bytes: { ...bytes } };
}

async function loadOnce(browser: Browser, origin: string, path: string): Promise<PageSpeed> {
  const { page, bytes } = await phone(browser, origin, "");
  try {
    await page.goto(origin + path, { waitUntil: "load" });
    await page.waitForTimeout(SETTLE_MS);
    return await figures(page, path, bytes);
  } finally {
    await page.context().close();
  }
}

/** Loads a screen of the signed-in, then lets prices tick, first untouched and then with presses and keys. */
async function openOnce(browser: Browser, origin: string, path: string, cookie: string, tickSeconds: number): Promise<ScreenSpeed> {
  const { page, bytes, scripts, slow } = await phone(browser, origin, cookie);
  try {
    const began = performance.now();
    const tiled = path === "/traders-portal";
    const answer = tiled ? page.waitForEvent("console", (message) => message.text() === "answered") : null;
    if (tiled) await page.addInitScript(pressUntilAnswered);
    await page.goto(origin + path, { waitUntil: "load" });
    if (answer) await answer;
    else await page.waitForTimeout(Math.max(0, FIRST_MS - (performance.now() - began)));
    const first = scripts();
    if (tiled) {
      // The chart comes last, and belongs to the loading.
      await page.locator("canvas").first().waitFor();
    }
    await page.waitForTimeout(SETTLE_MS);
    const loaded = await figures(page, path, bytes);
    const all = scripts();
    const { answered } = await page.evaluate(() => globalThis.bench);
    if (tiled) await turnIndicatorsOn(page, origin, true);
    const from = await page.evaluate(() => performance.now());
    await page.waitForTimeout(tickSeconds * 1000);
    const tasks = await page.evaluate((since) => globalThis.bench.tasks.filter(({ at }) => at >= since).map(({ ms }) => ms), from);
    await slow(1);
    const longestOwn = SLOWER * (await longestByProcessor(browser, page, tickSeconds));
    await slow(SLOWER);
    await touch(page, tiled);
    const { interactions } = await page.evaluate(() => globalThis.bench);
    if (tiled) await turnIndicatorsOn(page, origin, false);
    return {
      ...loaded,
      first,
      all,
      answers: answered,
      slowestInteraction: Math.max(0, ...interactions),
      longTasks: tasks.length,
      longestTask: Math.max(0, ...tasks),
      longestOwn,
    };
  } finally {
    await page.context().close();
  }
}

type Traced = { name: string; pid: number; tid: number; tdur?: number; args?: { name?: string } };
/** What the longest task of the page's own thread takes of the processor, in ms. */
async function longestByProcessor(browser: Browser, page: Page, seconds: number): Promise<number> {
  await browser.startTracing(page, { categories: ["toplevel"] });
  await page.waitForTimeout(seconds * 1000);
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: Traced[] };
  const mains = new Set(
    traceEvents.filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain").map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const tasks = traceEvents.filter(({ name, pid, tid }) => name.endsWith("RunTask") && mains.has(`${pid} ${tid}`));
  return Math.max(0, ...tasks.map(({ tdur }) => (tdur ?? 0) / 1000));
}

/** Three indicators, as a layout that opens with the page; an earlier version has none. */
async function turnIndicatorsOn(page: Page, origin: string, on: boolean) {
  const address = `${origin}/api/chart-layouts/Bench`;
  const headers = { origin };
  const answer = on ? await page.request.put(address, { data: THREE_INDICATORS, headers }) : await page.request.delete(address, { headers });
  if (!on || !answer.ok()) return;
  await page.reload({ waitUntil: "load" });
  await page.getByText("MACD", { exact: false }).first().waitFor({ state: "attached" });
  await page.waitForTimeout(SETTLE_MS);
}

/** So long a page may load what nobody asked for. */
const FIRST_MS = 6000;
const TOUCHES = 10;
async function touch(page: Page, tiled: boolean) {
  // A phone writes its order in a sheet; earlier versions have it in the page.
  if (tiled && (await page.locator(".desk-bar").count()) > 0) await page.locator(".desk-bar button").first().tap();
  for (let n = 0; n < TOUCHES; n++) {
    if (tiled) {
      await page
        .locator(`button[aria-pressed]:has([data-price="${n % 2 ? "buy" : "sell"}"]):visible`)
        .first()
        .tap();
      await page.locator("#order-amount").first().focus();
      await page.keyboard.type("1");
    } else await page.locator("main").tap({ position: { x: 5, y: 5 } });
    await page.waitForTimeout(100);
  }
}

/** Every page that the sitemap names, once; the landing page and an empty page beside it `runs` times, in turn: their medians. */
export async function benchVisitorPages(origin: string, runs: number): Promise<{ empty: PageSpeed; pages: PageSpeed[] }> {
  const sitemap = await (await fetch(`${origin}/sitemap.xml`)).text();
  const paths = [...sitemap.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, at = ""]) => new URL(at).pathname);
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response(EMPTY, { headers: { "Content-Type": "text/html" } }) });
  const browser = await launchChromium("engine");
  try {
    const nothing: PageSpeed[] = [];
    const all = new Map<string, PageSpeed[]>(paths.map((path) => [path, []]));
    for (let run = 0; run < runs; run++) {
      nothing.push(await loadOnce(browser, `http://127.0.0.1:${server.port}`, "/"));
      for (const path of run === 0 ? paths : ["/"]) all.get(path)?.push(await loadOnce(browser, origin, path));
    }
    return { empty: middle(nothing), pages: [...all.values()].map(middle) };
  } finally {
    await browser.close();
    await server.stop(true);
  }
}
const EMPTY = `<!doctype html><html lang="en"><title>Empty</title><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"><p>Empty</p></html>`;

/** The trader's screens while prices tick, of each site in turn; one list for each site. */
export async function benchTradingScreens(sites: Site[], runs: number, tickSeconds: number): Promise<ScreenSpeed[][]> {
  const browser = await launchChromium("engine");
  try {
    const screens: ScreenSpeed[][] = sites.map(() => []);
    for (const path of ["/dashboard", "/traders-portal"]) {
      const all: ScreenSpeed[][] = sites.map(() => []);
      for (let run = 0; run < runs; run++)
        for (const [at, { origin, cookie }] of sites.entries()) all[at]?.push(await openOnce(browser, origin, path, cookie, tickSeconds));
      for (const [at, one] of all.entries()) screens[at]?.push(middle(one));
    }
    return screens;
  } finally {
    await browser.close();
  }
}

/** The run whose largest paint is in the middle. */
const middle = <T extends PageSpeed>(runs: T[]): T => runs.toSorted((a, b) => a.lcp - b.lcp)[Math.floor(runs.length / 2)] as T;

// Run alone, it measures a server that is already there.
if (import.meta.main) {
  const [origin = "http://localhost:3000", cookie = ""] = process.argv.slice(2);
  console.log(JSON.stringify(await benchVisitorPages(origin, 1), null, 1));
  if (cookie) console.log(JSON.stringify(await benchTradingScreens([{ origin, cookie }], 1, 5), null, 1));
}
