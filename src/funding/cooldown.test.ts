import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { readConfig } from "../config";
import { DAY, HOUR } from "../lib/time";
import { type TestApp, testApp } from "../testing/app";
import { approvedWithMoney, type Trader } from "../testing/letters";

/** A withdrawal to a new address waits, and the address book says which are not new. */

const IBAN = "AT61 1904 3002 3457 3201";
let app: TestApp;
let admin: Awaited<ReturnType<TestApp["admin"]>>;
beforeAll(async () => {
  app = await testApp({ WITHDRAWAL_COOLDOWN: "24h" });
  admin = await app.admin();
});
afterAll(() => app.end());
beforeEach(async () => {
  await app.sql`delete from throttles`;
});

const rich = async () => {
  const tess = await app.trader();
  await approvedWithMoney(app, tess, "1000.00");
  return tess;
};
type Asked = { id: string; notBefore: string | null; status: string; message: string; code: string };
const ask = (who: Trader, walletAddress = IBAN) => who.post<Asked>("/api/withdrawals", { amount: "100.00", currency: "USD", method: "bank", walletAddress });
const approve = (id: string) => admin.post<Asked>(`/api/admin/withdrawals/${id}/approve`);
/** As if so many hours had passed since this person did anything with addresses. */
async function hoursLater(who: Trader, hours: number) {
  await app.sql`alter table withdrawals disable trigger user`;
  await app.sql`
    update withdrawals set created_at = created_at - ${hours} * interval '1 hour', not_before = not_before - ${hours} * interval '1 hour' where user_id = ${who.id}
  `;
  await app.sql`alter table withdrawals enable trigger user`;
  await app.sql`update payout_addresses set created_at = created_at - ${hours} * interval '1 hour' where user_id = ${who.id}`;
  await app.sql`update users set factor_removed_at = factor_removed_at - ${hours} * interval '1 hour' where id = ${who.id}`;
}
const hoursUntil = ({ notBefore }: Asked) => (Date.parse(notBefore ?? "") - Date.now()) / HOUR;

test("is a day on a live site, nothing in a demonstration, or what is set", () => {
  expect(readConfig({}).withdrawalCooldown).toBe(0);
  expect(readConfig({ SITE_MODE: "live", FEED: "kraken" }).withdrawalCooldown).toBe(DAY);
  expect(readConfig({ WITHDRAWAL_COOLDOWN: "12h" }).withdrawalCooldown).toBe(12 * HOUR);
  for (const off of ["0", "off"]) expect(readConfig({ SITE_MODE: "live", FEED: "kraken", WITHDRAWAL_COOLDOWN: off }).withdrawalCooldown).toBe(0);
  expect(() => readConfig({ WITHDRAWAL_COOLDOWN: "a day" })).toThrow("WITHDRAWAL_COOLDOWN");
});

test("nobody pays to a new address within a day, and everybody is told until when", async () => {
  const tess = await rich();
  const { body: asked, status } = await ask(tess);
  expect([status, Math.round(hoursUntil(asked))]).toEqual([201, 24]);
  const refused = await approve(asked.id);
  expect([refused.status, refused.body.code]).toEqual([409, "conflict"]);
  expect(refused.body.message).toContain("can't be paid out before");
  const [listed] = (await tess.get<(Asked & { estimatedProcessingTime: string })[]>("/api/withdrawals")).body;
  expect(listed?.estimatedProcessingTime).toStartWith("Not before ");
  expect((await admin.get(`/api/admin/withdrawals?q=${asked.id}`)).text).toContain("Not before ");
  const [letter] = await app.sql<{ facts: { notBefore: string } }[]>`select facts from letters where user_id = ${tess.id} and kind = 'withdrawal_asked'`;
  expect(letter?.facts.notBefore).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d UTC$/);
  // A second one to the same address waits for what is left of the first's time.
  await hoursLater(tess, 10);
  expect(Math.round(hoursUntil((await ask(tess)).body))).toBe(14);
  await hoursLater(tess, 15);
  expect((await approve(asked.id)).status).toBe(200);
  expect((await ask(tess)).body.notBefore).toBeNull();
  // Another's use makes it no older for others.
  expect(Math.round(hoursUntil((await ask(await rich())).body))).toBe(24);
});

test("may be rejected and cancelled meanwhile", async () => {
  const tess = await rich();
  const [first, second] = [(await ask(tess)).body, (await ask(tess)).body];
  expect((await admin.post(`/api/admin/withdrawals/${first.id}/reject`, { reason: "Not yours" })).status).toBe(200);
  expect((await tess.post(`/api/withdrawals/${second.id}/cancel`)).status).toBe(200);
});

test("an address that was noted a day ago is not new; its noting is told by letter", async () => {
  const tess = await rich();
  const note = (body: object) =>
    tess.post<{ id: string; code: string }>("/api/withdrawal-addresses", { name: "My bank", currency: "USD", address: IBAN, ...body });
  await app.sql`update sessions set confirmed_at = now() - interval '16 minutes' where user_id = ${tess.id}`;
  expect((await note({})).body.code).toBe("password_required");
  await tess.post("/api/auth/confirm", { password: "Corr3ct-horse" });
  const { status, body } = await note({});
  expect(status).toBe(201);
  expect((await note({ name: "Again" })).status).toBe(409);
  expect((await note({ currency: "BTC", address: "nonsense" })).status).toBe(400);
  expect((await note({ name: "A\nBcc: x" })).status).toBe(422);
  expect(await app.sql`select from letters where user_id = ${tess.id} and kind = 'payout_address'`).toHaveLength(1);
  await hoursLater(tess, 25);
  expect((await ask(tess)).body.notBefore).toBeNull();
  const una = await rich();
  expect((await una.patch(`/api/withdrawal-addresses/${body.id}`, { name: "Mine" })).status).toBe(404);
  expect((await una.call("DELETE", `/api/withdrawal-addresses/${body.id}`)).status).toBe(404);
  expect((await tess.patch(`/api/withdrawal-addresses/${body.id}`, { name: "Bank" })).body).toMatchObject({ name: "Bank" });
  expect((await tess.get("/api/withdrawal-addresses")).body).toMatchObject([{ name: "Bank", currency: "USD", address: IBAN }]);
  expect((await tess.call("DELETE", `/api/withdrawal-addresses/${body.id}`)).status).toBe(204);
});

test("the same address noted ten times at once is noted once", async () => {
  const tess = await rich();
  const answers = await Promise.all(Array.from({ length: 10 }, () => tess.post("/api/withdrawal-addresses", { name: "Bank", currency: "USD", address: IBAN })));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(9).fill(409)]);
});

test("removing a factor makes every address wait again", async () => {
  const tess = await rich();
  await ask(tess);
  await hoursLater(tess, 25);
  await app.sql`insert into two_factors (user_id, secret, confirmed_at) values (${tess.id}, ${"A".repeat(32)}, now())`;
  expect((await admin.post(`/api/admin/users/${tess.id}/two-factor/reset`, { reason: "Lost" })).status).toBe(200);
  await tess.post("/api/auth/login", { email: tess.email, password: "Corr3ct-horse" });
  expect(Math.round(hoursUntil((await ask(tess)).body))).toBe(24);
});

test("the page of the book works without scripts", async () => {
  const tess = await rich();
  const send = (form: Record<string, string>) =>
    tess.call("POST", "/withdrawal-addresses", { raw: new URLSearchParams(form).toString(), headers: { "content-type": "application/x-www-form-urlencoded" } });
  const wrong = await send({ name: "", currency: "USD", address: IBAN, password: "Corr3ct-horse" });
  expect([wrong.status, wrong.text.includes("Give it a name.")]).toEqual([400, true]);
  expect((await send({ name: "Bank", currency: "USD", address: IBAN, password: "wrong-password" })).status).toBe(403);
  expect((await send({ name: "Bank", currency: "USD", address: IBAN, password: "Corr3ct-horse" })).status).toBe(303);
  const page = await tess.get("/withdrawal-addresses");
  expect(page.text).toContain(IBAN);
  expect(page.text).toContain("24 hours after");
  const [{ id = "" } = {}] = await app.sql<{ id: string }[]>`select id from payout_addresses where user_id = ${tess.id}`;
  expect((await send({ remove: id })).status).toBe(303);
  expect((await tess.get("/withdrawal-addresses")).text).not.toContain(IBAN);
});
