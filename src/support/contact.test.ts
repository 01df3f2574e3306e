import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type Answer, type TestApp, testApp } from "../testing/app";
import { counted, times } from "../testing/money";
import { nextMillisecond } from "../testing/scenarios";
import { CONTACT_LIMITS, refuseFlood } from "./rules_contact";
import type { ContactMessage, StaffContactMessage } from "./schema_contact";

let app: TestApp;
let admin: Awaited<ReturnType<TestApp["admin"]>>;
let other: Awaited<ReturnType<TestApp["admin"]>>;
beforeAll(async () => {
  app = await testApp();
  [admin, other] = await Promise.all([app.admin(), app.admin()]);
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});
beforeEach(async () => {
  await app.sql`delete from contact_messages`;
});

const LETTER = { name: "Ann Bell", email: "ann@example.test", subject: "Spreads", message: "What does EUR/USD cost?" };
const [{ messages: BURST }] = CONTACT_LIMITS;
const write = (over: Record<string, unknown> = {}) => app.stranger().post<ContactMessage>("/api/contact", { ...LETTER, ...over });
const inbox = async (query = "") => (await admin.get<StaffContactMessage[]>(`/api/admin/contact-messages${query}`)).body;
const kept = async () => Number((await app.sql`select count(*)::int as count from contact_messages`)[0]?.count);
/** Lets so many seconds pass for what is kept. */
const age = (seconds: number) => app.sql`update contact_messages set created_at = created_at - make_interval(secs => ${seconds})`.then(() => {});

describe("a visitor's message", () => {
  test("is kept as written, is new, and comes back to its sender without what is ours", async () => {
    const { status, body } = await write({ name: "  Ann Bell ", id: "x", status: "closed", network: "x", userId: admin.id });
    expect(status).toBe(201);
    expect(body).toEqual({ ...LETTER, id: expect.any(String), status: "new", createdAt: expect.any(String) });
    expect(await inbox()).toEqual([{ ...body, userId: null, hasClient: false, note: "", handledBy: null, handledAt: null }]);
  });

  test("needs no subject", async () => {
    const { subject: _, ...without } = LETTER;
    const { status, body } = await app.stranger().post<ContactMessage>("/api/contact", without);
    expect([status, body.subject]).toEqual([201, ""]);
  });

  test("says who was signed in", async () => {
    const tess = await app.trader();
    expect((await tess.post("/api/contact", LETTER)).status).toBe(201);
    expect((await inbox())[0]?.userId).toBe(tess.id);
  });

  test("is a client's who was signed in, or whose address it names", async () => {
    const tess = await app.trader();
    const { email } = tess;
    const sent = [
      await write({ subject: "A stranger's" }),
      await write({ subject: "Hers", email: email.toUpperCase() }),
      await tess.post<ContactMessage>("/api/contact", LETTER),
    ];
    const letters = await inbox();
    expect(sent.map(({ body }) => letters.find(({ id }) => id === body.id)?.hasClient)).toEqual([false, true, true]);
  });

  test.each([
    [{ name: " " }, { name: "Name is required" }],
    [{ email: "ann" }, { email: "Please enter a valid email address" }],
    [{ message: undefined }, { message: "Message is required" }],
    [{ name: "x".repeat(101) }, { name: "At most 100 characters." }],
    [{ subject: "x".repeat(201) }, { subject: "At most 200 characters." }],
    [{ message: "x".repeat(5001) }, { message: "At most 5000 characters." }],
    [{ subject: ["x"] }, { subject: "This must be text." }],
  ])("is refused by field: %#", async (over, fields) => {
    const { status, body } = await write(over);
    expect([status, (body as unknown as { fields: object }).fields]).toEqual([400, fields]);
    expect(await kept()).toBe(0);
  });

  test("sent twice is one message, also by twenty presses at once", async () => {
    const answers = await times(20, () => write());
    expect(counted(answers)).toEqual({ 201: 20 });
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(await kept()).toBe(1);
    await age(601);
    expect((await write()).status).toBe(201);
    expect(await kept()).toBe(2);
  });
});

describe("a network", () => {
  test("is not let through more often by writing in parallel", async () => {
    const answers = await times(BURST + 15, (n) => write({ message: `Message ${n}` }));
    expect(counted(answers)).toEqual({ 201: BURST, 429: 15 });
    expect(await kept()).toBe(BURST);
  });

  test("is told how long to wait, and then heard again", async () => {
    await times(BURST, (n) => write({ message: `Message ${n}` }));
    await age(540);
    const refused = await write({ message: "One more" });
    expect(refused.status).toBe(429);
    const wait = Number(refused.headers.get("retry-after"));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
    expect(refused.body.message).toMatch(/^Too many messages came from your network\. Please try again in (\d+ seconds?|1 minute)\.$/);
    await age(61);
    expect((await write({ message: "One more" })).status).toBe(201);
  });

  test("waits for its oldest message to be a day old where it sent all day", () => {
    const { messages } = CONTACT_LIMITS[1];
    expect(() =>
      refuseFlood([
        { messages: 3, oldest: 500 },
        { messages, oldest: 79_200 },
      ]),
    ).toThrow("Please try again in 2 hours.");
    expect(() =>
      refuseFlood([
        { messages: BURST - 1, oldest: 500 },
        { messages: messages - 1, oldest: 80_000 },
      ]),
    ).not.toThrow();
    expect(() => refuseFlood([])).not.toThrow();
  });
});

describe("staff", () => {
  const decide = (who: typeof admin, id: string, status: string, note = "") =>
    who.post<StaffContactMessage>(`/api/admin/contact-messages/${id}`, { status, note });

  test("answer a message once; of twenty who do so at once one wins, and the book has one line", async () => {
    const { body: letter } = await write();
    const answers = await times(20, (n) => decide(n % 2 ? admin : other, letter.id, "answered", `Answered ${n}`));
    expect(counted(answers)).toEqual({ 200: 1, 409: 19 });
    const won = answers.find(({ status }) => status === 200)?.body;
    expect(won).toMatchObject({ status: "answered", handledAt: expect.any(String) });
    const [found] = await inbox("?status=answered");
    expect(found).toEqual(won as StaffContactMessage);
    const book = await app.sql`
      select action, new_state ->> 'note' as note from admin_actions where details ->> 'messageId' = ${letter.id}
    `;
    expect([...book]).toEqual([{ action: "contact.answer", note: won?.note as string }]);
  });

  test("close, and open again", async () => {
    const { body: letter } = await write();
    expect((await decide(admin, letter.id, "closed", "Advertising")).body).toMatchObject({ status: "closed", note: "Advertising", handledBy: admin.email });
    expect((await decide(admin, letter.id, "closed")).body.message).toBe("This message is already closed.");
    expect((await decide(other, letter.id, "new")).body).toMatchObject({ status: "new", handledBy: null, handledAt: null });
    expect((await decide(other, letter.id, "new")).status).toBe(409);
  });

  test("find by words and by state, a page at a time", async () => {
    for (let n = 0; n < 5; n++) {
      await write({ subject: `Letter ${n}`, message: n === 3 ? "100 % of my deposit" : "Else" });
      await nextMillisecond(app.sql);
    }
    expect((await inbox("?q=letter%202")).map(({ subject }) => subject)).toEqual(["Letter 2"]);
    expect((await inbox("?q=100%20%25%20of")).map(({ subject }) => subject)).toEqual(["Letter 3"]);
    expect(await inbox("?status=answered")).toEqual([]);
    const seen: string[] = [];
    let cursor: string | null = "";
    do {
      const page: Answer<StaffContactMessage[]> = await admin.get(`/api/admin/contact-messages?limit=2${cursor ? `&cursor=${cursor}` : ""}`);
      seen.push(...page.body.map(({ subject }) => subject));
      cursor = page.headers.get("x-next-cursor");
    } while (cursor);
    expect(seen).toEqual([4, 3, 2, 1, 0].map((n) => `Letter ${n}`));
    // As a queue: who waits longest first, what was decided after it, over the pages' ends.
    const [newest, , middle] = await inbox("?q=letter");
    for (const letter of [newest, middle]) await decide(admin, letter?.id ?? "", "answered");
    const queue: string[] = [];
    cursor = "";
    do {
      const page: Answer<StaffContactMessage[]> = await admin.get(
        `/api/admin/contact-messages?q=letter&sort=waiting&limit=2${cursor ? `&cursor=${cursor}` : ""}`,
      );
      queue.push(...page.body.map(({ subject }) => subject));
      cursor = page.headers.get("x-next-cursor");
    } while (cursor);
    expect(queue).toEqual([0, 1, 3, 4, 2].map((n) => `Letter ${n}`));
  });

  test("are refused what is not there or makes no sense, and nobody else gets in", async () => {
    const { body: letter } = await write();
    expect((await decide(admin, crypto.randomUUID(), "answered")).status).toBe(404);
    expect((await decide(admin, letter.id, "deleted")).status).toBe(400);
    expect((await decide(admin, letter.id, "answered", "x".repeat(501))).status).toBe(400);
    expect((await admin.get("/api/admin/contact-messages?status=open")).status).toBe(400);
    const tess = await app.trader();
    expect((await tess.get("/api/admin/contact-messages")).status).toBe(403);
    expect((await app.stranger().get("/api/admin/contact-messages")).status).toBe(401);
  });
});

describe("without scripts", () => {
  const post = (fields: Record<string, string>) =>
    app.stranger().call("POST", "/contact", { raw: new URLSearchParams(fields).toString(), headers: { "content-type": "application/x-www-form-urlencoded" } });

  test("the form is posted, and the page it leads to says thank you", async () => {
    const sent = await post(LETTER);
    expect([sent.status, sent.headers.get("location")]).toEqual([303, "/contact?sent=1#contact-form"]);
    expect((await inbox())[0]).toMatchObject(LETTER);
    const thanks = (await app.stranger().get("/contact?sent=1")).text;
    expect(thanks).toContain("Message Sent Successfully");
    expect(thanks).toContain("Thank you for contacting us. We&#x27;ll get back to you within 24 hours.");
    expect((await app.stranger().get("/contact")).text).not.toContain("Message Sent Successfully");
  });

  test("what does not fit comes back with its messages and what was typed", async () => {
    const { status, text } = await post({ ...LETTER, email: "ann", message: "<b>Hello</b>" });
    expect(status).toBe(400);
    expect(text).toContain("Please enter a valid email address");
    expect(text).toContain("&lt;b&gt;Hello&lt;/b&gt;");
    expect(await kept()).toBe(0);
  });

  test("a network that sent too much reads so", async () => {
    await times(BURST, (n) => write({ message: `Message ${n}` }));
    const { status, headers, text } = await post({ ...LETTER, message: "One more" });
    expect(status).toBe(429);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    expect(text).toContain("Too many messages came from your network");
  });
});
