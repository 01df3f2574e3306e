import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { Position } from "../../trading/schema";
import { type Person, type TestApp, testApp } from "../app";
import { codeIn, holdHalfMinute } from "../codes";
import { order } from "../scenarios";

/** A plain form that comes without a session: through the sign-in and back to its writer alone, with nothing done. */

const PASSWORD = "Corr3ct-horse";
const TEXT = `"><b id="bad">'& where is it?\n\nAnd so on`;
type Fields = Record<string, string>;
type Trader = Awaited<ReturnType<TestApp["trader"]>>;

let app: TestApp;
let tess: Trader, eve: Trader;
beforeAll(async () => {
  app = await testApp();
  await app.quote("EUR/USD", "1.10000", "1.10002");
});
beforeEach(async () => {
  [tess, eve] = await Promise.all([app.trader(), app.trader()]);
});
afterAll(() => app.end());
afterAll(holdHalfMinute());

const send = (person: Person, path: string, fields: Fields, headers: Fields = {}) =>
  person.call("POST", path, { raw: new URLSearchParams(fields).toString(), headers: { "content-type": "application/x-www-form-urlencoded", ...headers } });
/** As time does: the cookie stays. */
const ended = ({ id }: Trader) => app.sql`update sessions set expire = now() - interval '1 second' where user_id = ${id}`;
/** The value of a hidden field, as a browser would send it. */
function hidden(html: string, name: string): string | null {
  let value: string | null = null;
  new HTMLRewriter().on(`form[action="/login"] input[name="${name}"]`, { element: (field) => void (value = field.getAttribute("value")) }).transform(html);
  const entities: Fields = { quot: '"', "#x27": "'", lt: "<", gt: ">", amp: "&" };
  return (value as string | null)?.replaceAll(/&(quot|#x27|lt|gt|amp);/g, (_, entity: string) => entities[entity] ?? "") ?? null;
}
const ticket = { subject: "Mine", category: "general", priority: "high", message: TEXT };
const tickets = async ({ id }: Trader) => Number((await app.sql<{ n: number }[]>`select count(*)::int as n from support_tickets where user_id = ${id}`)[0]?.n);
/** What the browser sends of the sign-in page, and the form that it goes on to. */
async function signIn(browser: Person, { email }: Trader, html: string, more: Fields = {}) {
  const held = hidden(html, "held");
  const form: Fields = { email, password: PASSWORD, returnTo: hidden(html, "returnTo") ?? "", ...(held === null ? {} : { held }), ...more };
  const answer = await send(browser, "/login", form);
  // A browser sends a 307 on as it is.
  return { answer, form, back: answer.status === 307 ? await send(browser, answer.headers.get("location") ?? "", form) : null };
}

describe("back to its writer", () => {
  test("it comes filled, and nothing is done before the button is pressed there, and then once", async () => {
    await ended(tess);
    const asked = await send(tess, "/support", ticket);
    expect([asked.status, asked.headers.get("cache-control"), hidden(asked.text, "returnTo")]).toEqual([401, "no-store", "/support?view=new"]);
    expect(asked.text).toContain("Your session has ended.");
    expect(asked.text).toContain("What you sent was not done.");
    const { back, answer } = await signIn(tess, tess, asked.text);
    expect(answer.headers.get("location")).toBe("/support");
    expect([back?.status, back?.headers.get("cache-control"), await tickets(tess)]).toEqual([200, "no-store", 0]);
    expect(back?.text).toContain('value="Mine"');
    expect(back?.text).toContain("this was not sent yet");
    expect(back?.text).toContain("'&amp; where is it?\n\nAnd so on");
    expect(back?.text).not.toContain('<b id="bad">');
    expect((await send(tess, "/support", ticket)).status).toBe(303);
    expect(await tickets(tess)).toBe(1);
  });

  test("also past a wrong password and a code that is asked for", async () => {
    const begun = await send(tess, "/two-factor", { step: "begin", password: PASSWORD });
    const secret = /data-secret="([A-Z2-7]{32})"/.exec(begun.text)?.[1] ?? "";
    expect((await send(tess, "/two-factor", { step: "confirm", code: codeIn(secret, -1) })).status).toBe(200);
    await ended(tess);
    const asked = await send(tess, "/support", ticket);
    const wrong = await signIn(tess, tess, asked.text, { password: "Wr0ng-horse" });
    expect(wrong.answer.status).toBe(401);
    const right = await signIn(tess, tess, wrong.answer.text);
    expect([right.answer.status, right.answer.text.includes("Your password is needed once more.")]).toEqual([401, true]);
    const { back } = await signIn(tess, tess, right.answer.text, { code: codeIn(secret) });
    expect(back?.text).toContain('value="Mine"');
  });

  test("without what is secret", async () => {
    await ended(tess);
    const address = { name: "Mine", currency: "ETH", address: "0xnothing", password: "Secret-horse", code: "123123" };
    const asked = await send(tess, "/withdrawal-addresses", address);
    expect(asked.text).not.toMatch(/Secret-horse|123123/);
    const { back } = await signIn(tess, tess, asked.text);
    expect(back?.text).toContain('value="0xnothing"');
    expect(back?.text).not.toMatch(/Secret-horse|123123|Corr3ct/);
  });

  test("an edit keeps what was written, and of the rest what it is by now", async () => {
    const { id } = (await tess.post<Position>("/api/trading/positions", { ...order, stopLoss: "1.05", takeProfit: "1.20" })).body;
    const { text } = await tess.get(`/positions/${id}/edit`);
    const shown = /name="shown" value="([^"]*)"/.exec(text)?.[1]?.replaceAll("&quot;", '"') ?? "";
    // Meanwhile she moves the stop on another device, from which the session then goes on.
    expect((await tess.patch(`/api/trading/positions/${id}`, { stopLoss: "1.06" })).status).toBe(200);
    await ended(tess);
    const asked = await send(tess, "/positions/edit", { ...(JSON.parse(shown) as Fields), id, shown, takeProfit: "1.31" });
    const { back } = await signIn(tess, tess, asked.text);
    const valueOf = (name: string) => new RegExp(`name="${name}"[^>]*value="([^"]*)"`).exec(back?.text ?? "")?.[1];
    expect([valueOf("stopLoss"), valueOf("takeProfit")]).toEqual(["1.060000", "1.31"]);
  });
});

describe("to nobody else", () => {
  test("another person on the same browser goes to her own pages", async () => {
    await ended(tess);
    const asked = await send(tess, "/support", ticket);
    const { back } = await signIn(tess, eve, asked.text);
    expect([back?.status, back?.headers.get("location"), back?.text]).toEqual([303, "/dashboard", ""]);
    expect([await tickets(tess), await tickets(eve)]).toEqual([0, 0]);
  });

  test("a browser in which nobody signed in, or which was forgotten, is told that it is not kept", async () => {
    for (const browser of [app.stranger(), tess]) {
      await app.sql`delete from devices where user_id = ${tess.id}`;
      await ended(tess);
      const asked = await send(browser, "/support", ticket);
      expect([asked.status, hidden(asked.text, "held")]).toEqual([401, null]);
      expect(asked.text).toContain("What you sent was not done, and is not kept.");
      const { answer } = await signIn(browser, tess, asked.text);
      expect([answer.status, answer.headers.get("location")]).toEqual([303, "/support?view=new"]);
    }
  });

  test("too much of it is not kept, either", async () => {
    await ended(tess);
    const asked = await send(tess, "/support", { ...ticket, message: "я".repeat(9_400) });
    expect([asked.status, hidden(asked.text, "held")]).toEqual([401, null]);
  });

  test("another site can't bring it, and it leads to no other place", async () => {
    const held = (path: string) => JSON.stringify({ path, person: tess.id, fields: ticket });
    for (const path of ["/login", "/support"]) {
      const brought = await send(tess, path, { email: tess.email, password: PASSWORD, held: held("/support") }, { "sec-fetch-site": "cross-site" });
      expect([path, brought.status]).toEqual([path, 403]);
    }
    for (const path of ["/sign-out", "https://evil.test/", "//evil.test/support", "/contact"]) {
      const { status, headers } = await send(tess, "/login", { email: tess.email, password: PASSWORD, held: held(path) });
      expect([path, status, headers.get("location")]).toEqual([path, 303, "/dashboard"]);
    }
    for (const broken of ["", "{", "[]", '{"path":"/support"}'])
      expect((await send(tess, "/login", { email: tess.email, password: PASSWORD, held: broken })).status).toBe(303);
    const elsewhere = await send(tess, "/email", { held: held("/support") });
    expect([elsewhere.status, elsewhere.headers.get("location")]).toEqual([303, "/dashboard"]);
  });
});
