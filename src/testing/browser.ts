import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Locator, type Page } from "playwright-core";
import type { Person, TestApp } from "./app";
import { pricedDatabase } from "./database";
import { buildProgram, launch } from "./program";
import { withPatientDeals } from "./scenarios";

const CHROMIUM = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
/** The same engine without the desktop around it, for two thirds of the work; it shows no notifications. */
const SHELL = "/usr/bin/chromium-headless-shell";
const QUIET =
  "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync".split(" ");
/** A busy machine is no failure: a step waits this long before it is one. */
const PATIENCE = 180_000;

/** To find what a test leaves to chance: pages and their line stand still again and again, each time for up to so many ms. Unset, they never do. */
const STALLS_MS = Number(process.env.SLOW_PAGES ?? 0);
/** In between, in ms: so short that each step of a test is cut in pieces. */
const RUNS_MS = 100;

/** A real Chromium, Debian's or `CHROMIUM`'s; its engine alone where that is enough. */
export async function launchChromium(need: "whole" | "engine" = "whole"): Promise<Browser> {
  const first = need === "engine" && !process.env.CHROMIUM ? [SHELL] : [];
  const executablePath = [...first, ...CHROMIUM].find((path) => path && existsSync(path));
  if (!executablePath) throw new Error("no Chromium: set CHROMIUM to its path");
  const browser = await chromium.launch({ executablePath, args: QUIET });
  if (STALLS_MS > 0) void stall(browser);
  return browser;
}

export const ADMIN = { email: "admin@halyard.test", password: "correct horse battery" };

/**
 * The built program on a database of its own and a real Chromium to visit it with. What goes wrong in any page (an
 * uncaught error, a refused script, a failed request of our own) is gathered in `faults`.
 */
export async function openSite(env: Record<string, string> = {}, need?: "whole") {
  buildProgram();
  const db = await pricedDatabase();
  await withPatientDeals(db.sql);
  const home = mkdtempSync(join(tmpdir(), "halyard-site-"));
  const own = { ...db.env, PORT: "0", HOST: "127.0.0.1", ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password };
  const program = launch(home, { ...own, ...env });
  const [listening, started] = await Promise.all([program.logged("listening"), launchChromium(need ?? "engine")]);
  const base = listening.url as string;
  const browser = visiting(started, base);
  return {
    base,
    ...browser,
    async close() {
      await browser.close();
      program.signal("SIGTERM");
      await program.ended;
      await db.drop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
export type Site = Awaited<ReturnType<typeof openSite>>;

/** A real Chromium for a server that runs in the test itself, at `base`. */
export const openBrowser = async (base: string) => visiting(await launchChromium("engine"), base);

/** The app of a test, listening, with a browser before it. */
export async function browserOf({ router }: TestApp) {
  router.listen({ port: 0, hostname: "127.0.0.1", reusePort: false });
  const base = `http://127.0.0.1:${router.server?.port}`;
  const browser = await openBrowser(base);
  return {
    ...browser,
    /** A page in a browser of its own in which this person is signed in; on a wide screen unless said otherwise. */
    async visitAs(person: Person, options: BrowserContextOptions = {}): Promise<Page> {
      const page = await browser.visit({ viewport: { width: 1440, height: 900 }, bypassCSP: true, ...options });
      const [name = "", value = ""] = person.cookie.split("=");
      await page.context().addCookies([{ name, value, url: options.baseURL ?? base }]);
      return page;
    },
    /** Closes both, and answers what went wrong on the pages. */
    async close(): Promise<string[]> {
      const faults = [...browser.faults];
      await browser.close();
      void router.server?.stop(true);
      return faults;
    },
  };
}

/** Whether nothing of a page lies beyond its width. */
export const fits = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);

/** A picture of what is on screen, where PICTURES names a folder for them. */
export async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env.PICTURES;
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` });
}

/** The app of a test with two administrators, Ann and Bea, and a browser before it. */
export async function openStaff(app: TestApp) {
  const browser = await browserOf(app);
  const [ann, bea] = [await app.admin(), await app.admin()];
  await app.sql`update users set first_name = case id when ${ann.id} then 'Ann' else 'Bea' end where id in (${ann.id}, ${bea.id})`;
  return {
    ann,
    bea,
    visit: browser.visit,
    visitAs: browser.visitAs,
    /** A page in a browser of its own in which this person is signed in, at `path`. */
    async at(person: Person, path: string, viewport = { width: 1440, height: 900 }): Promise<Page> {
      const page = await browser.visitAs(person, { viewport });
      await page.goto(path);
      return page;
    },
    /** Ends the browser and the app, and answers what went wrong on the pages and in the program. */
    async end(): Promise<string[]> {
      const faults = [...(await browser.close()), ...(await app.faults())];
      await app.end();
      return faults;
    },
  };
}

/** A refusal is an answer; and what notes the toasts is a script, which a frame that runs none does not let in. */
const NO_FAULTS = /the server responded with a status of 4\d\d|Blocked script execution in 'about:srcdoc'/;

/** What a browser says, at some time, of a page whose line a test has cut; where a service worker answers, its words are the last. */
const CUT_LINE = /ERR_INTERNET_DISCONNECTED|ERR_FAILED/;

function visiting(browser: Browser, base: string) {
  const faults: string[] = [];
  return {
    faults,
    /** A new person's browser: no cookies, nothing stored. */
    async visit(options: BrowserContextOptions = {}): Promise<Page> {
      const context = await browser.newContext({ baseURL: base, reducedMotion: "reduce", ...options });
      context.setDefaultTimeout(PATIENCE);
      await context.addInitScript(keepToasts);
      const setOffline = context.setOffline.bind(context);
      let wasCut = false;
      context.setOffline = (offline) => {
        wasCut ||= offline;
        return setOffline(offline);
      };
      context.on("page", (page) => {
        if (options.javaScriptEnabled !== false) arriveAwake(page);
        page.on("framenavigated", (frame) => void (frame === page.mainFrame() && lines.delete(context)));
        page.on("response", (response) => void (new URL(response.url()).pathname === "/api/stream" && lines.add(context)));
        page.on("pageerror", (error) => faults.push(`${page.url()}: ${error.message}`));
        page.on("console", (message) => {
          if (message.type() !== "error" || NO_FAULTS.test(message.text()) || (wasCut && CUT_LINE.test(message.text()))) return;
          faults.push(`${page.url()}: ${message.text()}`);
        });
      });
      return context.newPage();
    },
    close: () => browser.close(),
  };
}

/** Stops each page's process, and the one that fetches for them, at random and lets it go on, as a busy machine does, until the browser is closed. */
async function stall(browser: Browser): Promise<void> {
  const devtools = await browser.newBrowserCDPSession();
  const signal = (pids: number[], name: "SIGSTOP" | "SIGCONT") => {
    for (const pid of pids)
      try {
        process.kill(pid, name);
      } catch {
        // Its page was closed.
      }
  };
  while (browser.isConnected())
    try {
      const { processInfo } = await devtools.send("SystemInfo.getProcessInfo");
      const stalled = processInfo.filter(({ type }) => /renderer|Network/.test(type) && Math.random() < 0.75).map(({ id }) => id);
      signal(stalled, "SIGSTOP");
      await Bun.sleep(STALLS_MS * Math.random());
      signal(stalled, "SIGCONT");
      await Bun.sleep(RUNS_MS * Math.random());
    } catch (error) {
      if (browser.isConnected()) throw error;
    }
}

/** Waits until every island that wakes so answers presses. */
export const awake = (page: Page, whens = ["load", "idle"]) =>
  page.waitForFunction(
    (named) =>
      [...document.querySelectorAll<HTMLElement>("[data-island]")].every(({ dataset }) => dataset.awake !== undefined || !named.includes(dataset.when ?? "")),
    whens,
  );

/** Browsers whose page has its stream. */
const lines = new WeakSet<BrowserContext>();
/** Waits until the page, the only one of its browser, hears what is told: a word that is said once, as in a toast, is missed before. */
export const listening = (page: Page) =>
  eventually(async () => {
    if (!lines.has(page.context())) throw new Error(`${page.url()} has no stream`);
  });

/** Pages whose clock is in the test's hand: what waits for an idle moment waits for it, too. */
const held = new WeakSet<Page>();

/**
 * Who comes to a page finds it awake: a busy machine takes long to wake it, and an island that sleeps answers a press late, or with a
 * page that needs no script, and does not hear a choice. Who says how long to wait (`waitUntil`) finds it as it is then.
 */
function arriveAwake(page: Page): void {
  for (const way of ["goto", "reload", "waitForURL"] as const) {
    const go = page[way].bind(page) as (...args: unknown[]) => Promise<unknown>;
    const come = async (...args: unknown[]) => {
      const answer = await go(...args);
      const isEnough = args.some((each) => typeof each === "object" && each !== null && "waitUntil" in each);
      if (!isEnough) await awake(page, held.has(page) ? ["load"] : ["load", "idle"]);
      return answer;
    };
    Object.assign(page, { [way]: come });
  }
}

/** Keeps what a page's toasts said, oldest first: the next one, news from elsewhere among them, takes the place of the one before it at once. */
function keepToasts(): void {
  document.addEventListener("DOMContentLoaded", () => {
    const region = document.getElementById("toasts");
    if (!region) return;
    const said: string[][] = [];
    const keep = (toasts: NodeList) =>
      toasts.forEach((toast) => said.push([...(toast as Element).children].map((part) => (part.textContent ?? "").replace(/\s+/g, " "))));
    keep(region.childNodes);
    new MutationObserver((records) => records.forEach(({ addedNodes }) => keep(addedNodes))).observe(region, { childList: true });
    Object.assign(window, { said });
  });
}

/** Waits until a toast has said so. Those before it are forgotten: who asks for them later waits for new ones. */
export const told = (page: Page, words: string | RegExp) =>
  page.waitForFunction(
    ([source, flags]) => {
      const { said = [] } = window as unknown as { said?: string[][] };
      const at = said.findIndex((parts) => parts.some((part) => new RegExp(source, flags).test(part)));
      if (at > 0) said.splice(0, at);
      return at >= 0;
    },
    typeof words === "string" ? ([RegExp.escape(words), "i"] as const) : ([words.source, words.flags] as const),
  );

/** From here on the page's toasts stay until the next one, as they do under a pointer: what they offer is there for as long as a busy machine needs to press it. */
export const holdToasts = (page: Page) =>
  page.evaluate(() => {
    const region = document.getElementById("toasts");
    if (!region) throw new Error("no place for toasts");
    new MutationObserver((records) => {
      for (const { addedNodes } of records) for (const toast of addedNodes) toast.dispatchEvent(new PointerEvent("pointerenter"));
    }).observe(region, { childList: true });
  });

/** Notes every toast of the page as it is from here on, also those that the next one replaced at once. Returns the way to read them, oldest first. */
export async function noteToasts(page: Page): Promise<() => Promise<string[]>> {
  const noted = await page.evaluateHandle(() => {
    const texts: string[] = [];
    const region = document.getElementById("toasts");
    if (!region) throw new Error("no place for toasts");
    new MutationObserver((records) => {
      for (const { addedNodes } of records) for (const toast of addedNodes) texts.push((toast.textContent ?? "").replace(/×$/, ""));
    }).observe(region, { childList: true });
    return texts;
  });
  return () => noted.evaluate((texts) => [...texts]);
}

/** Waits until nothing of this fails any more: what an action leads to is on the page, or in the database, only a while later. */
export async function eventually(check: () => Promise<unknown>): Promise<void> {
  for (const end = performance.now() + PATIENCE; ; await Bun.sleep(20))
    try {
      return void (await check());
    } catch (fault) {
      if (performance.now() > end) throw fault;
    }
}

/** From here on the page's clock stands still, except where the test runs it (`page.clock.runFor`). */
export async function holdClock(page: Page): Promise<void> {
  held.add(page);
  const now = Date.now();
  await page.clock.install({ time: now });
  // The clock runs until then, and a moment that has passed is refused: a slow browser gets a later one.
  for (let ahead = 1000; ; ahead *= 4) {
    const fault = await page.clock.pauseAt(now + ahead).then(
      () => null,
      (error: Error) => error,
    );
    if (fault === null) return;
    if (ahead > PATIENCE || !fault.message.includes("to the past")) throw fault;
  }
}

/** Fills in the registration form as a person would. Returns the address used. */
export async function register(page: Page, firstName = "Ada"): Promise<string> {
  const email = `${firstName.toLowerCase()}-${crypto.randomUUID().slice(0, 8)}@example.test`;
  await page.goto("/register");
  await page.getByLabel("First name").fill(firstName);
  await page.getByLabel("Last name").fill("Lovelace");
  await page.getByLabel("Email address").fill(email);
  await page.getByLabel("Password", { exact: true }).fill("Corr3ct-horse");
  await page.getByRole("button", { name: "Create Account" }).click();
  await page.waitForURL("**/dashboard");
  return email;
}

/** Presses where these words stand, as a person does: words beside a box or a radio belong to it. */
export async function pressWords(page: Page, text: string, words = page.getByText(text)): Promise<void> {
  await words.scrollIntoViewIfNeeded();
  const box = await words.boundingBox();
  if (!box) throw new Error(`'${text}' is not to be seen`);
  await page.mouse.click(box.x + 5, box.y + 5);
}

/**
 * Presses a dialog's button until the dialog is gone: a press that comes half a second after another one at the same place counts for nothing, and
 * a test is that quick.
 */
export const pressed = (dialog: Locator, name: string) =>
  eventually(async () => {
    if (await dialog.isVisible()) await dialog.getByRole("button", { name, exact: true }).click({ timeout: 2000 });
    await dialog.waitFor({ state: "detached", timeout: 3000 });
  });
