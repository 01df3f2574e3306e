import { describe, expect, test } from "bun:test";
import { firing, scrapeOf } from "../testing/alert_rules";
import { type TestApp, testApp } from "../testing/app";
import { MAIL, dueNow, stateOf } from "../testing/letters";
import { openMailServer, openNonsense } from "../testing/mail_server";
import { until } from "../testing/scenarios";

/** Whatever the mail server does, nothing waits for it and nothing is lost. */

describe("a mail server", () => {
  const withServer = async (url: string, work: (app: TestApp) => Promise<void>) => {
    const app = await testApp({ SMTP_URL: url, ...MAIL });
    try {
      await work(app);
    } finally {
      await app.end();
    }
  };

  test("that refuses an address for good is told at the client, in its own words", async () => {
    const server = await openMailServer({
      onRcptTo({ address }, _, done) {
        done(
          address.startsWith("full")
            ? Object.assign(new Error("4.2.2 mailbox full"), { responseCode: 452 })
            : Object.assign(new Error("5.1.1 no such user here"), { responseCode: 550 }),
        );
      },
    });
    await withServer(server.url, async (app) => {
      const tess = await app.trader();
      const full = await app.trader({ email: "full@t.test" });
      await app.mailer.wake();
      await until(
        "both were tried",
        async () => (await stateOf(app, tess.id, "verify_email"))?.status === "failed" && (await stateOf(app, full.id, "verify_email"))?.attempts === 1,
      );
      expect((await stateOf(app, tess.id, "verify_email"))?.answer).toContain("550 5.1.1 no such user here");
      await until("it waits", async () => (await stateOf(app, full.id, "verify_email"))?.answer?.includes("452") === true);
      expect(await stateOf(app, full.id, "verify_email")).toMatchObject({ status: "waiting" });
      const admin = await app.admin();
      expect((await admin.get(`/admin/users/${tess.id}?tab=letters`)).text).toContain("550 5.1.1 no such user here");
      const listed = await admin.get<{ id: string; answer: string }[]>("/api/admin/letters?status=failed");
      expect(listed.body.map(({ answer }) => answer)).toEqual([expect.stringContaining("550")]);
      const metrics = (await admin.get("/metrics")).text;
      expect(metrics).toContain("halyard_letters_failed 1");
      expect(metrics).toMatch(/halyard_letters_waiting [1-9]/);
    });
    await server.close();
  });

  test.each([
    ["that is gone", async () => ({ url: "smtp://127.0.0.1:1", close: () => {} })],
    ["that speaks nonsense", () => openNonsense("HTTP/1.1 200 OK\r\n\r\n<html>")],
    [
      "that hangs up on every letter",
      () => openMailServer({ onMailFrom: (_, __, done) => done(Object.assign(new Error("4.3.2 shutting down"), { responseCode: 421 })) }),
    ],
  ])("%s keeps nobody waiting and loses nothing", async (_, open) => {
    const broken = await open();
    await withServer(broken.url, async (app) => {
      const tess = await app.trader();
      await app.mailer.wake();
      await until("it was tried", async () => ((await stateOf(app, tess.id, "verify_email"))?.answer ?? null) !== null);
      expect(await stateOf(app, tess.id, "verify_email")).toMatchObject({ status: "waiting", attempts: 1 });
      expect((await tess.get("/api/auth/user")).status).toBe(200);
    });
    await broken.close();
  });

  test("that says nothing is waited for by nobody but the mailer, and is left when the program rests", async () => {
    const silent = await openNonsense("");
    await withServer(silent.url, async (app) => {
      const tess = await app.trader();
      void app.mailer.wake();
      await until("it is being tried", async () => (await stateOf(app, tess.id, "verify_email"))?.attempts === 1);
      const una = await app.trader();
      expect((await una.get("/api/auth/user")).status).toBe(200);
      await app.follow();
      expect(await stateOf(app, tess.id, "verify_email")).toMatchObject({ status: "waiting" });
    });
    silent.close();
  });

  test("that is back gets what waited", async () => {
    const server = await openMailServer();
    await server.close();
    await withServer(server.url, async (app) => {
      const tess = await app.trader();
      await app.mailer.wake();
      await until("it was tried", async () => ((await stateOf(app, tess.id, "verify_email"))?.answer ?? null) !== null);
      const again = await openMailServer();
      // The same letters at another server: as after an operator corrected the setting.
      const other = await testApp({ SMTP_URL: again.url, ...MAIL }, app.db);
      await app.follow();
      await dueNow(app);
      await other.mailer.wake();
      await until("it came", () => again.to(tess.email).length === 1);
      await other.close();
      await again.close();
    });
  });

  test("that stays away, or takes a letter no more, sets off the alert for letters; one that is back ends it", async () => {
    const away = await openMailServer();
    await away.close();
    await withServer(away.url, async (app) => {
      const admin = await app.admin();
      const alarmed = async () => (await firing(scrapeOf((await admin.get("/metrics")).text))).includes("HalyardLettersWait");
      const tess = await app.trader();
      await app.mailer.wake();
      await until("it was tried", async () => ((await stateOf(app, tess.id, "verify_email"))?.answer ?? null) !== null);
      expect(await alarmed()).toBe(false);
      await app.sql`update letters set created_at = created_at - interval '16 minutes'`;
      expect(await alarmed()).toBe(true);
      const again = await openMailServer();
      const other = await testApp({ SMTP_URL: again.url, ...MAIL }, app.db);
      await app.follow();
      await dueNow(app);
      await until("all came", async () => {
        await other.mailer.wake();
        return (await app.sql`select from letters where status = 'waiting'`).length === 0;
      });
      expect(await alarmed()).toBe(false);
      const una = await app.trader();
      await app.sql`update letters set created_at = created_at - interval '25 hours' where user_id = ${una.id}`;
      app.mailer.lead();
      await until("it was given up", async () => {
        await app.mailer.wake();
        return (await stateOf(app, una.id, "verify_email"))?.status === "failed";
      });
      expect(await alarmed()).toBe(true);
      await other.close();
      await again.close();
    });
  });

  test("asks for a name and a password, which are given", async () => {
    const seen: unknown[] = [];
    const server = await openMailServer({
      authOptional: false,
      onAuth({ username, password }, _, done) {
        seen.push([username, password]);
        done(null, { user: username });
      },
    });
    await withServer(server.url.replace("//", "//us%40er:p%3Ass@"), async (app) => {
      const tess = await app.trader();
      await app.mailer.wake();
      await until("it came", () => server.to(tess.email).length === 1);
    });
    expect(seen[0]).toEqual(["us@er", "p:ss"]);
    await server.close();
  });

  test("gets a test letter at once, and what it says is shown", async () => {
    const server = await openMailServer({
      onRcptTo: ({ address }, _, done) => done(address.startsWith("bad") ? Object.assign(new Error("5.7.1 not here"), { responseCode: 554 }) : null),
    });
    await withServer(server.url, async (app) => {
      const [admin, tess] = [await app.admin(), await app.trader()];
      const test = (address: string) => admin.post<{ delivered: boolean; answer: string }>("/api/admin/letters/test", { address });
      expect((await test("me@t.test")).body).toEqual({ delivered: true, answer: expect.stringContaining("OK: taken") as string });
      expect(server.to("me@t.test")).toHaveLength(1);
      expect((await test("bad@t.test")).body).toEqual({ delivered: false, answer: expect.stringContaining("554 5.7.1 not here") as string });
      expect((await test("a@t.test\r\nBcc: x@t.test")).status).toBe(400);
      expect((await tess.post("/api/admin/letters/test", { address: "me@t.test" })).status).toBe(403);
      await app.sql`update sessions set confirmed_at = now() - interval '16 minutes' where user_id = ${admin.id}`;
      expect((await test("me@t.test")).body).toMatchObject({ code: "reauth_required" });
    });
    await server.close();
  });

  test.each(["smtps", "smtp"])("that asks for TLS and a password gets both, by %s", async (scheme) => {
    const seen: unknown[] = [];
    const server = await openMailServer({
      secure: scheme === "smtps",
      disabledCommands: [],
      authOptional: false,
      allowInsecureAuth: false,
      onAuth({ username, password }, { secure }, done) {
        seen.push([username, password, secure]);
        done(null, { user: username });
      },
    });
    const url = `${scheme}://post:pass%20word@127.0.0.1:${server.port}`;
    await withServer(url, async (app) => {
      const tess = await app.trader();
      await until("it came", async () => {
        await app.mailer.wake();
        return server.to(tess.email).length > 0;
      });
      expect(seen).toEqual([["post", "pass word", true]]);
      expect(await stateOf(app, tess.id, "verify_email")).toMatchObject({ status: "sent" });
    });
    await server.close();
  });

  test("that a program was given a letter twice and died each time gets it no third time, and staff read why", async () => {
    const server = await openMailServer();
    await withServer(server.url, async (app) => {
      await app.follow();
      const tess = await app.trader();
      const letter = await stateOf(app, tess.id, "verify_email");
      await app.sql`update letters set handed = 1, attempts = 1 where id = ${letter?.id ?? ""}`;
      const una = await app.trader();
      await app.sql`update letters set handed = 2, attempts = 2 where user_id = ${una.id}`;
      app.mailer.lead();
      await until("both are settled", async () => {
        await app.mailer.wake();
        return (await app.sql`select from letters where status = 'waiting' and kind = 'verify_email'`).length === 0;
      });
      expect([server.to(tess.email).length, server.to(una.email).length]).toEqual([1, 0]);
      expect(await stateOf(app, una.id, "verify_email")).toMatchObject({ status: "failed", answer: expect.stringContaining("may have come twice") });
    });
    await server.close();
  });
});
