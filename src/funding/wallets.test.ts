import { afterAll, beforeAll, expect, test } from "bun:test";
import { type TestApp, testApp } from "../testing/app";
import { counted, deposit, type Signed, times } from "../testing/money";
import { handHeld, setRole, tamper, until, waiting } from "../testing/scenarios";
import type { ActiveWallet, Deposit, Wallet } from "./schema";

let app: TestApp;
let admin: Awaited<ReturnType<TestApp["admin"]>>;
let tess: Signed;
beforeAll(async () => {
  app = await testApp();
  [admin, tess] = await Promise.all([app.admin(), app.trader()]);
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

const BITCOIN = ["1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", "3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"] as const;
const TETHER = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";
const list = (over: Record<string, unknown> = {}) =>
  admin.post<Wallet>("/api/admin/wallets", { currency: "BTC", network: "Mainnet", walletAddress: BITCOIN[0], ...over });
const offered = async () => (await tess.get<ActiveWallet[]>("/api/wallets/active")).body;
const all = async () => (await admin.get<Wallet[]>("/api/admin/wallets")).body;

test("a wallet is listed, changed, taken off, and each command is in the audit book", async () => {
  expect(await offered()).toEqual([]);
  const { status, body } = await list({ dailyLimit: 1000, description: "Cold store" });
  expect(status).toBe(201);
  expect(body).toMatchObject({ isActive: true, isDefault: false, dailyLimit: "1000.00", monthlyLimit: null, currentDailyUsage: "0.00" });
  expect(await offered()).toEqual([
    { id: body.id, currency: "BTC", network: "Mainnet", walletAddress: BITCOIN[0], description: "Cold store", isActive: true, isDefault: false },
  ]);
  expect((await list()).status).toBe(409);
  const changed = await admin.patch<Wallet>(`/api/admin/wallets/${body.id}`, { monthlyLimit: "5000", dailyLimit: null });
  expect(changed.body).toMatchObject({ monthlyLimit: "5000.00", dailyLimit: null, description: "Cold store" });
  expect((await admin.patch<Wallet>("/api/admin/wallets", { id: body.id, description: "" })).body.description).toBe("");
  expect((await admin.post<Wallet>(`/api/admin/wallets/${body.id}/deactivate`)).body.isActive).toBe(false);
  expect(await offered()).toEqual([]);
  const commands = await app.sql`select action from admin_actions where admin_user_id = ${admin.id} and action like 'wallet.%' order by id`;
  expect(commands.map(({ action }) => action as string)).toEqual(["wallet.create", "wallet.change", "wallet.change", "wallet.deactivate"]);
  expect((await admin.patch(`/api/admin/wallets/${crypto.randomUUID()}`, {})).status).toBe(404);
});

test.each([
  [{ walletAddress: "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb" }, "walletAddress"],
  [{ walletAddress: TETHER }, "walletAddress"],
  [{ currency: "USDT", network: "ERC-20", walletAddress: TETHER }, "walletAddress"],
  [{ walletAddress: "" }, "walletAddress"],
  [{ currency: "DOGE" }, "currency"],
  [{ network: "Lightning" }, "network"],
  [{ dailyLimit: -1 }, "dailyLimit"],
  [{ isDefault: "yes" }, "isDefault"],
])("one that could lose money is refused: %j", async (over, field) => {
  const { status, body } = await list({ walletAddress: BITCOIN[1], ...over });
  expect([status, Object.keys((body as unknown as { fields: object }).fields)]).toEqual([400, [field]]);
});

test("there is one default for a currency and network, also where two are set at once", async () => {
  const answers = await times(2, (n) => list({ walletAddress: BITCOIN[n + 1], isDefault: true }));
  expect(counted(answers)).toEqual({ 201: 2 });
  const [first] = await all();
  await Promise.all(answers.map(({ body }) => admin.patch(`/api/admin/wallets/${body.id}`, { isDefault: true })));
  expect((await all()).filter(({ isDefault }) => isDefault)).toHaveLength(1);
  expect((await offered())[0]?.isDefault).toBe(true);
  await admin.post(`/api/admin/wallets/${first?.id}/deactivate`);
});

test("approved deposits count towards its limits, and one at its limit is not offered", async () => {
  const { body: wallet } = await list({ currency: "USDT", network: "TRC-20", walletAddress: TETHER, dailyLimit: 500, monthlyLimit: 700 });
  const isOffered = async () => (await offered()).some(({ id }) => id === wallet.id);
  const usage = async () => (await all()).find(({ id }) => id === wallet.id);
  const send = async (amount: number, walletUsed: string) => {
    const { body } = await tess.post<Deposit>("/api/deposit-requests", { method: "cryptocurrency", amount, currency: "USDT", walletUsed });
    expect(body).toMatchObject({ walletAddress: TETHER, network: "TRC-20", cryptoType: "USDT" });
    return body.id;
  };
  const [byAddress, byId] = [await send(300, TETHER), await send(300, wallet.id)];
  expect(await usage()).toMatchObject({ currentDailyUsage: "0.00" });
  await admin.post(`/api/admin/deposits/${byAddress}/approve`);
  expect(await usage()).toMatchObject({ currentDailyUsage: "300.00", currentMonthlyUsage: "300.00" });
  expect(await isOffered()).toBe(true);
  await admin.post(`/api/admin/deposits/${byId}/approve`);
  expect(await usage()).toMatchObject({ currentDailyUsage: "600.00", currentMonthlyUsage: "600.00" });
  expect(await isOffered()).toBe(false);
  // Two days later, in the same month or not, the day's limit is free again.
  await tamper(app.sql, (tx) => tx`update deposits set decided_at = decided_at - interval '2 days' where wallet_id = ${wallet.id}`);
  await admin.patch(`/api/admin/wallets/${wallet.id}`, { monthlyLimit: null });
  expect(await usage()).toMatchObject({ currentDailyUsage: "0.00" });
  expect(await isOffered()).toBe(true);
});

test("a wallet that staff took off refuses who was still shown it, unless a hash says that the coins are on their way", async () => {
  const { body: wallet } = await list({ currency: "LTC", network: "Mainnet", walletAddress: "LM2WMpR1Rp6j3Sa59cMXMs1SPzj9eXpGc1" });
  await admin.post(`/api/admin/wallets/${wallet.id}/deactivate`);
  const asked = { amount: 300, currency: "LTC", method: "cryptocurrency" };
  const portal = { ...asked, walletUsed: wallet.walletAddress };
  const mobile = { ...asked, walletAddress: wallet.walletAddress };
  const refused = [await tess.post<{ message: string }>("/api/deposit-requests", portal), await deposit(tess, mobile)];
  expect(refused.map(({ status }) => status)).toEqual([409, 409]);
  expect(refused[0]?.body).toMatchObject({ message: expect.stringContaining("no longer in use: send no coins to it") });
  expect((await tess.post("/api/deposit-requests", { ...portal, transactionHash: "ab".repeat(32) })).status).toBe(201);
  await admin.patch(`/api/admin/wallets/${wallet.id}`, { isActive: true });
  expect((await tess.post("/api/deposit-requests", portal)).status).toBe(201);
});

test("a coin that no wallet takes is refused where a screen shows where to send it, and taken as before where none does", async () => {
  const says = { code: "wallet_unavailable", message: "ETH wallet is not available. Please contact support." };
  const portal = { method: "cryptocurrency", amount: 300, currency: "ETH", walletUsed: null };
  const refused = [
    await tess.post("/api/deposit-requests", { ...portal, network: "BEP-20" }),
    await deposit(tess, { amount: 300, method: "cryptocurrency", cryptoType: "ETH", walletAddress: null }),
  ];
  for (const { status, body } of refused) expect([status, body as unknown]).toEqual([422, { ...says, fields: { currency: says.message } }]);
  expect((await tess.post("/api/deposit-requests", portal)).status).toBe(201);
  expect((await tess.post("/api/deposit-requests", { ...portal, network: "BEP-20", transactionHash: "cd".repeat(32) })).status).toBe(201);
  expect((await deposit(tess, { amount: 300, currency: "ETH", method: "crypto" })).status).toBe(201);
});

test("a mobile deposit in dollars is of the coin whose wallet it names, and earns Bitcoin's bonus", async () => {
  const ann = await app.trader();
  const [wallet] = (await offered()).filter(({ currency }) => currency === "BTC");
  const { body } = await deposit(ann, { amount: 5000, method: "cryptocurrency", walletAddress: wallet?.walletAddress });
  expect(body).toMatchObject({ currency: "USD", method: "crypto", cryptoType: "BTC", network: "Mainnet" });
  const approved = await admin.post<Deposit>(`/api/admin/deposits/${body.id}/approve`);
  expect(approved.body.bonusApplied).toBe("600.00");
});

test("of many who looked at the same wallet one changes it, and who names no version always does", async () => {
  const { body: stood } = await list({ currency: "LTC", network: "Mainnet", walletAddress: "LVg2kJoFNg45Nbpy53h7Fe1wKyeXVRhMH9" });
  const change = (body: object) => admin.patch<Wallet & { message?: string }>(`/api/admin/wallets/${stood.id}`, body);
  const now = async () => (await all()).find(({ id }) => id === stood.id) as Wallet;
  const tries = (seen: object) => times(8, (n) => change({ description: `Vault ${n}`, ...seen }));
  const answers = await tries({ version: stood.version });
  expect(counted(answers)).toEqual({ 200: 1, 409: 7 });
  const won = answers.findIndex(({ status }) => status === 200);
  expect([(await now()).description, answers[won]?.body]).toEqual([`Vault ${won}`, await now()]);
  expect(answers[(won + 1) % 8]?.body.message).toBe("This wallet was changed meanwhile. Look at it again before you change it.");
  // By the other path too, and whatever is changed of it.
  expect((await admin.patch("/api/admin/wallets", { id: stood.id, isActive: false, version: stood.version })).status).toBe(409);
  expect(counted(await tries({}))).toEqual({ 200: 8 });
  expect((await admin.post(`/api/admin/wallets/${stood.id}/deactivate?version=${stood.version}`)).status).toBe(409);
  expect((await now()).isActive).toBe(true);
  // What says the same again is what was looked at, though it was used, or written, since.
  expect((await change({ description: "" })).body.version).toBe(stood.version);
  expect((await change({ dailyLimit: "500", version: stood.version })).status).toBe(200);
  expect((await change({ dailyLimit: null, version: 3 })).status).toBe(400);
  // Another one that is offered first from now on takes that from it.
  const first = (await change({ isDefault: true })).body.version;
  await list({ currency: "LTC", network: "Mainnet", walletAddress: "ltc1qg42tkwuuxefutzxezdkdel39gfstuap288mfea", isDefault: true });
  expect([(await change({ isDefault: true, version: first })).status, (await now()).isDefault]).toEqual([409, false]);
});

test("who ceases to be an administrator at that moment changes no wallet", async () => {
  const [eve, before] = [await app.admin(), await all()];
  await app.sql`update signature_rules set is_on = false where deed = 'wallet'`;
  const hand = await handHeld(app.db);
  try {
    await setRole(hand.sql, eve.id, "user");
    const path = `/api/admin/wallets/${before[0]?.id}`;
    const commands = [
      eve.post("/api/admin/wallets", { currency: "BTC", network: "Mainnet", walletAddress: "1BoatSLRHtKNngkdXEeobR76b53LETtpyT" }),
      eve.patch(path, { description: "Mine now" }),
      eve.post(`${path}/deactivate`),
    ];
    await until("all of them wait", async () => (await waiting(app.sql)) === 3);
    await hand.commit();
    expect((await Promise.all(commands)).map(({ status }) => status)).toEqual([403, 403, 403]);
  } finally {
    await hand.end();
  }
  expect(await all()).toEqual(before);
});
