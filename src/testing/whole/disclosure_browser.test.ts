import { afterAll, beforeAll, expect, test } from "bun:test";
import { ADMIN, eventually, openSite, register, type Site, told } from "../browser";

/** A correction in two real browsers: what the administrator is shown before, and what the trader is told at once and later. */

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

test("the trader reads a forced result at once, keeps reading it, and objects; staff read the objection", async () => {
  const [trader, staff] = [await site.visit(), await site.visit()];
  const email = await register(trader, "Tess");
  const headers = { origin: site.base };
  const order = { symbol: "EUR/USD", type: "buy", amount: 1000 };
  expect((await trader.request.post("/api/trading/positions", { data: order, headers })).status()).toBe(201);
  await trader.goto("/traders-portal?tab=positions");
  await trader
    .getByRole("tabpanel", { name: /Open Positions/ })
    .getByRole("button", { name: "Close All Positions" })
    .waitFor();

  await staff.request.post("/api/auth/login", { data: ADMIN, headers });
  await staff.goto(`/admin?tab=trades&q=${encodeURIComponent(email)}`);
  await staff.getByRole("button", { name: /^Force Loss BUY EUR\/USD/ }).click();
  await staff.getByLabel("Loss (USD)").fill("20");
  await staff.getByLabel("Reason", { exact: true }).fill("A wrong price of the feed");
  const preview = staff.getByRole("region", { name: "What the trader will see" });
  await eventually(async () => expect(await preview.textContent()).toContain("A wrong price of the feedSettled −$20.00, market result"));
  await staff.getByRole("dialog").getByRole("button", { name: "Force Loss" }).click();

  await told(trader, "Settled by administrator");
  await told(trader, "Reason: A wrong price of the feed");
  await trader.getByText("No open positions").waitFor();
  await trader.getByRole("tab", { name: "Trade History" }).click();
  await trader.getByRole("cell").filter({ hasText: "Settled −$20.00, market result" }).waitFor();
  await trader.getByRole("button", { name: "Dispute the settlement of EUR/USD" }).click();
  await trader.getByLabel("What is wrong?").fill("It was the right price.");
  await trader.getByRole("dialog").getByRole("button", { name: "Send dispute" }).click();
  await trader.getByText(/^Dispute sent \d{4}-/).waitFor();
  await trader.reload();
  await trader.getByText(/^Dispute sent \d{4}-/).waitFor();

  await staff.goto("/admin?tab=trades&status=disputes");
  await staff.getByRole("table").getByText("It was the right price.").waitFor();

  // The objection is a ticket: each side finds it from the position, and the position from it.
  await staff.getByRole("link", { name: "Open", exact: true }).click();
  await staff.getByLabel("Answer", { exact: true }).fill("We look at the receipt together.");
  await staff.getByRole("button", { name: "Send answer" }).click();
  await told(staff, "Answer sent");
  await trader.getByRole("link", { name: "Support ticket" }).click();
  await trader.getByRole("list", { name: "Conversation" }).getByText("We look at the receipt together.").waitFor();
  await trader.getByRole("link", { name: "its receipt" }).click();
  await trader.getByText("Settled by administrator").first().waitFor();
  await staff.getByRole("link", { name: "the correction of a position" }).click();
  await staff.getByText("A wrong price of the feed").first().waitFor();
  expect(site.faults).toEqual([]);
});
