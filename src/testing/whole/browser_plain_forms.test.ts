import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Ticket } from "../../support/schema";
import type { Position } from "../../trading/schema";
import { type TestApp, testApp } from "../app";
import { browserOf, fits, shot } from "../browser";
import { order } from "../scenarios";

/** Each form that works without scripts, sent with a fault: it comes back with what was typed, the fault at its field, and the focus there. */

const HOSTILE = `"><b id="bad">'&amp;`;
const LONG = `${HOSTILE} ${"word ".repeat(1_100)}`;
const SECRET = "Wr0ng-horse";
const TAKEN = "taken@t.test";

let app: TestApp;
let browser: Awaited<ReturnType<typeof browserOf>>;
let tess: Awaited<ReturnType<TestApp["trader"]>>;
/** A ticket and a position of hers. */
let ticket: Ticket, position: Position;
beforeAll(async () => {
  app = await testApp();
  browser = await browserOf(app);
  await app.quote("EUR/USD", "1.10000", "1.10002");
  tess = await app.trader({ email: TAKEN });
  const staff = await app.admin();
  await staff.post("/api/admin/wallets", { currency: "BTC", network: "Mainnet", walletAddress: "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa" });
  ticket = (await tess.post<Ticket>("/api/support/tickets", { subject: "Mine", category: "general", priority: "low", message: "Where is it?" })).body;
  position = (await tess.post<Position>("/api/trading/positions", order)).body;
});
afterAll(async () => {
  const faults = await browser.close();
  await app.end();
  expect(faults).toEqual([]);
});

type Sent = {
  /** Where the form is; whoever is signed in, unless it is a visitor's. */
  at: () => string;
  visitor?: true;
  button: string;
  /** By the fields' names; a list's by its option. */
  typed: Record<string, string>;
  /** Typed as well, and nothing of it comes back. */
  secret?: string;
  /** The field that is at fault, where it is not a secret that is asked for anew. */
  fault: string;
};

/** By the path that they post to, and what they do there. */
const FORMS: Record<string, Sent> = {
  "/register": {
    at: () => "/register",
    visitor: true,
    button: "Create Account",
    typed: { firstName: HOSTILE, lastName: "O'Neil", email: "nowhere", referralCode: "abc", country: "DE" },
    secret: "password",
    fault: "email",
  },
  "/register, with an address that is taken": {
    at: () => "/register",
    visitor: true,
    button: "Create Account",
    typed: { firstName: "Ada", lastName: HOSTILE, email: TAKEN, country: "DE" },
    secret: "password",
    fault: "email",
  },
  "/login": { at: () => "/login", visitor: true, button: "Sign In", typed: { email: "nowhere" }, secret: "password", fault: "email" },
  "/forgot-password": { at: () => "/forgot-password", visitor: true, button: "Send the letter", typed: { email: HOSTILE }, fault: "email" },
  "/contact": {
    at: () => "/contact",
    visitor: true,
    button: "Send Message",
    typed: { name: HOSTILE, email: "nowhere", subject: "Two words", message: `\n${HOSTILE}\n  and so on` },
    fault: "email",
  },
  "/email": { at: () => "/email", button: "Change the address", typed: { email: "nowhere" }, secret: "password", fault: "email" },
  "/withdrawal-addresses": {
    at: () => "/withdrawal-addresses",
    button: "Note it",
    typed: { name: "", currency: "ETH", address: HOSTILE },
    secret: "password",
    fault: "name",
  },
  "/my-data": { at: () => "/my-data", button: "Close my account", typed: { confirm: "CLOS" }, secret: "password", fault: "confirm" },
  "/deposit": {
    at: () => "/deposit",
    button: "Submit Deposit Request",
    typed: { amount: "12", currency: "BTC", network: "Mainnet", notes: HOSTILE, transactionHash: "abc" },
    fault: "amount",
  },
  "/support": {
    at: () => "/support?view=new",
    button: "Submit Ticket",
    typed: { subject: HOSTILE, category: "", priority: "high", message: `${HOSTILE}\n\nand so on` },
    fault: "category",
  },
  "/support, a reply": { at: () => `/support?ticket=${ticket.id}`, button: "Send reply", typed: { message: LONG }, fault: "message" },
  "/support, the chat": { at: () => "/support?view=chat", button: "Send", typed: { message: LONG }, fault: "message" },
  "/positions/new": {
    at: () => "/positions/new",
    button: "Preview order",
    typed: { side: "sell", amount: "0", stopLoss: "1.2", takeProfit: "1.05", trailingDistance: "0.002" },
    fault: "amount",
  },
  "/positions/edit": {
    at: () => `/positions/${position.id}/edit`,
    button: "Save changes",
    typed: { stopLoss: "1.05", takeProfit: `1.${"3".repeat(41)}` },
    fault: "takeProfit",
  },
  "/positions/close": { at: () => `/positions/${position.id}/close`, button: "Close position", typed: { amount: "999999" }, fault: "amount" },
};
/** Nothing is typed in these but passwords and codes, and files are chosen. */
const UNTYPED = ["accept-terms", "freeze", "positions/cancel", "reset-password", "sign-out", "take-back-email", "two-factor", "unsubscribe", "verification"];

test("these are all forms that there are", () => {
  const routes = [...readFileSync("src/routes.txt", "utf8").matchAll(/^POST +(\/(?!api\/)\S+)/gm)].map(([, path = ""]) => path);
  const known = [...Object.keys(FORMS).map((name) => name.split(",")[0] ?? ""), ...UNTYPED.map((path) => `/${path}`), "/verify-email"];
  expect(routes.filter((path) => !known.includes(path))).toEqual([]);
});

const valueOf = (page: Page, action: string, name: string) =>
  page.locator(`form[action="${action}"] [name="${name}"]:not([type=hidden])`).evaluateAll((fields) => {
    const [field] = fields as HTMLInputElement[];
    return field?.value;
  });

/** Writes all of it, and answers the button. */
async function filledIn(page: Page, name: string, { button, typed, secret }: Sent) {
  const press = page.getByRole("button", { name: button, exact: true });
  const form = page.locator(`form[action="${name.split(",")[0]}"]`).filter({ has: press });
  for (const [field, value] of Object.entries(typed)) {
    const place = form.locator(`[name="${field}"]`).first();
    // A field that takes no more would cut it off; what it says may be refused for other reasons, too.
    await place.evaluate((element) => element.removeAttribute("maxlength"));
    if ((await place.evaluate((element) => element.tagName)) === "SELECT") await place.selectOption(value);
    else await place.fill(value);
  }
  if (secret) await form.locator(`[name="${secret}"]`).fill(SECRET);
  return press;
}

for (const [width, height] of [
  [360, 740],
  [1440, 900],
] as const)
  for (const [name, { at, visitor, typed, secret, fault }] of Object.entries(FORMS))
    test(`${name}, at ${width} px`, async () => {
      const options = { viewport: { width, height }, javaScriptEnabled: false };
      const page = visitor ? await browser.visit(options) : await browser.visitAs(tess, options);
      const action = name.split(",")[0] ?? "";
      await page.goto(at());
      const press = await filledIn(page, name, FORMS[name] as Sent);
      const [response] = await Promise.all([page.waitForResponse((answer) => answer.request().method() === "POST"), press.click()]);
      expect([400, 409, 422]).toContain(response.status());
      await page.waitForLoadState();
      for (const [field, value] of Object.entries(typed)) expect([field, await valueOf(page, action, field)]).toEqual([field, value]);
      if (secret) expect(await valueOf(page, action, secret)).toBe("");
      const focused = await page.evaluate(() => {
        const field = document.activeElement as HTMLInputElement;
        const ids = field.getAttribute("aria-describedby")?.split(" ") ?? [];
        return { name: field.name, invalid: field.getAttribute("aria-invalid"), said: document.getElementById(ids[0] ?? "")?.textContent ?? "" };
      });
      expect([focused.name, focused.invalid]).toEqual([fault, "true"]);
      expect(focused.said.length).toBeGreaterThan(5);
      // Nothing that was typed became part of the page, or of an address.
      expect(await page.locator("#bad").count()).toBe(0);
      expect(new URL(page.url()).search).toBe("");
      expect(await response.text()).not.toContain(SECRET);
      expect(await fits(page)).toBe(true);
      await shot(page, `plain-form-${name.replaceAll(/\W+/g, "-")}-${width}`);
      await page.context().close();
    });

/** Signs in on the page that a form was answered by. */
async function signsIn(page: Page) {
  await page.getByText("Your session has ended.").waitFor();
  await shot(page, "plain-form-signs-in");
  await page.getByLabel("Email address").fill(TAKEN);
  await page.getByLabel("Password", { exact: true }).fill("Corr3ct-horse");
  await page.getByRole("button", { name: "Sign In", exact: true }).click();
  await page.getByText("You are signed in, and this was not sent yet.").waitFor();
}

/** Pages without islands, whose forms are plain ones for everybody. */
const PLAIN = ["/withdrawal-addresses", "/positions/edit"];

for (const scripts of [false, true])
  for (const [name, sent] of Object.entries(FORMS).filter(([name, { visitor }]) => (scripts ? PLAIN.includes(name) : !visitor)))
    test(`${name}, after the session has ended, ${scripts ? "with" : "without"} scripts: back at it with what was typed`, async () => {
      await app.sql`update sessions set expire = now() + interval '1 day' where user_id = ${tess.id}`;
      const page = await browser.visitAs(tess, { viewport: { width: 360, height: 740 }, javaScriptEnabled: scripts });
      await page.goto(sent.at());
      const [device = "", token = ""] = tess.device.split("=");
      await page.context().addCookies([{ name: device, value: token, url: new URL(page.url()).origin }]);
      const press = await filledIn(page, name, sent);
      await app.sql`update sessions set expire = now() where user_id = ${tess.id}`;
      await press.click();
      await signsIn(page);
      const action = name.split(",")[0] ?? "";
      for (const [field, value] of Object.entries(sent.typed)) expect([field, await valueOf(page, action, field)]).toEqual([field, value]);
      if (sent.secret) expect(await valueOf(page, action, sent.secret)).toBe("");
      expect(await page.evaluate(() => document.activeElement?.closest("form")?.getAttribute("action"))).toBe(action);
      expect(await page.locator("#bad").count()).toBe(0);
      expect(await fits(page)).toBe(true);
      await shot(page, `plain-form-back-${name.replaceAll(/\W+/g, "-")}`);
      await page.context().close();
    });
