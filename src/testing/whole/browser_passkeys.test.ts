import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { type TestApp, testApp } from "../app";
import { awake, openBrowser, told } from "../browser";
import { inspectHere } from "../inspect";

/** Passkeys with Chromium's own virtual authenticator: added, named, used, removed; and what a stolen answer is worth. */

const PASSWORD = "Corr3ct-horse";
const STAFF_PASSWORD = "Corr3ct-horse-battery";
let app: TestApp;
let base: string;
let browser: Awaited<ReturnType<typeof openBrowser>>;
beforeAll(async () => {
  app = await testApp({ ADMIN_2FA: "required" });
  app.router.listen({ port: 0, hostname: "127.0.0.1", reusePort: false });
  // A passkey needs a name: an address has none.
  base = `http://localhost:${app.router.server?.port}`;
  browser = await openBrowser(base);
});
afterAll(async () => {
  const { faults } = browser;
  await browser.close();
  void app.router.server?.stop(true);
  await app.end();
  expect(faults).toEqual([]);
});
beforeEach(async () => {
  await app.sql`delete from throttles`;
});

/** A browser on a device that can hold passkeys, and asks its owner by itself. */
async function device(): Promise<Page> {
  const page = await browser.visit({ bypassCSP: true });
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return page;
}
async function signIn(page: Page, email: string, password = PASSWORD, to = "/two-factor") {
  await page.goto(`/login?returnTo=${to}`);
  await page.getByLabel("Email address").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign In" }).click();
  await page.waitForURL((url) => url.pathname === to);
  await awake(page);
}
async function add(page: Page, name: string) {
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByLabel("Name of the passkey").fill(name);
  await page.getByRole("button", { name: "Save name" }).click();
  await page.getByRole("button", { name: `Rename ${name}` }).waitFor();
}
const unproven = (who: { id: string }) => app.sql`update sessions set confirmed_at = now() - interval '16 minutes' where user_id = ${who.id}`;
const leave = async (page: Page) => {
  await page.goto("/api/auth/logout", { waitUntil: "commit" });
};

type Asserted = Record<string, unknown>;
/** What the device answers when it is asked by one of our calls, as a thief would take it on its way. */
const asserted = (page: Page, path: string): Promise<Asserted> =>
  page.evaluate(async (at) => {
    const answer = await fetch(at, { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" });
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON((await answer.json()) as PublicKeyCredentialRequestOptionsJSON);
    const made = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential;
    return JSON.parse(JSON.stringify(made.toJSON())) as Record<string, unknown>;
  }, path);
const ASK = "/api/auth/passkey/options";
/** A call at the name that passkeys are for, by somebody who is signed in, or by a stranger. */
async function ask(path: string, body: object = {}, who: { cookie: string } = { cookie: "" }, method = "POST") {
  const answer = await fetch(base + path, { method, headers: { "Content-Type": "application/json", Cookie: who.cookie }, body: JSON.stringify(body) });
  return { status: answer.status, body: (answer.status === 204 ? {} : await answer.json()) as { code?: string } };
}

test("is added, named, suggested at the sign-in, and removed once its owner has proved who it is", async () => {
  const tess = await app.trader();
  const page = await device();
  await signIn(page, tess.email);
  await add(page, "My phone");
  expect(await inspectHere(page, "passkeys")).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });
  const [letter] = await app.sql<{ facts: { factor: string } }[]>`select facts from letters where user_id = ${tess.id} and kind = 'factor_added'`;
  expect(letter?.facts.factor).toBe("passkey");
  // The device knows whom it has a key for; a second one is not made.
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await told(page, "This device has a passkey of yours already.");

  await leave(page);
  // The browser suggests it in the address field, and this device's owner says yes at once.
  await page.goto("/login?returnTo=/two-factor", { waitUntil: "commit" });
  await page.waitForURL((url) => url.pathname === "/two-factor");
  await page.getByText(/last used/).waitFor();
  await awake(page);

  await unproven(tess);
  await page.getByRole("button", { name: "Remove My phone" }).click();
  await page.getByRole("button", { name: "Confirm with a passkey" }).click();
  await told(page, "'My phone' no longer signs you in.");
  await page.getByText("You have none.").waitFor();

  await unproven(tess);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByText("Confirm that it is you before a passkey is added.").waitFor();
  expect(await inspectHere(page, "the proof")).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("region", { name: "Passkeys" }).getByRole("button", { name: "Continue" }).click();
  await page.getByLabel("Name of the passkey").waitFor();
  expect((await app.sql`select from passkeys where user_id = ${tess.id}`).length).toBe(1);
});

test("signs in by its button, and says so where there is none", async () => {
  const page = await device();
  await page.goto("/login");
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.getByText("No passkey was used.").waitFor();
  const plain = await browser.visit({ javaScriptEnabled: false });
  await plain.goto("/login");
  expect(await plain.getByRole("button", { name: "Use a passkey" }).isVisible()).toBe(false);
});

test("opens the back office that needs a second factor, and from then on the password alone does not", async () => {
  const admin = await app.admin();
  const page = await device();
  await signIn(page, admin.email, STAFF_PASSWORD);
  await page.getByText("Administrators need it here").waitFor();
  expect((await page.goto("/admin"))?.status()).toBe(200);
  await page.getByText("Two-Factor Sign-In Required").waitFor();
  await page.goto("/two-factor");
  await add(page, "Key");
  await page.goto("/admin");
  await page.getByRole("tab", { name: "Today" }).waitFor();
  const refused = await app.stranger().post<{ code: string; message: string }>("/api/auth/login", { email: admin.email, password: STAFF_PASSWORD });
  expect([refused.status, refused.body.code]).toEqual([401, "two_factor_required"]);
  expect(refused.body.message).toContain("passkey");
  // Who lost it is let in by a colleague.
  await app.sql`insert into two_factors (user_id, secret, confirmed_at) select id, ${"A".repeat(32)}, now() from users where id = ${admin.id}`;
  const other = await app.admin();
  await app.sql`insert into two_factors (user_id, secret, confirmed_at) values (${other.id}, ${"A".repeat(32)}, now())`;
  expect((await other.post(`/api/admin/users/${admin.id}/two-factor/reset`, { reason: "Lost" })).status).toBe(200);
  expect(await app.sql`select from passkeys where user_id = ${admin.id}`).toHaveLength(0);
  const [noted] = await app.sql<{ noted: boolean }[]>`select factor_removed_at is not null as noted from users where id = ${admin.id}`;
  expect(noted?.noted).toBe(true);
});

test("stands in the place of a code, once, and nobody else's does", async () => {
  const [tess, una] = [await app.trader(), await app.trader()];
  const [hers, other] = [await device(), await device()];
  await signIn(hers, tess.email);
  await add(hers, "Hers");
  await signIn(other, una.email);
  await add(other, "Other");
  await app.sql`insert into two_factors (user_id, secret, confirmed_at) values (${tess.id}, ${"A".repeat(32)}, now())`;
  const login = (passkey?: Asserted) => ask("/api/auth/login", { email: tess.email, password: PASSWORD, ...(passkey ? { passkey } : {}) });
  expect((await login()).body.code).toBe("two_factor_required");
  expect((await login(await asserted(other, ASK))).status).toBe(401);
  await app.sql`delete from throttles`;
  const right = await asserted(hers, ASK);
  expect((await login(right)).status).toBe(200);
  expect((await login(right)).status).toBe(401);
});

test("a stolen answer opens nothing twice: of twenty at once one signs in", async () => {
  const tess = await app.trader();
  const page = await device();
  await signIn(page, tess.email);
  await add(page, "Phone");
  const response = await asserted(page, ASK);
  const enter = (body: object) => ask("/api/auth/passkey/login", body);
  const statuses = (await Promise.all(Array.from({ length: 20 }, () => enter({ response })))).map(({ status }) => status).sort();
  expect(statuses[0]).toBe(200);
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  await app.sql`delete from throttles`;

  // One that was made for something else, is too old, or was changed on the way.
  const proof = await asserted(page, "/api/auth/confirm/passkey/options");
  expect((await enter({ response: proof })).status).toBe(401);
  const late = await asserted(page, ASK);
  await app.sql`update passkey_challenges set created_at = created_at - interval '5 minutes'`;
  expect((await enter({ response: late })).status).toBe(401);
  const changed = (await asserted(page, ASK)) as { response: { signature: string } };
  changed.response.signature = changed.response.signature.replace(/^.{8}/, "AAAAAAAA");
  expect((await enter({ response: changed })).status).toBe(401);
  await app.sql`delete from throttles`;

  // Of a passkey that was removed, and of a person who may not sign in.
  await app.sql`update users set account_status = 'banned' where id = ${tess.id}`;
  expect((await enter({ response: await asserted(page, ASK) })).status).toBe(403);
  await app.sql`update users set account_status = 'active', frozen_at = now() where id = ${tess.id}`;
  expect((await enter({ response: await asserted(page, ASK) })).body.code).toBe("account_frozen");
  await app.sql`delete from passkeys where user_id = ${tess.id}`;
  expect((await enter({ response: await asserted(page, ASK) })).status).toBe(401);
});

test("one person's is no proof for another, nor theirs to name or remove", async () => {
  const [tess, una] = [await app.trader(), await app.trader()];
  const page = await device();
  await signIn(page, tess.email);
  await add(page, "Hers");
  const [key] = await app.sql<{ id: string }[]>`select id from passkeys where user_id = ${tess.id}`;
  expect((await ask(`/api/auth/passkeys/${key?.id}`, { name: "Mine" }, una, "PATCH")).status).toBe(404);
  expect((await ask(`/api/auth/passkeys/${key?.id}`, {}, una, "DELETE")).status).toBe(404);
  const response = await asserted(page, "/api/auth/confirm/passkey/options");
  expect(await ask("/api/auth/confirm/passkey", { response }, una)).toMatchObject({ status: 403, body: { code: "forbidden" } });
  await unproven(tess);
  expect((await ask(`/api/auth/passkeys/${key?.id}`, {}, tess, "DELETE")).body.code).toBe("password_required");
  expect((await ask("/api/auth/passkeys/options", {}, tess)).body.code).toBe("password_required");
  // Under another name than the site's there are none.
  expect((await tess.post("/api/auth/passkeys/options")).body.code).toBe("unavailable_here");
});
