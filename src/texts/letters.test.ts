import { afterAll, beforeAll, expect, test } from "bun:test";
import { readConfig } from "../config";
import type { AuditEntry } from "../audit/schema";
import { write } from "../mail/compose";
import { letterIdOf, letterIds, ownWords, placeholdersOf, sampleOf, wordsFault } from "../mail/letter_words";
import { KINDS, type LetterKind } from "../mail/rules";
import { policyHash } from "../platform/page/page_style";
import { type TestApp, testApp } from "../testing/app";
import { counted } from "../testing/money";
import { HOUSE, MAIL, posted } from "../testing/letters";
import { openMailServer } from "../testing/mail_server";
import { until, withoutGuard } from "../testing/scenarios";
import type { LetterRead, StaffLetter } from "./schema_letters";

/** The words of letters are the operator's to write, with placeholders that are looked at, in versions. */

let app: TestApp;
let server: Awaited<ReturnType<typeof openMailServer>>;
let ann: Awaited<ReturnType<TestApp["admin"]>>;
beforeAll(async () => {
  server = await openMailServer();
  app = await testApp({ SMTP_URL: server.url, ...MAIL });
  ann = await app.admin();
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
  await server.close();
});

const ELSEWHERE = "A link's address stands on the other side of {link}: write it behind the link's words, as [words](https://…).";
const LINKS = "A link leads to https://…, http://…, mailto:… or a page of this site, such as /profile.";
type Refused = { version: number; message: string; fields?: Record<string, string> };
const path = (letter: string) => `/api/admin/letter-texts/${letter}`;
const read = async (letter: string) => (await ann.get<LetterRead>(path(letter))).body;
const put = (letter: string, words: object, by = ann) => by.post<Refused>(path(letter), { reason: "A test", ...words });
const sent = async (subject: string) => {
  await app.mailer.wake();
  await until(`a letter '${subject}' came`, () => server.got.some((letter) => letter.subject === subject));
  return server.got.find((letter) => letter.subject === subject);
};

test("of each kind of letter to people the house's own words are words, too, and come to the same letter", () => {
  const config = readConfig({});
  for (const id of letterIds) {
    const own = ownWords(id);
    expect([id, wordsFault(id, own)]).toEqual([id, null]);
    const source = sampleOf(id);
    expect(letterIdOf(source.kind, source.facts)).toBe(id);
    const links = { verify: "https://v", reset: "https://r", take_back: "https://t" };
    const by = (isMarkdown: boolean | null) => write(config, HOUSE, source, links, null, isMarkdown === null ? null : { ...own, isMarkdown });
    for (const isMarkdown of [true, false]) expect([id, by(isMarkdown)]).toEqual([id, by(null)]);
  }
  const told = new Set(letterIds.map((id) => sampleOf(id).kind as string));
  expect(Object.keys(KINDS).filter((kind) => !told.has(kind))).toEqual(["checkpoint", "test"]);
  expect([letterIdOf("test", {}), letterIdOf("deposit_decided" as LetterKind, { status: "other" })]).toEqual([null, "deposit_decided.rejected"]);
});

test("placeholders are looked at when they are saved: an unknown one, one that is missing, one in the wrong place", async () => {
  expect(await read("verify_email")).toMatchObject({ known: ["firstName", "brand", "link"], required: ["link"], versions: [] });
  const refusals: [string, { subject?: string; body?: string }, Record<string, string>][] = [
    ["verify_email", { body: "Hello {name}. {link}" }, { body: "There is no placeholder {name} here. Known are {firstName}, {brand}, {link}." }],
    ["verify_email", { body: "Hello {firstName}" }, { body: "{link} is missing: it stands where the button does." }],
    ["verify_email", { body: "Press {link}" }, { body: "{link} stands once, in a paragraph of its own." }],
    ["verify_email", { body: "{link}\n\nAgain\n\n{link}" }, { body: "{link} stands once, in a paragraph of its own." }],
    ["verify_email", { body: "A stray {\n\n{link}" }, { body: "There is no placeholder {{} here. Known are {firstName}, {brand}, {link}." }],
    ["verify_email", { subject: "Press {link}", body: "{link}" }, { subject: "There is no placeholder {link} here. Known are {firstName}, {brand}." }],
    ["margin_call", { body: "{link}" }, { body: "{facts} is missing: it stands where what happened is told." }],
    ["margin_call", { body: "{link}\n\n{facts}" }, { body: "{facts}, {link} stand one after the other, each once and in a paragraph of its own." }],
    ["account_closed", { body: "{link}" }, { body: "There is no placeholder {link} here. Known are {firstName}, {brand}, {until}." }],
    ["verify_email", { body: "[there](javascript:alert(1))\n\n{link}" }, { body: LINKS }],
    ["verify_email", { body: "[there](//other.example)\n\n{link}" }, { body: LINKS }],
    ["verify_email", { body: "[there][1]\n\n{link}\n\n[1]: data:text/html,x" }, { body: LINKS }],
    ["verify_email", { body: "See [the rules][r].\n\n{link}\n\n[r]: https://x.example/rules" }, { body: ELSEWHERE }],
    ["verify_email", { body: "[r]: /terms\n\n[r], [r]\n\n{link}\n\nAgain: [r]" }, { body: ELSEWHERE }],
    ["verify_email", { body: "[there](https://x.example/?{firstName})\n\n{link}" }, { body: "A link's address has no placeholder." }],
    ["verify_email", { subject: "Two\nlines", body: "{link}" }, { subject: "A subject has one line." }],
    ["verify_email", { subject: "", body: "" }, { subject: "A subject is required", body: "Words are required" }],
  ];
  for (const [letter, words, fields] of refusals) {
    const { status, body } = await put(letter, { subject: "A subject", body: "Words", version: 0, ...words });
    expect([letter, words, status, body.fields]).toEqual([letter, words, 400, fields]);
    if (Object.keys(words).length > 0) expect((await ann.post(`${path(letter)}/preview`, { subject: "A subject", body: "Words", ...words })).status).toBe(400);
  }
  const sameSide = { subject: "A subject", body: "See [the rules][r].\n\n[r]: /terms\n\n{link}" };
  expect((await ann.post(`${path("verify_email")}/preview`, sameSide)).status).toBe(200);
  for (const letter of ["checkpoint", "test", "nothing"]) expect((await put(letter, { subject: "A", body: "B", version: 0 })).status).toBe(404);
  expect((await read("verify_email")).versions).toEqual([]);
});

test("letters are written by the words that held when they were left; the way back is the house's own words", async () => {
  const tess = await app.trader({ firstName: "{brand} <b>Tess</b>" });
  const left = (amount: string) => posted(app, tess.id, "deposit_decided", { status: "approved", amount, credited: amount });
  await app.mailer.rest();
  await left("$1.00");
  const words = { subject: "{brand} has your {amount}", body: "Dear {firstName},\n\nthank you: {credited}.\n\n{facts}\n\n{link}\n\nYour {brand}" };
  expect((await put("deposit_decided.approved", { ...words, version: 0 })).body).toEqual({ version: 1 } as Refused);
  await left("$2.00");
  expect((await put("deposit_decided.approved", { ...words, subject: "Twice: {amount}", version: 1 })).body.version).toBe(2);
  await left("$3.00");
  expect((await put("deposit_decided.approved", { ...ownWords("deposit_decided.approved"), version: 2 })).body.version).toBe(3);
  await left("$4.00");
  app.mailer.lead();
  expect((await sent("Deposit of $1.00 credited"))?.text).toContain("your deposit is in your wallet.");
  const own = await sent("Halyard has your $2.00");
  // What a value holds is neither a placeholder nor HTML.
  expect(own?.text).toContain("Dear {brand} <b>Tess</b>,\n\nthank you: $2.00.\n\nCredited: $2.00\n\nSee your requests:");
  expect(own?.text).toContain("\n\nYour Halyard\n\n");
  expect(own?.html).toContain("Dear {brand} &lt;b&gt;Tess&lt;/b&gt;,");
  await sent("Twice: $3.00");
  expect((await sent("Deposit of $4.00 credited"))?.text).toContain("your deposit is in your wallet.");
  // Staff read an old letter as it was sent; other decisions keep their own words.
  const [{ id = "" } = {}] = await app.sql<{ id: string }[]>`select id from letters where facts ->> 'amount' = '$2.00'`;
  expect((await ann.get<{ subject: string }>(`/api/admin/letters/${id}`)).body.subject).toBe("Halyard has your $2.00");
  const { versions } = await read("deposit_decided.approved");
  expect(versions.map(({ version, subject, reason }) => [version, subject, reason])).toEqual([
    [3, null, "A test"],
    [2, "Twice: {amount}", "A test"],
    [1, "{brand} has your {amount}", "A test"],
  ]);
  const list = (await ann.get<StaffLetter[]>("/api/admin/letter-texts")).body;
  expect(list.find(({ letter }) => letter === "deposit_decided.approved")).toMatchObject({ version: 3, isOwn: true, title: "Deposit credited" });
  const [line] = (await ann.get<AuditEntry[]>("/api/admin/audit-trail?action=letter.write")).body;
  expect(line).toMatchObject({
    details: { letter: "deposit_decided.approved", version: 3 },
    previousState: { subject: "Twice: {amount}" },
    newState: { subject: null },
  });
  await expect(app.sql`update letter_texts set subject = 'Other'`).rejects.toThrow();
});

const MARKDOWN = `## For {firstName}

Your **{credited}** came, see [your history](/dashboard?tab=transactions), [the *bank*](https://bank.example/a?b=1&c=2) or [write](mailto:desk@halyard.example).
It was *{amount}* <script>alert(1)</script> &amp; ![a picture](https://spy.example/x.png).

1. One
2. Two
   - {brand}

> Quoted
> twice

| Coin | Fee |
| ---- | --- |
| BTC  | \`{bonus}\` |

---

{facts}

{link}

Yours, ~~the~~ {brand}
`;

test("words are Markdown in both parts of what is sent, and what a placeholder stands for is text in both; an older version stays plain", async () => {
  const tess = await app.trader({ firstName: "**Tess** [x](https://evil.example)" });
  const left = () => posted(app, tess.id, "deposit_decided", { status: "approved", amount: "$9.00", credited: "-$9.00", bonus: "2026-11-26" });
  const letter = "deposit_decided.approved";
  const { versions } = await read(letter);
  const plain = { subject: "Plain **{amount}**", body: "A **{credited}** and [x](/y)\n\n{facts}\n\n{link}\n\n1. Bye" };
  await app.sql`
    insert into letter_texts (letter, version, subject, body, created_by, reason)
    values (${letter}, ${(versions[0]?.version ?? 0) + 1}, ${plain.subject}, ${plain.body}, ${ann.id}, 'From before')
  `;
  await left();
  const before = await sent("Plain **$9.00**");
  expect(before?.text).toStartWith("A **−$9.00** and [x](/y)\n\nCredited: −$9.00\n");
  expect(before?.text).toContain("\n\n1. Bye\n\n");
  expect(before?.html).toContain(">A **<span");
  const [{ version = 0, isMarkdown } = {}] = (await read(letter)).versions;
  expect(isMarkdown).toBe(false);
  // The same words saved now are Markdown, which is another version; saved once more they are none.
  expect((await put(letter, { ...plain, version })).body.version).toBe(version + 1);
  expect((await put(letter, { ...plain, version: version + 1 })).body.version).toBe(version + 1);
  expect((await put(letter, { subject: "Marked *{amount}*", body: MARKDOWN, version: version + 1 })).status).toBe(201);
  await left();
  const after = await sent("Marked *$9.00*");
  const home = MAIL.PUBLIC_URL;
  expect(after?.text).toStartWith(`For **Tess** [x](https://evil.example)

Your −$9.00 came, see your history (${home}/dashboard?tab=transactions), the bank (https://bank.example/a?b=1&c=2) or write (desk@halyard.example).
It was $9.00 <script>alert(1)</script> & a picture.

1. One
2. Two
   - Halyard

> Quoted
> twice

Coin | Fee
BTC | 2026-11-26

* * *

Credited: −$9.00
`);
  expect(after?.text).toContain("\n\nYours, the Halyard\n\n");
  const html = after?.html ?? "";
  for (const part of [
    ">For **Tess** [x](https://evil.example)</h2>",
    '<strong><span style="white-space:nowrap">−$9.00</span></strong>',
    `href="${home}/dashboard?tab=transactions"`,
    'href="https://bank.example/a?b=1&amp;c=2"',
    'href="mailto:desk@halyard.example"',
    "&lt;script&gt;alert(1)&lt;/script&gt; &amp; a picture.",
    "<del>the</del> Halyard</p>",
  ])
    expect(html).toContain(part);
  for (const none of ["<script", "<img", 'evil.example"', "spy.example"]) expect(html).not.toContain(none);
  await put(letter, { ...ownWords(letter), version: version + 2 });
});

test("a letter wears the house's own colours", () => {
  const own = { name: "Mint", accents: { accentLight: "#0a6b3d", accentDark: "#4fd39a" } };
  const { html } = write(readConfig({}), own, sampleOf("verify_email"), {}, null);
  expect(html).toContain("background:#0a6b3d");
  expect(html).toContain(".link{color:#4fd39a!important}");
  expect(html).not.toContain("#0b5fcc");
});

test("a preview is the letter of a sample, in the house's name, and saves nothing", async () => {
  const words = { subject: "Until {until}", body: "Goodbye, {firstName} <i>of</i> {brand}." };
  const { body } = await ann.post<{ subject: string; html: string; text: string }>(`${path("account_closed")}/preview`, words);
  expect([body.subject, body.text.split("\n")[0]]).toEqual(["Until 2031-11-26", "Goodbye, Ann <i>of</i> Halyard."]);
  expect(body.html).toContain("Until 2031-11-26</h1>");
  expect(body.html).toContain("Goodbye, Ann &lt;i&gt;of&lt;/i&gt; Halyard.");
  // The page's policy lets no element say what it wears; it knows the letter's style.
  expect(body.html).not.toContain(" style=");
  const style = /<style>(.*?)<\/style>/s.exec(body.html)?.[1] ?? "";
  const page = await ann.get("/admin?tab=settings&view=texts");
  expect(page.headers.get("content-security-policy")).toContain(policyHash(style));
  expect((await read("account_closed")).versions).toEqual([]);
  expect(write(readConfig({}), HOUSE, sampleOf("verify_email"), {}, null).text).toContain("\n[hidden]\n");
  expect(placeholdersOf("statement").known).toEqual(["firstName", "brand", "month", "link"]);
});

test("of words that are saved at once one wins; without the guard of versions all do", async () => {
  const save = (version: number, of: string) =>
    Promise.all(Array.from({ length: 6 }, (_, n) => put("statement", { subject: `${of} ${n}`, body: "{link}", version })));
  expect(counted(await save(0, "First"))).toEqual({ 201: 1, 409: 5 });
  const putBack = await withoutGuard(app.sql, "letter_text_put", "if coalesce(newest.version, 0) <> seen then", "if false then");
  const all = await save(1, "Then");
  await putBack();
  expect(counted(all)[409]).toBeUndefined();
});
