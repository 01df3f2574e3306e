import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type TestApp, testApp } from "../testing/app";
import { counted } from "../testing/money";
import { withoutGuard } from "../testing/scenarios";
import type { StaffText, TextVersion } from "./schema";

/** The operator's own texts: versions that stay, from an instant on, and the terms that people accept. */

let app: TestApp;
let admin: Awaited<ReturnType<TestApp["admin"]>>;
beforeAll(async () => {
  app = await testApp();
  admin = await app.admin();
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

type Refused = { fields?: Record<string, string> };
const publish = (page: string, body: object) => admin.post<TextVersion & Refused>(`/api/admin/pages/${page}`, { reason: "A test", ...body });
/** A page as a visitor gets it who asks for it in a way of his own, so that nothing that is kept answers. */
const shown = async (path: string) => (await app.stranger().get(`${path}${path.includes("?") ? "&" : "?"}n=${crypto.randomUUID()}`)).text;

describe("a page's text", () => {
  test("is the program's own until another is published, and that one from its instant on", async () => {
    const before = await shown("/privacy");
    expect(before).toContain("What we keep");
    expect((await publish("privacy", { body: "## Ours\n\nFirst words.", effectiveAt: "2040-01-01T00:00" })).body).toMatchObject({
      version: 1,
      since: "2040-01-01T00:00:00.000Z",
    });
    expect(await shown("/privacy")).toContain("What we keep");
    expect((await app.stranger().get("/privacy?version=1")).status).toBe(404);
    const { body: row } = await admin.get<StaffText[]>("/api/admin/pages");
    expect(row.find(({ page }) => page === "privacy")).toMatchObject({ version: null, nextVersion: 1 });
    // One that would hold before it would make the numbers and the days disagree.
    expect(await publish("privacy", { body: "Sooner" })).toMatchObject({ status: 409, body: { fields: { effectiveAt: expect.any(String) } } });
    const putBack = await withoutGuard(app.sql, "page_text_publish", "since > coalesce(from_when, clock_timestamp())", "false");
    expect((await publish("privacy", { body: "Sooner" })).status).toBe(201);
    await putBack();
  });

  test("stays readable under its number once another holds, and says so", async () => {
    await publish("payment-policy", { body: "## Fees\n\nNone **at all**." });
    await publish("payment-policy", { body: "## Fees\n\nSome." });
    expect(await shown("/payment-policy")).toContain('<p class="mb-3">Some.</p>');
    const earlier = await shown("/payment-policy?version=1");
    expect(earlier).toContain("None <strong>at all</strong>.");
    expect(earlier).toContain("This is an earlier version.");
    expect(earlier).toContain('name="robots"');
    for (const version of ["3", "0", "x", "1e0"]) expect((await app.stranger().get(`/payment-policy?version=${version}`)).status).toBe(404);
    await expect(app.sql`update page_texts set body = 'x'`).rejects.toThrow();
    const [line] = await app.sql`select action, reason, details from admin_actions order by id desc limit 1`;
    expect(line).toMatchObject({ action: "page.publish", reason: "A test", details: { page: "payment-policy", version: 2 } });
  });

  test("is words alone: no mark-up of its own, no script in a link, no picture of others", async () => {
    const body =
      "Hi <script>alert(1)</script> <img src=x onerror=alert(1)>\n\n[a](javascript:alert(1)) [b](//evil.example) [c](/terms) ![words](https://evil.example/x.png)\n\n| <b>x</b> | y |\n|---|---|\n| 1 | 2 |";
    const { html } = (await admin.post<{ html: string }>("/api/admin/pages/about/preview", { body })).body;
    expect(html).not.toMatch(/<script|<img|javascript:|evil\.example|<b>/);
    expect(html).toContain("&lt;script&gt;");
    expect(html).toContain('<a href="/terms"');
    expect(html).toContain("<td");
    await publish("about", { body });
    expect(await shown("/about")).not.toMatch(/<script>alert|<img|href="javascript|evil\.example/);
  });

  test("of questions keeps its form, and is searched", async () => {
    expect(await publish("faq", { body: "Just words" })).toMatchObject({ status: 400, body: { fields: { body: expect.stringContaining("###") } } });
    expect((await publish("faq", { body: "## Money\n\n### What does it cost?\n\nNothing\nat all.\n\n### How long?\n\nA day." })).status).toBe(201);
    const page = await shown("/faq");
    expect(page).toContain("Nothing at all.</p>");
    expect(await shown("/faq?q=how")).not.toContain("Nothing at all.</p>");
  });

  test("is refused with its field, and by whoever may not", async () => {
    for (const [body, field] of [
      [{ body: " " }, "body"],
      [{ body: "x".repeat(40_001) }, "body"],
      [{ body: "x", reason: "" }, "reason"],
      [{ body: "x", effectiveAt: "soon" }, "effectiveAt"],
    ] as const)
      expect([field, (await publish("about", body)).body.fields]).toEqual([field, { [field]: expect.any(String) }]);
    expect((await publish("nowhere", { body: "x" })).status).toBe(404);
    expect((await (await app.trader()).post("/api/admin/pages/about", { body: "x", reason: "y" })).status).toBe(403);
  });
});

describe("the terms", () => {
  const accepted = async (person: { id: string }) =>
    (await app.sql<{ version: number; way: string }[]>`select version, way from term_acceptances where user_id = ${person.id} order by version`).map(
      ({ version, way }) => `${version} ${way}`,
    );

  test("are accepted by who registers, and asked of the others once they change, until they say so", async () => {
    const early = await app.trader();
    expect(await accepted(early)).toEqual([]);
    expect((await publish("terms", { body: "## One\n\nThe first.", mustAccept: true })).status).toBe(201);
    const late = await app.trader();
    expect(await accepted(late)).toEqual(["1 registration"]);
    const due = (person: { id: string }) => app.context.termsDue?.(person.id);
    expect([await due(early), await due(late)]).toEqual([1, null]);
    expect((await early.get("/dashboard")).text).toContain("The terms of service have changed.");
    expect((await late.get("/dashboard")).text).not.toContain("The terms of service have changed.");
    expect((await early.post("/api/user/terms", { version: 7 })).status).toBe(409);
    const tries = await Promise.all(Array.from({ length: 10 }, () => early.post("/api/user/terms", { version: 1 })));
    expect(counted(tries)).toEqual({ 200: 10 });
    expect(await accepted(early)).toEqual(["1 asked"]);
    expect((await early.get("/dashboard")).text).not.toContain("The terms of service have changed.");
    await expect(app.sql`delete from term_acceptances`).rejects.toThrow();
  });

  test("are accepted without scripts, too, and lead back; a version that does not hold any more leads to the one that does", async () => {
    const tom = await app.trader();
    await publish("terms", { body: "## Two\n\nThe second.", mustAccept: false });
    const form = (version: number) =>
      tom.fetch("POST", "/accept-terms", { raw: `version=${version}&returnTo=%2Faccounts`, headers: { "content-type": "application/x-www-form-urlencoded" } });
    const stale = await form(1);
    expect([stale.status, stale.headers.get("location")]).toEqual([303, "/terms"]);
    const taken = await form(2);
    expect([taken.status, taken.headers.get("location")]).toEqual([303, "/accounts"]);
    expect(await accepted(tom)).toEqual(["1 registration", "2 asked"]);
  });
});
