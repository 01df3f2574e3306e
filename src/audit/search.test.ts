import { afterAll, beforeAll, expect, test } from "bun:test";
import { peopleMeant } from "../identity/queries";
import { type TestApp, testApp } from "../testing/app";
import { rowsCounted } from "../testing/scenarios";
import { rowsRead, sentBy } from "../testing/statements";
import { auditActions, listAudit } from "./queries";

let app: TestApp;
beforeAll(async () => void (app = await testApp()));
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

test("the staff's book is searched by its indexes, and finds by words, by people and by an id what a look at each entry finds", async () => {
  const admin = await app.admin();
  const [many, few] = [await app.trader({ firstName: "Ottilie", lastName: "Quist" }), await app.trader({ firstName: "Wanda", lastName: "Brink" })];
  const write = (target: string, times: number, reason: string) =>
    app.sql`
      select count(audit_append(${admin.id}, ${target}, 'user.kyc', json_build_object('place', n), '{}'::json, '{}'::json, ${reason}, '192.0.2.1', 'test'))
      from generate_series(1, ${times}) n
    `;
  await write(many.id, 3_000, "Hay");
  await write(few.id, 2, "A needle, 100%_sure");
  await app.sql`analyze admin_actions`;
  const search = (q: string) =>
    app.sql.begin(async (tx) => {
      const before = await rowsCounted(tx);
      const found = await listAudit(tx, { q, status: "all", limit: 10 }, peopleMeant);
      return {
        found: found.map(({ targetUserId, reason }) => `${targetUserId === few.id ? "few" : "many"}: ${reason}`),
        read: (await rowsCounted(tx)) - before,
      };
    });
  const needles = ["few: A needle, 100%_sure", "few: A needle, 100%_sure"];
  for (const q of ["NEEDLE", "needle, 100%_s", "wanda brink", "Wanda", few.email, few.id, few.id.slice(0, 9)]) {
    const { found, read } = await search(q);
    expect([q, found]).toEqual([q, needles]);
    // A whole id has so many groups of letters that a few thousand entries are read sooner.
    if (q !== few.id) expect([q, read < 300]).toEqual([q, true]);
  }
  for (const q of ["nobody-at-all", "100x_sure", "needle wanda"]) expect(await search(q)).toEqual({ found: [], read: expect.any(Number) });
  expect((await search("nobody-at-all")).read).toBeLessThan(300);
  // Of what is nearly everywhere the newest are met soon.
  expect((await search("hay")).found).toEqual(Array.from({ length: 10 }, () => "many: Hay"));
  expect((await search("user.kyc")).found.slice(0, 3)).toEqual([...needles, "many: Hay"]);
});

test("the kinds of action that there are come from what is new in the book, and of what is nowhere no entry is asked for", async () => {
  const admin = await app.admin();
  const write = (action: string) =>
    app.sql`select audit_append(${admin.id}, ${admin.id}, ${action}, '{}'::json, '{}'::json, '{}'::json, 'Why', '192.0.2.1', 'test')`;
  await write("user.ban");
  const before = await auditActions(app.sql);
  expect(before.filter((action) => /ban|kyc/.test(action))).toEqual(["user.ban", "user.kyc"]);
  await write("account.open");
  let told: string[] = [];
  const [sent] = await sentBy(app.sql, async () => void (told = await auditActions(app.sql)));
  expect(told).toEqual(["account.open", ...before]);
  if (!sent) throw new Error("nothing was asked");
  expect(await rowsRead(app.sql, sent)).toBeLessThan(5);
  expect(await auditActions(app.sql)).toEqual(told);

  const asked = (q: string) => sentBy(app.sql, () => listAudit(app.sql, { q, status: "all", limit: 10 }, peopleMeant));
  expect((await asked("nobody-at-all")).length).toBe((await asked("needle")).length - 1);
});
