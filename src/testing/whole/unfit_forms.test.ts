import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Ticket } from "../../support/schema";
import type { Position } from "../../trading/schema";
import { type TestApp, testApp } from "../app";
import { order } from "../scenarios";

/** A plain form whose text holds characters that are not allowed: it comes back with the rest of the text, the fault at the field, and nothing done. */

let app: TestApp;
let tess: Awaited<ReturnType<TestApp["trader"]>>;
const ids = { ticket: "", position: "", account: "" };
beforeAll(async () => {
  app = await testApp();
  await app.quote("EUR/USD", "1.10000", "1.10002");
  tess = await app.trader();
  const staff = await app.admin();
  await staff.post("/api/admin/wallets", { currency: "BTC", network: "Mainnet", walletAddress: "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa" });
  ids.ticket = (await tess.post<Ticket>("/api/support/tickets", { subject: "Mine", category: "general", priority: "low", message: "Where is it?" })).body.id;
  const { body } = await tess.post<Position>("/api/trading/positions", { ...order, stopLoss: "1.05" });
  [ids.position, ids.account] = [body.id, body.accountId ?? ""];
});
afterAll(() => app.end());

type Form = { path: string; visitor?: true; fields: () => Record<string, string>; field: string };
const PASSWORD = "Corr3ct-horse";
const key = () => crypto.randomUUID();
const FORMS: Record<string, Form> = {
  "the registration": {
    path: "/register",
    visitor: true,
    fields: () => ({ firstName: "Ada", lastName: "Lane", email: `${key()}@t.test`, password: PASSWORD, country: "DE" }),
    field: "lastName",
  },
  "the sign-in": { path: "/login", visitor: true, fields: () => ({ email: tess.email, password: PASSWORD }), field: "email" },
  "the lost password": { path: "/forgot-password", visitor: true, fields: () => ({ email: tess.email }), field: "email" },
  "the contact form": {
    path: "/contact",
    visitor: true,
    fields: () => ({ name: "Ada", email: "ada@t.test", subject: "Two words", message: "And so on" }),
    field: "message",
  },
  "the address": { path: "/email", fields: () => ({ email: `${key()}@t.test`, password: PASSWORD }), field: "email" },
  "the address book": {
    path: "/withdrawal-addresses",
    fields: () => ({ name: "Mine", currency: "ETH", address: "0x52908400098527886E0F7030069857D2E4169EE7", password: PASSWORD }),
    field: "name",
  },
  "the end of an account": { path: "/my-data", fields: () => ({ step: "close", confirm: "CLOSE", password: PASSWORD }), field: "confirm" },
  "a deposit": { path: "/deposit", fields: () => ({ amount: "500", currency: "BTC", network: "Mainnet", notes: "Soon", transactionHash: "" }), field: "notes" },
  "a ticket": { path: "/support", fields: () => ({ subject: "Mine", category: "general", priority: "high", message: "And so on" }), field: "subject" },
  "a reply": { path: "/support", fields: () => ({ ticket: ids.ticket, message: "And so on" }), field: "message" },
  "the chat": { path: "/support", fields: () => ({ deed: "chat", message: "And so on" }), field: "message" },
  "an order": {
    path: "/positions/new",
    fields: () => ({ accountId: ids.account, symbol: "EUR/USD", side: "buy", orderType: "market", amount: "1000", step: "place", key: key() }),
    field: "amount",
  },
  "an edit": {
    path: "/positions/edit",
    fields: () => ({ id: ids.position, shown: JSON.stringify({ stopLoss: "1.05", takeProfit: "" }), stopLoss: "1.05", takeProfit: "1.3" }),
    field: "takeProfit",
  },
  "a closing": { path: "/positions/close", fields: () => ({ id: ids.position, key: key(), amount: "500" }), field: "amount" },
};

/** What any of these forms could have changed. */
const done = async () =>
  (
    await app.sql<{ n: string }[]>`
      select (select count(*) from users) || ' ' || (select count(*) from sessions) || ' ' || (select count(*) from positions)
        || ' ' || (select count(*) from support_tickets) || ' ' || (select count(*) from ticket_messages) || ' ' || (select count(*) from deposits)
        || ' ' || (select count(*) from payout_addresses) || ' ' || (select string_agg(email || account_status, '' order by email) from users)
        || ' ' || (select count(*) from letters) || ' ' || (select coalesce(sum(amount), 0) || '' || count(take_profit) from positions where status = 'open') as n
    `
  )[0]?.n;

const BAD = "\u202e\u0007\u2066";
for (const [name, { path, visitor, fields, field }] of Object.entries(FORMS))
  test(`${name} (${field})`, async () => {
    const before = await done();
    const sent = fields();
    const [start, rest] = [sent[field]?.slice(0, 1) ?? "", sent[field]?.slice(1) ?? ""];
    const person = visitor ? app.stranger() : tess;
    const answer = await person.call("POST", path, {
      raw: new URLSearchParams({ ...sent, [field]: `${start}${BAD}${rest}` }).toString(),
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    expect(answer.status).toBe(400);
    for (const char of BAD) expect(answer.text).not.toContain(char);
    let [value, invalid, said] = ["", "", ""];
    new HTMLRewriter()
      .on(`form[action="${path}"] [name="${field}"]:not([type=hidden])`, {
        element(element) {
          if (element.getAttribute("aria-invalid") !== "true") return;
          [value, invalid] = [element.getAttribute("value") ?? "", element.getAttribute("name") ?? ""];
          said = element.getAttribute("aria-describedby")?.split(" ")[0] ?? "";
        },
        text: ({ text }) => void (value += text),
      })
      .transform(answer.text);
    expect([invalid, value.trim()]).toEqual([field, sent[field] ?? ""]);
    expect(new RegExp(`id="${said}".*?Some characters in this text are not allowed, and were taken out`, "s").test(answer.text)).toBe(true);
    // Nothing is missing.
    expect(answer.text).not.toContain("are required");
    expect(await done()).toBe(before);
  });
