import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type TestApp, testApp } from "../testing/app";
import {
  approvedWithMoney,
  isIn,
  type Letters,
  MAIL,
  type Mailbox,
  NEXT,
  openLetters,
  PASSWORD,
  statuses,
  OVER,
  type Trader,
  withdrawal,
} from "../testing/letters";
import { hashOfToken, makeLinks } from "../mail/commands";
import { hashesWaiting } from "../platform/password";
import { linkIn } from "../testing/mail_server";
import { handHeld, until, waiting } from "../testing/scenarios";
import type { Sql } from "../platform/database/db";

/** The ways that go by letter: verifying, a new password, and out of a topic. */

let site: Letters;
let server: Letters["server"];
let app: TestApp;
let box: Mailbox;
let login: Letters["login"];
beforeAll(async () => {
  site = await openLetters();
  ({ server, app, box, login } = site);
});
afterAll(() => site.close());
beforeEach(async () => {
  await app.sql`delete from throttles`;
});

const askReset = async (who: Trader, count = 1) => {
  expect((await app.stranger().post("/api/auth/forgot", { email: who.email.toUpperCase() })).status).toBe(204);
  return box.tokenTo(who.email, "/reset-password", count);
};

describe("verifying an address", () => {
  test("takes the letter's link, once, and not by looking at it", async () => {
    const tess = await app.trader();
    const token = await box.tokenTo(tess.email, "/verify-email");
    // A scanner of mail opens every link, as often as it likes.
    for (let n = 0; n < 3; n++) expect((await app.stranger().get(`/verify-email?token=${token}`)).status).toBe(200);
    expect((await tess.get("/api/auth/user")).body).toMatchObject({ isEmailVerified: false });
    const done = await app.stranger().post<{ user: object }>("/api/auth/verify-email", { token });
    expect([done.status, done.body.user]).toMatchObject([200, { email: tess.email, isEmailVerified: true }]);
    const again = await app.stranger().post("/api/auth/verify-email", { token });
    expect([again.status, again.body as object]).toEqual([404, OVER]);
  });

  test("asks for another letter, three times; then one has to wait", async () => {
    const tess = await app.trader();
    await box.tokenTo(tess.email, "/verify-email");
    const sent = await Promise.all(Array.from({ length: 3 }, () => tess.post("/api/auth/verify-email/send")));
    expect(sent.map(({ status }) => status)).toEqual([204, 204, 204]);
    expect((await tess.post("/api/auth/verify-email/send")).status).toBe(429);
    // Each letter's link is as good as the others.
    const first = await box.tokenTo(tess.email, "/verify-email", 4);
    expect((await app.stranger().post("/api/auth/verify-email", { token: first })).status).toBe(200);
    await app.sql`delete from throttles`;
    expect((await tess.post("/api/auth/verify-email/send")).status).toBe(204);
    const [{ count = 0 } = {}] = await app.sql<{ count: number }[]>`select count(*) as count from letters where user_id = ${tess.id} and kind = 'verify_email'`;
    expect(count).toBe(4);
  });

  test("is what a withdrawal needs", async () => {
    const tess = await app.trader();
    await approvedWithMoney(app, tess, "500.00");
    const ask = () => tess.post("/api/withdrawals", withdrawal);
    const refused = await ask();
    expect([refused.status, refused.body.code]).toEqual([422, "email_unverified"]);
    await app.stranger().post("/api/auth/verify-email", { token: await box.tokenTo(tess.email, "/verify-email") });
    expect((await ask()).status).toBe(201);
  });
});

describe("a forgotten password", () => {
  test("has a way back: the sessions end, the streams too, and the new one signs in", async () => {
    const tess = await app.trader();
    const token = await askReset(tess);
    const ended: unknown[] = [];
    const stop = app.context.bus.subscribe("sessions", (message) => void ended.push(message));
    const weak = await app.stranger().post<{ fields: object }>("/api/auth/reset", { token, password: "123456" });
    expect([weak.status, Object.keys(weak.body.fields)]).toEqual([400, ["password"]]);
    expect((await app.stranger().post("/api/auth/reset", { token, password: NEXT })).status).toBe(204);
    stop();
    expect(ended).toEqual([{ userId: tess.id, sessionId: null }]);
    expect(await isIn(tess)).toBe(false);
    expect([(await login(tess.email, PASSWORD)).status, (await login(tess.email, NEXT)).status]).toEqual([401, 200]);
    const again = await app.stranger().post("/api/auth/reset", { token, password: "Oth3r-horse" });
    expect([again.status, again.body as object]).toEqual([404, OVER]);
    // Who reads the mailbox has proved whose address it is.
    const [user] = await app.sql<{ verified: boolean }[]>`select is_email_verified as verified from users where id = ${tess.id}`;
    expect(user?.verified).toBe(true);
    await until("it is told", async () => {
      await app.mailer.wake();
      return server.to(tess.email).some(({ subject }) => subject === "Your password was changed");
    });
  });

  test("of 1,000 parallel uses of one link one counts, and its password is the one that signs in", async () => {
    const tess = await app.trader();
    const token = await askReset(tess);
    const passwords = Array.from({ length: 1_000 }, (_, n) => `N3w-horse-${n}`);
    let hashing = 0;
    const looks = setInterval(() => (hashing = Math.max(hashing, hashesWaiting())), 1);
    const answers = await Promise.all(passwords.map((password) => app.stranger().post("/api/auth/reset", { token, password })));
    const won = answers.flatMap(({ status }, n) => (status === 204 ? [passwords[n] ?? ""] : []));
    expect(won).toHaveLength(1);
    // Beside it the link is over, or too many of them came at once. One link makes nobody wait who signs in: of all of them one was hashed.
    expect(answers.filter(({ status }) => ![204, 404, 503].includes(status))).toEqual([]);
    clearInterval(looks);
    expect(hashing).toBe(0);
    await app.sql`delete from throttles`;
    expect((await login(tess.email, won[0] ?? "")).status).toBe(200);
    const [{ count = 0 } = {}] = await app.sql<
      { count: number }[]
    >`select count(*) as count from letters where user_id = ${tess.id} and kind = 'password_changed'`;
    expect(count).toBe(1);
    // What needs no password is all worked on: each of the thousand hears the same.
    const vera = await app.trader();
    const verify = await box.tokenTo(vera.email, "/verify-email");
    const statuses = (await Promise.all(passwords.map(() => app.stranger().post("/api/auth/verify-email", { token: verify })))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => ![200, 404, 503].includes(status))).toEqual([]);
  });

  test("is answered alike whether anybody has the address, by the same work", async () => {
    const tess = await app.trader();
    const asked: string[] = [];
    for (const email of [tess.email, "nobody@t.test"]) {
      const { status, text, headers } = await app.stranger().post("/api/auth/forgot", { email });
      asked.push(JSON.stringify([status, text, [...headers].filter(([name]) => name !== "date").sort()]));
    }
    expect(asked[0]).toBe(asked[1] as string);
    // The request itself wrote one row of the same shape for each, and no letter.
    const app2 = await testApp({ SMTP_URL: server.url, ...MAIL });
    await app2.follow();
    const una = await app2.trader();
    for (const email of [una.email, "nobody@t.test"]) await app2.stranger().post("/api/auth/forgot", { email });
    expect((await app2.sql<{ email: string }[]>`select email from reset_asks order by place`).map(({ email }) => email)).toEqual([una.email, "nobody@t.test"]);
    expect(await app2.sql`select from letters where kind = 'reset_password'`).toHaveLength(0);
    await app2.end();
  });

  test("has a link to PUBLIC_URL, whatever a request says of its host", async () => {
    const tess = await app.trader();
    const evil = { host: "evil.example", "x-forwarded-host": "evil.example", forwarded: "host=evil.example" };
    expect((await app.stranger().post("/api/auth/forgot", { email: tess.email }, evil)).status).toBe(204);
    const letter = await box.letterTo(tess.email, "/reset-password");
    expect(linkIn(letter, "/reset-password")).toStartWith(`${MAIL.PUBLIC_URL}/reset-password?token=`);
    for (const host of ["evil.example", "halyard.test"]) expect(JSON.stringify(letter)).not.toContain(host);
  });

  test("sends one address three letters an hour, whoever asks, and makes its owner wait for nothing", async () => {
    const tess = await app.trader();
    for (let n = 0; n < 8; n++) expect((await app.stranger().post("/api/auth/forgot", { email: tess.email })).status).toBe(204);
    await app.sql`delete from throttles`;
    for (let n = 0; n < 3; n++) expect((await app.stranger().post("/api/auth/forgot", { email: tess.email })).status).toBe(204);
    await app.mailer.wake();
    const letters = await app.sql`select from letters where user_id = ${tess.id} and kind = 'reset_password'`;
    expect(letters).toHaveLength(3);
    expect((await login(tess.email, PASSWORD)).status).toBe(200);
  });

  test("is asked for by one network so often and no more", async () => {
    const answers: number[] = [];
    for (let n = 0; n < 31; n++) answers.push((await app.stranger().post("/api/auth/forgot", { email: `n${n}@t.test` })).status);
    expect([answers.filter((status) => status === 204).length, answers.at(-1)]).toEqual([30, 429]);
  });

  test("of a thousand uses at once of a letter's links, which has two where it was sent twice, one counts", async () => {
    const tess = await app.trader();
    const token = await askReset(tess);
    const [letter] = await app.sql<{ id: string }[]>`select id from letters where user_id = ${tess.id} and kind = 'reset_password'`;
    const { reset = "" } = await makeLinks(app.context.sql, { id: letter?.id ?? "", userId: tess.id }, ["reset"], "");
    const hashes = [token, reset.split("token=")[1] ?? ""].map(hashOfToken);
    const spend = (sql: Sql, n: number) => sql`select password_reset(${hashes[n % 2] ?? ""}, 'x', true, '{}', '', '')`;
    // The first has not committed while the others look, all of whom it holds up.
    const first = await handHeld(app.db);
    await spend(first.sql, 0);
    const others = Promise.allSettled(Array.from({ length: 999 }, (_, n) => spend(app.sql, n)));
    await until("they wait", async () => (await waiting(app.context.sql)) > 1);
    await first.commit();
    const results = await others;
    await first.end();
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(0);
    for (const result of results) if (result.status === "rejected") expect((result.reason as { detail: string }).detail).toBe("link_over");
  }, 120_000);

  test("of twenty calls at once one counts", async () => {
    const tess = await app.trader();
    const token = await askReset(tess);
    const answers = await statuses(Array.from({ length: 20 }, (_, n) => app.stranger().post("/api/auth/reset", { token, password: `${NEXT}${n}` })));
    expect(answers).toEqual([204, ...Array<number>(19).fill(404)]);
  });

  test("has a link for half an hour, and none for an address that was changed since", async () => {
    const tess = await app.trader();
    const token = await askReset(tess);
    await app.sql`update letter_links set expires_at = expires_at - interval '30 minutes'`;
    expect((await app.stranger().post("/api/auth/reset", { token, password: NEXT })).status).toBe(404);
    expect((await app.stranger().get(`/reset-password?token=${token}`)).text).toContain(OVER.message);
    const second = await askReset(tess, 2);
    await app.sql`update users set email = ${`new-${tess.email}`} where id = ${tess.id}`;
    expect((await app.stranger().post("/api/auth/reset", { token: second, password: NEXT })).status).toBe(404);
  });

  test("keeps the second factor", async () => {
    const tess = await app.trader();
    await app.sql`insert into two_factors (user_id, secret, confirmed_at) values (${tess.id}, ${"A".repeat(32)}, now())`;
    expect((await app.stranger().post("/api/auth/reset", { token: await askReset(tess), password: NEXT })).status).toBe(204);
    expect((await login(tess.email, NEXT)).body.code).toBe("two_factor_required");
  });

  test("one page and one sentence for tokens that are unknown, used, expired or no tokens at all", async () => {
    const junk = ["", "x", "A".repeat(43), "'; drop table users; --", "%00", "é", "A".repeat(4000)];
    const shown = new Set<string>();
    for (const page of ["/reset-password", "/verify-email", "/take-back-email", "/freeze", "/unsubscribe"])
      for (const token of junk) {
        const { status, text } = await app.stranger().get(`${page}?token=${encodeURIComponent(token)}`);
        expect([page, token.slice(0, 20), status]).toEqual([page, token.slice(0, 20), 404]);
        shown.add(/<main[^]*<\/main>/.exec(text)?.[0] ?? "none");
      }
    expect([...shown].map((html) => html.includes(OVER.message))).toEqual([true]);
  });
});

describe("letters of a topic", () => {
  test("stop by their link, by a press or by a mail program alone, and never by being looked at", async () => {
    const tess = await app.trader();
    await app.sql`select letter_post(${tess.id}, 'ticket_answered', '{"subject":"Help"}')`;
    const letter = await box.letterTo(tess.email, "/unsubscribe");
    const link = new URL(linkIn(letter, "/unsubscribe"));
    expect((await app.stranger().get(link.pathname + link.search)).text).toContain("No more letters of this kind");
    const wants = async () => (await tess.get<{ email: { support: boolean; money: boolean } }>("/api/user/notices")).body.email;
    expect((await wants()).support).toBe(true);
    // RFC 8058: one POST to the address, with these words and nothing else.
    const form = { "content-type": "application/x-www-form-urlencoded" };
    const left = await app.stranger().call("POST", link.pathname + link.search, { raw: "List-Unsubscribe=One-Click", headers: form });
    expect(left.status).toBe(200);
    expect(await wants()).toMatchObject({ support: false, money: true });
    expect((await app.stranger().call("POST", link.pathname + link.search, { raw: "List-Unsubscribe=One-Click", headers: form })).status).toBe(200);
  });
});

test("without a mail server another address counts at once, and no address is asked to be verified", async () => {
  const bare = await testApp();
  const tess = await bare.trader();
  await approvedWithMoney(bare, tess, "500.00");
  expect((await tess.post("/api/withdrawals", withdrawal)).status).toBe(201);
  expect((await tess.post("/api/auth/email", { email: `n-${tess.email}`, password: PASSWORD })).body).toEqual({ pending: false });
  expect((await tess.get("/api/auth/user")).body).toMatchObject({ email: `n-${tess.email}`, isEmailVerified: false });
  expect((await bare.stranger().get("/forgot-password")).text).toContain("This site sends no letters");
  expect((await bare.stranger().post("/api/auth/forgot", { email: tess.email })).status).toBe(204);
  await bare.end();
});
