import { chmodSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { buildProgram, launch } from "./program";

const CHROMIUM = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const QUIET =
  "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync".split(" ");
/** A busy machine is no failure: a step waits this long before it is one. */
const PATIENCE = 30_000;

export const ADMIN = { email: "admin@halyard.test", password: "correct horse battery" };

/**
 * The built program in a folder of its own and a real Chromium to visit it with. What goes wrong in any page (an
 * uncaught error, a refused script, a failed request of our own) is gathered in `faults`.
 */
export async function openSite(env: Record<string, string> = {}) {
  buildProgram();
  const home = mkdtempSync(join(tmpdir(), "halyard-site-"));
  // As root, PostgreSQL runs under another account, which must get in.
  chmodSync(home, 0o755);
  const program = launch(home, {
    DATA_DIR: join(home, "data"),
    PORT: "0",
    HOST: "127.0.0.1",
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    ...env,
  });
  const executablePath = CHROMIUM.find((path) => path && existsSync(path));
  if (!executablePath) throw new Error("no Chromium: set CHROMIUM to its path");
  const [listening, browser] = await Promise.all([program.logged("listening"), chromium.launch({ executablePath, args: QUIET })]);
  const base = listening.url as string;
  const faults: string[] = [];

  return {
    base,
    faults,
    /** A new person's browser: no cookies, nothing stored. */
    async visit(options: BrowserContextOptions = {}): Promise<Page> {
      const context = await browser.newContext({ baseURL: base, reducedMotion: "reduce", ...options });
      context.setDefaultTimeout(PATIENCE);
      const page = await context.newPage();
      page.on("pageerror", (error) => faults.push(`${page.url()}: ${error.message}`));
      page.on("console", (message) => {
        if (message.type() === "error" && !/the server responded with a status of 4\d\d/.test(message.text())) faults.push(`${page.url()}: ${message.text()}`);
      });
      return page;
    },
    async close() {
      await (browser as Browser).close();
      program.signal("SIGTERM");
      await program.ended;
      rmSync(home, { recursive: true, force: true });
    },
  };
}
export type Site = Awaited<ReturnType<typeof openSite>>;

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
