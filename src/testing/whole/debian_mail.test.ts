import { afterAll, beforeAll, expect, test } from "bun:test";
import { lineTo, write } from "../../mail/compose";
import { keyOfLog } from "../../proof/queries";
import { KINDS, type LetterKind, linksOf, PAGE_OF } from "../../mail/rules";
import { type TestApp, testApp } from "../app";
import { browserOf } from "../browser";
import { openExim } from "../exim";
import { LETTER_FACTS, posted, stateOf, type Trader } from "../letters";
import { linkIn } from "../mail_server";
import { until } from "../scenarios";

/** Letters by Debian's own mail server: over TLS into a Maildir, read there as they were written, their links followed in a browser. */

let exim: Awaited<ReturnType<typeof openExim>>;
let app: TestApp;
let browser: Awaited<ReturnType<typeof browserOf>>;
beforeAll(async () => {
  exim = await openExim();
  app = await testApp({ SMTP_URL: exim.url, MAIL_FROM: "Halyard <post@halyard.example>", PUBLIC_URL: "http://127.0.0.1" });
  browser = await browserOf(app);
  Object.assign(app.context.config, { publicUrl: `http://127.0.0.1:${app.router.server?.port}` });
});
afterAll(async () => {
  expect(await browser.close()).toEqual([]);
  await app.end();
  await exim.close();
});

/** Each kind by its own: what it tells, and the letter as it lies in the mailbox. */
async function lettersTo(tess: Trader) {
  const kinds = Object.keys(KINDS) as LetterKind[];
  await app.quote("EUR/USD", "1.10000", "1.10002");
  const [{ body: position }, { body: ticket }] = await Promise.all([
    tess.post<{ id: string }>("/api/trading/positions", { symbol: "EUR/USD", type: "buy", amount: 100 }),
    tess.post<{ id: string }>("/api/support/tickets", { subject: "Help", message: "Please", category: "general" }),
  ]);
  const facts = { ...(JSON.parse(LETTER_FACTS) as object), positionId: position.id, ticketId: ticket.id };
  await app.follow();
  for (const kind of kinds) if (kind !== "verify_email") await posted(app, tess.id, kind, facts);
  app.mailer.lead();
  await until("all came", () => exim.to(tess.email).length >= kinds.length);
  const rows = await app.sql<
    { id: string; kind: LetterKind; facts: Record<string, unknown> }[]
  >`select id, kind, facts from letters where user_id = ${tess.id}`;
  const came = exim.to(tess.email);
  expect(came).toHaveLength(rows.length);
  return rows.map(({ id, ...row }) => {
    const letter = came.find(({ headers }) => headers["message-id"] === `<${id}@halyard.example>`);
    if (!letter) throw new Error(`${row.kind} did not come`);
    return { ...row, letter };
  });
}

test("each kind comes as it was written, and every link of it opens in a browser, using nothing up", async () => {
  await app.logbook.wake();
  const tess = await app.trader({ firstName: "Ottilie" });
  const letters = await lettersTo(tess);
  for (const { kind, facts, letter } of letters) {
    const links = Object.fromEntries(linksOf(kind).map((purpose) => [purpose, linkIn(letter, PAGE_OF[purpose])]));
    const { subject, text, html } = write(app.context.config, app.context.brand, { kind, facts, firstName: "Ottilie" }, links, await keyOfLog(app.sql));
    expect([kind, letter.from, letter.subject, letter.text.trimEnd(), letter.html.trimEnd()]).toEqual([
      kind,
      "post@halyard.example",
      subject,
      text.trimEnd(),
      html,
    ]);
  }
  // Over TLS, each of them, which Exim offers and nobody asked for.
  expect(exim.log().match(/ <= post@halyard\.example .* X=TLS/g)).toHaveLength(letters.length);

  const page = await browser.visitAs(tess, { javaScriptEnabled: false });
  const opened = new Set<string>();
  for (const { kind, letter } of letters) {
    await page.setContent(letter.html);
    const hrefs = await page.locator("a").evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href));
    expect([kind, hrefs.length > 0]).toEqual([kind, true]);
    for (const href of hrefs.filter((each) => !opened.has(each))) {
      opened.add(href);
      const answer = await page.goto(href);
      expect([kind, href, answer?.status()]).toEqual([kind, href, 200]);
      if (href.includes("token=")) expect(await page.locator("main form button").count()).toBe(1);
    }
  }
  expect(await app.sql`select from letter_links where used_at is not null`).toHaveLength(0);
  const verify = letters.find(({ kind }) => kind === "verify_email");
  await page.setContent(verify?.letter.html ?? "");
  await page.locator('a[href*="/verify-email?token="]').first().click();
  await page.getByRole("button", { name: "This address is mine" }).click();
  await page.getByRole("heading", { name: "Your address is verified" }).waitFor();
  expect(await app.sql`select from users where id = ${tess.id} and is_email_verified`).toHaveLength(1);
});

test("of many letters that go one after another none is left to lie", async () => {
  const line = lineTo(app.context.config);
  const letter = Buffer.from("Subject: One of many\r\n\r\nOne of many\r\n");
  for (let n = 0; n < 25; n++) expect(await line?.send({ from: "post@halyard.example", to: "many@t.test" }, letter)).toMatchObject({ to: "sent" });
  line?.end();
  await until("all came", () => exim.to("many@t.test").length === 25);
});

test("what it refuses is told in its words: for good, or until later", async () => {
  const [nobody, full, elsewhere] = [
    await app.trader({ email: "nobody@t.test" }),
    await app.trader({ email: "full@t.test" }),
    await app.trader({ email: "tess@elsewhere.example" }),
  ];
  const [one, two, three] = [nobody, full, elsewhere].map(
    ({ id }) =>
      () =>
        stateOf(app, id, "verify_email"),
  );
  await until("all were tried", async () => {
    await app.mailer.wake();
    return (await Promise.all([one?.(), two?.(), three?.()])).every((row) => (row?.answer ?? null) !== null);
  });
  expect(await one?.()).toMatchObject({ status: "failed", answer: expect.stringContaining("550 no such user here") });
  expect(await two?.()).toMatchObject({ status: "waiting", answer: expect.stringContaining("451 mailbox is full") });
  expect(await three?.()).toMatchObject({ status: "failed", answer: expect.stringContaining("550 relay not permitted") });
});
