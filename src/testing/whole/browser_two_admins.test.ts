import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Jurisdiction, LevelRule } from "../../compliance/schema_rules";
import type { StaffPayment, Wallet } from "../../funding/schema";
import type { SignatureRule, WaitingSignature } from "../../identity/schema_signatures";
import { type TestApp, testApp } from "../app";
import { awake, eventually, openStaff, pressed, told } from "../browser";

/** Two administrators have one form open: who saves later is told, keeps what was typed, and writes over nothing. */

let app: TestApp;
let staff: Awaited<ReturnType<typeof openStaff>>;
beforeAll(async () => {
  app = await testApp();
  staff = await openStaff(app);
});
afterAll(async () => expect(await staff.end()).toEqual([]));

/** The page of each, with the form open that this button opens. */
async function bothOpen(path: string, opener: string | RegExp): Promise<Page[]> {
  const pages = await Promise.all([staff.ann, staff.bea].map((each) => staff.at(each, path)));
  for (const page of pages) {
    await awake(page);
    await page.getByRole("button", { name: opener, exact: true }).click();
    await page.getByRole("dialog").waitFor();
  }
  return pages;
}

/** Presses until the form says this; each of its presses is refused. */
const refused = (page: Page, submit: string, words: string) =>
  eventually(async () => {
    await page.getByRole("dialog").getByRole("button", { name: submit, exact: true }).click({ timeout: 2000 });
    await page.getByRole("dialog").getByText(words).waitFor({ timeout: 3000 });
  });

/** Puts the form away and opens it anew. */
async function again(page: Page, opener: string | RegExp) {
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByRole("button", { name: opener, exact: true }).click();
  await page.getByRole("dialog").waitFor();
}

test("what a level opens", async () => {
  const [ann, bea] = (await bothOpen("/admin?tab=kyc&view=rules", "Change level 2")) as [Page, Page];
  const [DAY, MONTH] = ["Withdrawals within 24 hours, in USD", "Withdrawals within 30 days, in USD"];
  const limits = async () => {
    const { withdrawnDay, withdrawnMonth } = (await staff.ann.get<LevelRule[]>("/api/admin/verification-levels")).body[2] as LevelRule;
    return [withdrawnDay, withdrawnMonth];
  };
  await ann.getByRole("dialog").getByLabel(DAY).fill("111");
  await bea.getByRole("dialog").getByLabel(MONTH).fill("2222");
  await pressed(bea.getByRole("dialog"), "Set");
  await told(bea, "Level 2 was changed");
  await refused(ann, "Set", "This level was changed meanwhile. Look at it again before you change it.");
  expect([await ann.getByRole("dialog").getByLabel(DAY).inputValue(), await limits()]).toEqual(["111", [null, "2222.00"]]);
  // The list behind the form shows it as it stands.
  await ann.getByRole("cell", { name: "$2,222.00", includeHidden: true }).waitFor({ state: "attached" });
  await again(ann, "Change level 2");
  expect(await ann.getByRole("dialog").getByLabel(MONTH).inputValue()).toBe("2222.00");
  await ann.getByRole("dialog").getByLabel(DAY).fill("111");
  await pressed(ann.getByRole("dialog"), "Set");
  await told(ann, "Level 2 was changed");
  expect(await limits()).toEqual(["111.00", "2222.00"]);
});

test("where depositors pay", async () => {
  // Else it would wait for the other's signature.
  await app.sql`update signature_rules set is_on = false where deed = 'wallet'`;
  const [ann, bea] = (await bothOpen("/admin?tab=wallets", "Edit card")) as [Page, Page];
  const [LINK, WORDS] = ["Payment page (https)", "Instructions (traders see them)"];
  const card = async () => {
    const { link, instructions } = (await staff.ann.get<StaffPayment[]>("/api/admin/payment-details")).body[1] as StaffPayment;
    return [link, instructions];
  };
  await ann.getByRole("dialog").getByLabel(WORDS).fill("Say your reference.");
  await bea.getByRole("dialog").getByLabel(LINK).fill("https://pay.example/ours");
  await pressed(bea.getByRole("dialog"), "Save");
  await told(bea, "Payment details saved");
  await refused(ann, "Save", "These payment details were changed meanwhile. Look at them again before you change them.");
  expect([await ann.getByRole("dialog").getByLabel(WORDS).inputValue(), await card()]).toEqual(["Say your reference.", ["https://pay.example/ours", ""]]);
  // The list behind the form shows them as they stand.
  await ann.locator("dd", { hasText: "https://pay.example/ours" }).waitFor({ state: "attached" });
  await again(ann, "Edit card");
  expect(await ann.getByRole("dialog").getByLabel(LINK).inputValue()).toBe("https://pay.example/ours");
  await ann.getByRole("dialog").getByLabel(WORDS).fill("Say your reference.");
  await pressed(ann.getByRole("dialog"), "Save");
  await told(ann, "Payment details saved");
  expect(await card()).toEqual(["https://pay.example/ours", "Say your reference."]);
});

test("a wallet that depositors send coins to", async () => {
  await app.sql`update signature_rules set is_on = false where deed = 'wallet'`;
  const listed = { currency: "BTC", network: "Mainnet", walletAddress: "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa" };
  const { body: made } = await staff.ann.post<Wallet>("/api/admin/wallets", listed);
  const [ann, bea] = (await bothOpen("/admin?tab=wallets", /^Edit BTC/)) as [Page, Page];
  const WORDS = "Description (traders see it)";
  const now = async () => {
    const wallet = (await staff.ann.get<Wallet[]>("/api/admin/wallets")).body.find(({ id }) => id === made.id);
    return [wallet?.walletAddress, wallet?.description];
  };
  const OTHER = "3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy";
  await ann.getByRole("dialog").getByLabel(WORDS).fill("Cold store.");
  await bea.getByRole("dialog").getByLabel("Wallet address").fill(OTHER);
  await pressed(bea.getByRole("dialog"), "Save wallet");
  await told(bea, "Wallet saved");
  await refused(ann, "Save wallet", "This wallet was changed meanwhile. Look at it again before you change it.");
  expect([await ann.getByRole("dialog").getByLabel(WORDS).inputValue(), await now()]).toEqual(["Cold store.", [OTHER, ""]]);
  // The list behind the form shows it as it stands.
  await ann.getByRole("button", { name: new RegExp(`^Edit .*${OTHER.slice(-6)}`), includeHidden: true }).waitFor({ state: "attached" });
  await again(ann, /^Edit BTC/);
  expect(await ann.getByRole("dialog").getByLabel("Wallet address").inputValue()).toBe(OTHER);
  await ann.getByRole("dialog").getByLabel(WORDS).fill("Cold store.");
  await pressed(ann.getByRole("dialog"), "Save wallet");
  await told(ann, "Wallet saved");
  expect(await now()).toEqual([OTHER, "Cold store."]);
});

test("what a regulator asks for of many countries", async () => {
  const [ann, bea] = (await bothOpen("/admin?tab=kyc&view=rules", "Apply 'ESMA retail'")) as [Page, Page];
  const leverage = async () => (await staff.ann.get<Jurisdiction[]>("/api/admin/jurisdictions")).body.find(({ country }) => country === "DE")?.leverageMajor;
  await pressed(bea.getByRole("dialog"), "Apply");
  await told(bea, "'ESMA retail' holds in 30 countries");
  const rules = { country: "DE", isServed: "yes", leverageMajor: "5", leverageMinor: "", leverageCrypto: "", promotions: "no", warning: "" };
  expect((await staff.bea.post("/api/admin/jurisdictions", rules)).status).toBe(200);
  // Refused it is put away: nothing was written in it, and the list behind it shows what stands.
  await pressed(ann.getByRole("dialog"), "Apply");
  await told(ann, "The rules of one of these countries were changed meanwhile. Look at them again before you change them.");
  await ann.getByRole("dialog").waitFor({ state: "detached" });
  expect(await leverage()).toBe(5);
  await ann.getByRole("row").filter({ hasText: "Germany" }).filter({ hasText: "1:5 " }).waitFor();
  await ann.getByRole("button", { name: "Apply 'ESMA retail'" }).click();
  await pressed(ann.getByRole("dialog"), "Apply");
  await told(ann, "'ESMA retail' holds in 30 countries");
  expect(await leverage()).toBe(30);
});

test("what takes a second signature, with which the earlier change was made", async () => {
  await app.sql`update users set admin_since = null where role = 'admin'`;
  const [ann, bea] = (await bothOpen("/admin?tab=settings&view=signatures", "Change: Approving a withdrawal")) as [Page, Page];
  const above = async () => (await staff.ann.get<SignatureRule[]>("/api/admin/signature-rules")).body.find(({ deed }) => deed === "withdrawal")?.above;
  const fill = async (page: Page, amount: string) => {
    await page.getByRole("dialog").getByLabel("Takes a second signature").selectOption("yes");
    await page.getByRole("dialog").getByLabel("Above so many USD").fill(amount);
    await page.getByRole("dialog").getByLabel("Reason").fill("A test");
  };
  await fill(bea, "500");
  await pressed(bea.getByRole("dialog"), "Save");
  await bea.getByRole("dialog").waitFor({ state: "detached" });
  const [waits] = (await staff.ann.get<WaitingSignature[]>("/api/admin/signatures?status=pending")).body as [WaitingSignature];
  expect((await staff.ann.post(`/api/admin/signatures/${waits.id}/sign`)).status).toBe(200);
  await fill(ann, "90000");
  await refused(ann, "Save", "This rule was changed meanwhile. Look at it again before you change it.");
  expect([await ann.getByRole("dialog").getByLabel("Above so many USD").inputValue(), await above()]).toEqual(["90000", "500.00"]);
  expect((await staff.ann.get<object[]>("/api/admin/signatures?status=pending")).body).toEqual([]);
  await again(ann, "Change: Approving a withdrawal");
  expect(await ann.getByRole("dialog").getByLabel("Above so many USD").inputValue()).toBe("500.00");
});
