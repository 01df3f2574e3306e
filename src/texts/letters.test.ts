import { afterAll, beforeAll, expect, test } from "bun:test";
import { readConfig } from "../config";
import type { AuditEntry } from "../audit/schema";
import { composed, write } from "../mail/compose";
import { letterIdOf, letterIds, ownWords, placeholdersOf, sampleOf, wordsFault } from "../mail/letter_words";
import { KINDS, type LetterKind } from "../mail/rules";
import { type TestApp, testApp } from "../testing/app";
import { counted } from "../testing/money";
import { MAIL, posted } from "../testing/letters";
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
    const by = (words: typeof own | null) => write(config, "Halyard", source, { verify: "https://v", reset: "https://r", take_back: "https://t" }, null, words);
    expect([id, by(own)]).toEqual([id, by(null)]);
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
    ["verify_email", { subject: "Two\nlines", body: "{link}" }, { subject: "A subject has one line." }],
    ["verify_email", { subject: "", body: "" }, { subject: "A subject is required", body: "Words are required" }],
  ];
  for (const [letter, words, fields] of refusals) {
    const { status, body } = await put(letter, { subject: "A subject", body: "Words", version: 0, ...words });
    expect([letter, words, status, body.fields]).toEqual([letter, words, 400, fields]);
    if (Object.keys(words).length > 0) expect((await ann.post(`${path(letter)}/preview`, { subject: "A subject", body: "Words", ...words })).status).toBe(400);
  }
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

test("a preview is the letter of a sample, in the house's name, and saves nothing", async () => {
  const words = { subject: "Until {until}", body: "Goodbye, {firstName} <i>of</i> {brand}." };
  const { body } = await ann.post<{ html: string }>(`${path("account_closed")}/preview`, words);
  expect(body.html).toContain("Until 2031-11-26");
  expect(body.html).toContain("Goodbye, Ann &lt;i&gt;of&lt;/i&gt; Halyard.");
  expect((await read("account_closed")).versions).toEqual([]);
  expect(composed(readConfig({}), "Halyard", sampleOf("verify_email"), {}, null, null).letter.action?.url).toBe("[hidden]");
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
