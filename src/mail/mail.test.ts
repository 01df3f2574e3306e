import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type TestApp, testApp } from "../testing/app";
import { dueNow, HOUSE, MAIL, posted, stateOf } from "../testing/letters";
import { linkIn, openMailServer } from "../testing/mail_server";
import { until } from "../testing/scenarios";
import { post, settleLetter, takeLetter } from "./commands";
import { write } from "./compose";
import { isKind, KINDS, type LetterKind, linksOf, pauseAfter, waitAfter } from "./rules";
import { readConfig } from "../config";
import { HOUR, MINUTE, SECOND } from "../lib/time";

/** Letters are written with the command, sent over real SMTP, and neither lost nor sent twice. */

const PUBLIC_URL = MAIL.PUBLIC_URL;

describe("a letter", () => {
  let server: Awaited<ReturnType<typeof openMailServer>>;
  let app: TestApp;
  beforeAll(async () => {
    server = await openMailServer();
    app = await testApp({ SMTP_URL: server.url, ...MAIL });
  });
  afterAll(async () => {
    await app.end();
    await server.close();
  });
  beforeEach(() => void (server.got.length = 0));

  test("is sent as text and HTML, from whom it should be, under its own id", async () => {
    const tess = await app.trader({ firstName: "Tess" });
    await app.mailer.wake();
    await until("it came", () => server.to(tess.email).length === 1);
    const [letter] = server.to(tess.email);
    const row = await stateOf(app, tess.id, "verify_email");
    expect(row).toMatchObject({ status: "sent", attempts: 1 });
    expect(row?.answer).toContain("OK: taken");
    expect(letter).toMatchObject({ from: "post@halyard.example", subject: "Verify your email address" });
    expect(letter?.headers).toMatchObject({
      from: "Halyard <post@halyard.example>",
      to: tess.email,
      "message-id": `<${row?.id}@halyard.example>`,
      "auto-submitted": "auto-generated",
    });
    expect(letter?.headers["list-unsubscribe"]).toBeUndefined();
    expect(linkIn(letter as never, "/verify-email")).toStartWith(`${PUBLIC_URL}/verify-email?token=`);
    expect(letter?.html).toContain(linkIn(letter as never, "/verify-email"));
    expect(letter?.html).not.toMatch(/<img|src=|url\(/);
  });

  test("of each kind says something, has one line for its subject, and brings its links", async () => {
    await app.logbook.wake();
    const key = (await app.stranger().get("/log/key")).text.trim();
    expect(key).toStartWith("halyard.example/log+");
    const tess = await app.trader();
    for (const kind of Object.keys(KINDS)) if (kind !== "verify_email") await posted(app, tess.id, kind, { month: "2026-10", subject: "Help", ticketId: "x" });
    await app.mailer.wake();
    await until("all came", () => server.to(tess.email).length === Object.keys(KINDS).length);
    const rows = await app.sql<{ id: string; kind: LetterKind }[]>`select id, kind from letters where user_id = ${tess.id}`;
    for (const { id, kind } of rows) {
      const letter = server.to(tess.email).find(({ headers }) => headers["message-id"] === `<${id}@halyard.example>`);
      expect(letter?.subject).toMatch(/^\S.{5,}\S$/);
      // Whoever noted the log's key from a letter can tell another one on the site.
      for (const text of [letter?.text, letter?.html]) expect([kind, text?.includes(key)]).toEqual([kind, true]);
      expect([kind, letter?.text.includes("undefined"), letter?.text.includes("[hidden]")]).toEqual([kind, false, false]);
      const page = { verify: "/verify-email", reset: "/reset-password", take_back: "/take-back-email", freeze: "/freeze", unsubscribe: "/unsubscribe" };
      for (const purpose of linksOf(kind)) {
        expect(letter?.html.replaceAll("&amp;", "&")).toContain(linkIn(letter as never, page[purpose]));
      }
      const leave = letter?.headers["list-unsubscribe"];
      expect([kind, leave !== undefined]).toEqual([kind, KINDS[kind].topic !== null]);
      if (leave) {
        expect(leave).toBe(`<${linkIn(letter as never, "/unsubscribe")}>`);
        expect(letter?.headers["list-unsubscribe-post"]).toBe("List-Unsubscribe=One-Click");
      }
    }
  });

  test("is not written where its transaction is taken back", async () => {
    const tess = await app.trader();
    const undone = app.sql.begin(async (tx) => {
      await post(tx, tess.id, "password_changed");
      throw new Error("taken back");
    });
    await expect(undone).rejects.toThrow("taken back");
    expect(await stateOf(app, tess.id, "password_changed")).toBeUndefined();
  });

  test("is left out by the person's choice, unless it concerns security", async () => {
    const tess = await app.trader();
    await tess.patch("/api/user/notices", { email: { money: false, margin: false, trades: false, support: false, statements: false } });
    for (const kind of Object.keys(KINDS)) await posted(app, tess.id, kind, { month: "2026-10" });
    const kinds = await app.sql<{ kind: LetterKind }[]>`select distinct kind from letters where user_id = ${tess.id}`;
    expect(kinds.map(({ kind }) => kind).sort()).toEqual((Object.keys(KINDS) as LetterKind[]).filter((kind) => KINDS[kind].topic === null).sort());
  });

  test("has one topic in SQL and here", async () => {
    const rows = await app.sql<{ kind: LetterKind; topic: string | null }[]>`
      select kind, letter_topic(kind) as topic from unnest(${Object.keys(KINDS)}::text[]) as k (kind)
    `;
    for (const { kind, topic } of rows) expect([kind, topic]).toEqual([kind, KINDS[kind].topic]);
  });

  test("lets nobody write its head: not by a name, a subject or a fact", async () => {
    const stranger = app.stranger();
    const form = { firstName: "Ada", lastName: "L", email: "ada@t.test", password: "Corr3ct-horse", referralCode: "" };
    for (const evil of ["Ada\r\nBcc: all@t.test", "Ada\nBcc: all@t.test", "Ada\tX"])
      for (const field of ["firstName", "lastName"]) {
        const refused = await stranger.post("/api/auth/register", { ...form, [field]: evil });
        expect([refused.status, refused.body.code]).toEqual([422, "single_line"]);
      }
    const tess = await app.trader();
    const ticket = { subject: "Hi\r\nBcc: all@t.test", message: "Help", category: "technical", priority: "low" };
    expect((await tess.post("/api/support/tickets", ticket)).status).toBe(422);
    expect((await stranger.post("/api/contact", { name: "A\nBcc: x", email: "a@t.test", subject: "S", message: "M" })).status).toBe(422);
    // Whatever a fact held, the letter is one with one head.
    await posted(app, tess.id, "ticket_answered", { subject: "Hi\r\nBcc: all@t.test\r\n\r\nBody", ticketId: "x" });
    await app.mailer.wake();
    await until("it came", () => server.to(tess.email).some(({ subject }) => subject.startsWith("Your ticket")));
    const letter = server.to(tess.email).find(({ subject }) => subject.startsWith("Your ticket"));
    expect(letter?.subject).toBe("Your ticket was answered: Hi Bcc: all@t.test Body");
    expect(letter?.headers.bcc).toBeUndefined();
    expect(server.got.filter(({ to }) => to === "all@t.test")).toEqual([]);
  });

  test("is taken by one of many who ask at once", async () => {
    const tess = await app.trader();
    await app.follow();
    await app.sql`update letters set status = 'kept', ended_at = now() where status = 'waiting'`;
    for (let n = 0; n < 20; n++) await posted(app, tess.id, "password_changed");
    const taken = await Promise.all(Array.from({ length: 60 }, () => takeLetter(app.context.sql, MINUTE)));
    const ids = taken.flatMap((letter) => (letter ? [letter.id] : []));
    expect(ids).toHaveLength(20);
    expect(new Set(ids).size).toBe(20);
    await app.retake();
    // Their taker is gone: after its time others send them.
    await dueNow(app);
    await app.mailer.wake();
    await until("all came", () => server.to(tess.email).filter(({ subject }) => subject === "Your password was changed").length === 20);
  });

  test("holds no token: what the database keeps opens nothing", async () => {
    const tess = await app.trader();
    await app.mailer.wake();
    await until("it came", () => server.to(tess.email).length === 1);
    const token = linkIn(server.to(tess.email)[0] as never, "/verify-email").split("token=")[1] ?? "";
    expect(Buffer.from(token, "base64url")).toHaveLength(32);
    const [dump] = await app.sql<{ all: string }[]>`
      select (select string_agg(l::text, ' ') from letters l) || (select string_agg(k::text, ' ') from letter_links k) as all
    `;
    expect(dump?.all).not.toContain(token);
  });
});

describe("without a mail server", () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await testApp();
  });
  afterAll(() => app.end());

  test("letters are kept and say so, and whoever tries the program can follow their links", async () => {
    const [tess, admin] = [await app.trader({ firstName: "Tess" }), await app.admin()];
    await app.mailer.wake();
    const row = await stateOf(app, tess.id, "verify_email");
    expect(row).toMatchObject({ status: "kept", answer: "not sent: no mail server is set" });
    const { body } = await admin.get<{ text: string; masked: boolean }>(`/api/admin/letters/${row?.id}`);
    expect(body.text).toContain("http://localhost:3000/verify-email?token=");
    expect(body.masked).toBe(false);
    const page = (await admin.get(`/admin?tab=system&view=mail`)).text;
    expect(page).toContain("No mail server is set");
    expect((await admin.get(`/admin?tab=system&view=mail&letter=${row?.id}`)).text).toContain("Welcome to Halyard, Tess.");
    expect((await admin.post("/api/admin/letters/test", { address: "me@t.test" })).body as object).toEqual({
      delivered: false,
      answer: "not sent: no mail server is set",
    });
    expect((await tess.get(`/api/admin/letters/${row?.id}`)).status).toBe(403);
    expect((await admin.get(`/admin?tab=system&view=mail&letter=nonsense`)).status).toBe(404);
  });
});

test("where a mail server is set, and on a live site, staff get at no link", async () => {
  const server = await openMailServer();
  for (const env of [
    { SMTP_URL: server.url, ...MAIL },
    { SITE_MODE: "live", FEED: "kraken" },
  ]) {
    const app = await testApp(env as Record<string, string>);
    const [tess, admin] = [await app.trader(), await app.admin()];
    const row = await stateOf(app, tess.id, "verify_email");
    const { body } = await admin.get<{ text: string; masked: boolean }>(`/api/admin/letters/${row?.id}`);
    expect(body.masked).toBe(true);
    expect(body.text).toContain("[hidden]");
    expect(body.text).not.toContain("token=");
    await app.end();
  }
  await server.close();
});

describe("waiting", () => {
  test("grows, and ends after a day in the server's own words", async () => {
    expect([1, 2, 3, 8, 9, 30].map(waitAfter)).toEqual([30 * SECOND, MINUTE, 2 * MINUTE, HOUR, HOUR, HOUR]);
    expect([1, 2, 20].map(pauseAfter)).toEqual([2 * SECOND, 4 * SECOND, MINUTE]);
    const app = await testApp({ SMTP_URL: "smtp://127.0.0.1:1", ...MAIL });
    await app.follow();
    const tess = await app.trader();
    const letter = await stateOf(app, tess.id, "verify_email");
    const again = { to: "again", answer: "451 4.3.0\r\n try later" } as const;
    await settleLetter(app.context.sql, { id: letter?.id ?? "", attempts: 3 }, again);
    expect(await stateOf(app, tess.id, "verify_email")).toMatchObject({ status: "waiting", answer: "451 4.3.0 try later" });
    const [{ wait = 0 } = {}] = await app.sql<
      { wait: number }[]
    >`select extract(epoch from due_at - clock_timestamp())::float8 as wait from letters where id = ${letter?.id ?? ""}`;
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(120);
    await app.sql`update letters set created_at = created_at - interval '25 hours'`;
    await settleLetter(app.context.sql, { id: letter?.id ?? "", attempts: 30 }, again);
    expect(await stateOf(app, tess.id, "verify_email")).toMatchObject({ status: "failed", answer: "451 4.3.0 try later" });
    await app.end();
  });
});

test("a kind that nobody knows is no kind", () => {
  expect([isKind("verify_email"), isKind("toString"), isKind("nothing")]).toEqual([true, false, false]);
  const { text } = write(readConfig({}), HOUSE, { kind: "statement", facts: { month: "2026-10" }, firstName: "Tess" }, {}, null);
  expect(text).toContain("your statement for October 2026 is ready");
});
