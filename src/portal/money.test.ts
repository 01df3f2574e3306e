import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { ActiveWallet, Deposit } from "../funding/schema";
import { type TestApp, testApp } from "../testing/app";
import { fundLive } from "../testing/scenarios";

const HOSTILE = `<script>alert(1)</script><img src=x onerror=alert(2)>`;
const BTC = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq";
const FORM = { "content-type": "application/x-www-form-urlencoded" };

let app: TestApp;
let trader: Awaited<ReturnType<TestApp["trader"]>>;
let admin: Awaited<ReturnType<TestApp["admin"]>>;
beforeAll(async () => {
  app = await testApp();
  await app.quote("EUR/USD", "1.08420", "1.08425");
  [trader, admin] = await Promise.all([app.trader({ firstName: HOSTILE, lastName: "O'Brien </title>" }), app.admin()]);
  const wallet = { currency: "BTC", network: "Mainnet", walletAddress: BTC, description: HOSTILE, isDefault: true };
  expect((await admin.post("/api/admin/wallets", wallet)).status).toBe(201);
});
afterAll(() => app.end());

const page = async (path: string) => {
  const { status, text } = await trader.get(path);
  expect(status).toBe(200);
  return text;
};
const deposits = async () => (await trader.get<Deposit[]>("/api/deposits")).body;
const post = (fields: Record<string, string>, person: { call: typeof trader.call } = trader) =>
  person.call("POST", "/deposit", { raw: new URLSearchParams(fields).toString(), headers: FORM });
const filled = { amount: "450.50", currency: "BTC", network: "Mainnet", notes: "", transactionHash: "" };

describe("hostile text is shown as text", () => {
  beforeAll(async () => {
    const made = await trader.post<Deposit>("/api/deposits", { amount: 100, currency: "USD", method: "card", notes: HOSTILE });
    await admin.post(`/api/admin/deposits/${made.body.id}/reject`, { reason: HOSTILE });
    await app.trader({ firstName: HOSTILE, referralCode: (await trader.get<{ code: string }>("/api/referrals")).body.code });
  });
  const paths = ["/deposit", "/mobile-deposit", "/profile", "/accounts/create", "/statements/wallet", "/dashboard?tab=requests", "/dashboard?tab=transactions"];
  for (const path of [...paths, `/deposit?sent=${encodeURIComponent(HOSTILE)}`, `/accounts/create?type=${encodeURIComponent(HOSTILE)}`])
    test(path.slice(0, 40), async () => {
      const html = await page(path);
      expect(html).not.toContain("<script>alert(1)");
      expect(html).not.toContain("<img src=x");
    });
});

describe("/deposit without scripts", () => {
  test("a visitor sees the form, closed, with the way to sign in, and no wallet", async () => {
    const { status, text } = await app.stranger().get("/deposit");
    expect(status).toBe(200);
    expect(text).toContain(`href="/login?returnTo=/deposit"`);
    expect(text).toContain("<fieldset disabled");
    expect(text).not.toContain(BTC);
  });

  test("a visitor's post leads to sign in and records nothing", async () => {
    const { status, text } = await post(filled, app.stranger());
    expect([status, text.includes('name="returnTo" value="/deposit"')]).toEqual([401, true]);
  });

  test("every wallet stands on the page", async () => {
    const html = await page("/deposit");
    expect(html.slice(html.indexOf("<noscript>"))).toContain(BTC);
  });

  test("a post records one request with the note and the wallet, then leads back to it", async () => {
    const before = (await deposits()).length;
    const { status, headers } = await post(filled);
    expect(status).toBe(303);
    const [made, ...others] = await deposits();
    expect(others).toHaveLength(before);
    expect(made).toMatchObject({ amount: "450.50", currency: "BTC", network: "Mainnet", walletAddress: BTC, notes: "BTC deposit of $450.50 via Mainnet" });
    expect(headers.get("location")).toBe(`/deposit?sent=${made?.id}`);
    expect((await page(headers.get("location") ?? "")).replaceAll("<!-- -->", "")).toContain("$450.50 in BTC awaits approval");
  });

  const faults: [over: Partial<typeof filled>, message: string][] = [
    [{ amount: "299.99" }, "Minimum deposit amount is $300"],
    [{ amount: "" }, "Minimum deposit amount is $300"],
    [{ currency: "" }, "Please select a cryptocurrency"],
    [{ network: "" }, "Please select a network"],
    [{ network: "TRC-20" }, "BTC can&#x27;t be sent by TRC-20."],
    [{ amount: "1e3" }, "Enter an amount in dollars and cents"],
    [{ transactionHash: "no hash!" }, "A transaction hash has 8 to 128 letters and digits."],
  ];
  for (const [over, message] of faults)
    test(`${JSON.stringify(over)} shows the form again with '${message}'`, async () => {
      const before = (await deposits()).length;
      const { status, text } = await post({ ...filled, notes: "kept words", ...over });
      expect(status).toBe(400);
      expect(text).toContain(message);
      expect(text).toContain("kept words");
      expect(await deposits()).toHaveLength(before);
    });

  test("a coin that no wallet takes is refused, and nothing recorded", async () => {
    const before = (await deposits()).length;
    const { status, text } = await post({ ...filled, currency: "LTC" });
    expect(status).toBe(422);
    expect(text).toContain("LTC wallet is not available. Please contact support.");
    expect(await deposits()).toHaveLength(before);
  });

  test("a hash that is claimed already is told at its field", async () => {
    const claim = { ...filled, transactionHash: "a1b2c3d4e5f60708" };
    expect((await post(claim)).status).toBe(303);
    const { status, text } = await post({ ...claim, transactionHash: "A1B2C3D4E5F60708" });
    expect(status).toBe(409);
    expect(text).toContain("This transaction is already claimed by another deposit.");
  });

  test("another person's request is not shown", async () => {
    const [own] = await deposits();
    const other = await app.trader();
    expect((await other.get(`/deposit?sent=${own?.id}`)).text).not.toContain("awaits approval");
  });
});

describe("history and statements", () => {
  let live: string;
  beforeAll(async () => {
    live = await fundLive(app, trader, "1000.00");
  });

  test("the tab narrows by type and account, and its CSV link with it", async () => {
    expect(await page("/dashboard?tab=transactions")).toContain("Transfer from your wallet");
    const html = await page(`/dashboard?tab=transactions&type=transfer&accountId=${live}`);
    expect(html).toContain("Transfer from your wallet");
    expect(html).not.toContain("Transfer to ACC");
    expect(html).toContain(`href="/api/transactions?format=csv&amp;type=transfer&amp;accountId=${live}"`);
    expect(await page("/dashboard?tab=transactions&type=bonus")).toContain("No transactions match");
  });

  test("older pages go on where the last one ended, each line once", async () => {
    const person = await app.trader();
    const account = await fundLive(app, person, "1000.00");
    const back = { fromAccountId: account, toAccountId: null, amount: "1.00" };
    for (let at = 0; at < 30; at++) expect((await person.post("/api/transfers", back)).status).toBe(201);
    const seen: string[] = [];
    let path: string | undefined = "/dashboard?tab=transactions";
    while (path) {
      const html: string = (await person.get(path)).text;
      seen.push(...[...html.matchAll(/data-row="([^"]+)"/g)].map(([, id]) => id ?? ""));
      path = /href="([^"]+)"[^>]*>Older transactions/.exec(html)?.[1]?.replaceAll("&amp;", "&");
    }
    const { body } = await person.get<{ id: string }[]>("/api/transactions");
    expect(seen).toEqual(body.map(({ id }) => id));
    expect(seen).toHaveLength(63);
  });

  test("a filter that says nothing valid is told at its field", async () => {
    expect(await page("/dashboard?tab=transactions&from=yesterday")).toContain("Use a date such as 2026-11-30.");
    expect(await page(`/dashboard?tab=transactions&type=${encodeURIComponent(HOSTILE)}`)).not.toContain("<script>alert(1)");
  });

  test("a statement opens, lists and closes as the ledger has it", async () => {
    const html = await page(`/statements/${live}`);
    const figure = (name: string) => new RegExp(`aria-label="${name}".*?\\$([\\d,.]+)`).exec(html)?.[1];
    expect([figure("Opening balance"), figure("Money in"), figure("Money out"), figure("Closing balance")]).toEqual(["0.00", "1,000.00", "0.00", "1,000.00"]);
    expect(html).toContain("Transfer from your wallet");
  });

  test("what is no statement of one's own does not exist", async () => {
    const demo = (await trader.get<{ id: string; isDemo: boolean }[]>("/api/trading-accounts")).body.find(({ isDemo }) => isDemo);
    const other = await app.trader();
    expect((await other.get(`/statements/${live}`)).status).toBe(404);
    for (const path of [
      `/statements/${demo?.id}`,
      "/statements/nonsense",
      "/statements/wallet?month=2026-13",
      `/statements/wallet?month=${encodeURIComponent("' or 1=1")}`,
    ])
      expect((await trader.get(path)).status).toBe(404);
  });
});

test("the profile shows the person, the three figures, sessions, referrals and every live statement", async () => {
  const html = await page("/profile");
  for (const words of [
    "Personal Information",
    trader.email,
    trader.id,
    "Account Balance",
    "Trading Balance",
    "Total Profit",
    "This device",
    "/register?ref=",
    "when their first deposit of $100.00 or more is approved. It can be withdrawn once 10 times its amount was traded on live accounts.",
    "/statements/wallet?month=",
  ])
    expect(html).toContain(words);
  const lead = await trader.get("/settings");
  expect([lead.status, lead.headers.get("location")]).toEqual([302, "/profile"]);
});

test("a wallet's secrets are on no page", async () => {
  const { body } = await trader.get<ActiveWallet[]>("/api/wallets/active");
  expect(Object.keys(body[0] ?? {}).sort()).toEqual(["currency", "description", "id", "isActive", "isDefault", "network", "walletAddress"]);
});
