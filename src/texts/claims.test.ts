import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type TestApp, testApp } from "../testing/app";
import { counted } from "../testing/money";
import { withoutGuard } from "../testing/scenarios";
import type { HouseClaim } from "./schema_claims";

/** What the operator claims of the house: on pages with evidence and in its time alone, each version kept. */

let app: TestApp;
let admin: Awaited<ReturnType<TestApp["admin"]>>;
beforeAll(async () => {
  app = await testApp({ SITE_MODE: "live", FEED: "kraken" });
  admin = await app.admin();
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

type Refused = { fields?: Record<string, string> };
const said = { kind: "award", text: "Best receipts 2025", evidence: "Jury of the Sailors", link: "https://jury.example/2025", reason: "We won it" };
const make = (body: object = {}) => admin.post<HouseClaim & Refused>("/api/admin/house-claims", { ...said, ...body });
const change = (id: string, body: object) => admin.patch<HouseClaim & Refused>(`/api/admin/house-claims/${id}`, { reason: "A test", ...body });
/** A page as a visitor gets it who asks for it in a way of his own, so that nothing that is kept answers. */
const shown = async (path: string) => (await app.stranger().get(`${path}?n=${crypto.randomUUID()}`)).text;

describe("a claim", () => {
  test("stands on the pages with its evidence, and without it on none; nothing made up does once the house is live", async () => {
    const { status, body } = await make();
    expect([status, body.version]).toEqual([201, 1]);
    for (const path of ["/", "/about"]) {
      const page = await shown(path);
      expect(page).toContain("Best receipts 2025");
      expect(page).toContain('href="https://jury.example/2025"');
      expect(page).not.toMatch(/#1 Broker|1000\+/);
    }
    expect((await change(body.id, { evidence: "", version: 1 })).status).toBe(200);
    expect(await shown("/about")).not.toContain("Best receipts 2025");
    const [line] = await app.sql`select action, reason, details from admin_actions order by id desc limit 1`;
    expect(line).toMatchObject({ action: "claim.put", reason: "A test", details: { claim: body.id, version: 2 } });
    const versions = await admin.get<HouseClaim[]>(`/api/admin/house-claims/${body.id}/versions`);
    expect(versions.body.map(({ version, evidence }) => `${version} ${evidence}`)).toEqual(["2 ", "1 Jury of the Sailors"]);
    await expect(app.sql`update house_claims set text = 'x'`).rejects.toThrow();
  });

  test("is said from its beginning until its end", async () => {
    await make({ text: "To come", startsAt: "2040-01-01T00:00" });
    await make({ text: "Long over", endsAt: "2020-01-01T00:00" });
    const page = await shown("/about");
    expect(page).not.toMatch(/To come|Long over/);
    expect((await admin.get<HouseClaim[]>("/api/admin/house-claims")).body.map(({ text }) => text)).toEqual(expect.arrayContaining(["To come", "Long over"]));
  });

  test("is changed by one of those who looked at the same version", async () => {
    const round = async () => {
      const { body } = await make({ text: "Raced" });
      return counted(await Promise.all(Array.from({ length: 10 }, (_, number) => change(body.id, { text: `Raced ${number}`, version: 1 }))));
    };
    expect(await round()).toEqual({ 200: 1, 409: 9 });
    const putBack = await withoutGuard(app.sql, "house_claim_put", "before.version <> seen", "false");
    expect(await round()).toEqual({ 200: 10 });
    await putBack();
  });

  test("is refused with its field, and by whoever may not", async () => {
    for (const [body, field] of [
      [{ text: " " }, "text"],
      [{ text: "x".repeat(121) }, "text"],
      [{ kind: "boast" }, "kind"],
      [{ link: "http://jury.example" }, "link"],
      [{ link: "javascript:alert(1)" }, "link"],
      [{ reason: "" }, "reason"],
      [{ startsAt: "2030-01-02T00:00", endsAt: "2030-01-01T00:00" }, "endsAt"],
    ] as const)
      expect([field, (await make(body)).body.fields]).toEqual([field, { [field]: expect.any(String) }]);
    expect((await change(crypto.randomUUID(), { version: 1 })).status).toBe(404);
    expect((await (await app.trader()).post("/api/admin/house-claims", said)).status).toBe(403);
  });
});
