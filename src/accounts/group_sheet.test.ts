import { afterAll, beforeAll, expect, test } from "bun:test";
import { csvLines } from "../lib/csv";
import { type TestApp, testApp } from "../testing/app";
import { withoutGuard } from "../testing/scenarios";
import { changedBy, faultsSaid, sheetOf, withCell } from "../testing/sheets";
import type { GroupVersion } from "./schema_groups";

/** Groups go out as a file and come back in: seen before, whole or not at all. */

let app: TestApp;
let admin: Awaited<ReturnType<TestApp["admin"]>>;
let file: ReturnType<typeof sheetOf>["file"];
let preview: ReturnType<typeof sheetOf>["preview"];
let take: ReturnType<typeof sheetOf>["take"];
beforeAll(async () => {
  app = await testApp();
  admin = await app.admin();
  ({ file, preview, take } = sheetOf(admin, "/api/admin/groups"));
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

const groups = async () => (await admin.get<GroupVersion[]>("/api/admin/groups")).body.filter(({ isInForce }) => isInForce);
const state = async () =>
  (
    await app.sql`select (select count(*) from group_versions) as versions, (select count(*) from admin_actions) as actions, (select count(*) from account_types) as groups`
  )[0];

test("what goes out comes back unchanged, in words that begin as formulas do, too", async () => {
  const odd = { id: "odd", name: '=SUM("A",1)', spreadPips: 1, commission: 2, minimumDeposit: 3, leverage: 50, isOpen: true, countries: "DE,FR" };
  const swaps = "forex-major points -0.85 0.2\nEUR/USD percent -2 1 none";
  const spreads = "forex-minor 2\nEUR/USD 0.8 fixed";
  expect((await admin.post("/api/admin/groups", { ...odd, spreads, swaps, reason: "A test" })).status).toBe(201);
  const text = await file();
  const bytes = new Uint8Array(await (await admin.fetch("GET", "/api/admin/groups?format=csv")).arrayBuffer());
  expect([[...bytes.slice(0, 3)], text.includes(`"'=SUM(""A"",1)"`)]).toEqual([[0xef, 0xbb, 0xbf], true]);
  expect(await preview(text)).toEqual({ changes: [], faults: [] });
  expect(csvLines(text).find(([id]) => id === "odd")).toEqual([
    ...["odd", "1", '=SUM("A",1)', "3.00", "1.0", "forex-minor 2.0; EUR/USD 0.8 fixed", "2.00", "50"],
    ...["forex-major points -0.85 0.2 Wed; EUR/USD percent -2 1 none", "", "yes", "DE, FR"],
  ]);
});

test("what it would change is told and nothing is; then all of it is, with reason and versions", async () => {
  const text = `${withCell(withCell(await file(), "gold", "Commission", "3.50"), "silver", "Leverage", "200")}\r\nfresh,,Fresh,100,1.2,EUR/USD 0.5,0,30,,,no,`;
  const before = await state();
  const seen = await preview(text);
  expect(seen.faults).toEqual([]);
  expect(seen.changes.map(({ id, isNew, lines }) => [id, isNew, lines])).toEqual([
    ["silver", false, ["Leverage: 1:1000 → 1:200"]],
    ["gold", false, ["Commission: none → $3.50 a side for each $100,000"]],
    [
      "fresh",
      true,
      [
        "Fresh; minimum deposit $100.00; spread from 1.2 pips; spread by instrument EUR/USD 0.5; commission none; leverage 1:30; who may join Whom staff put there",
      ],
    ],
  ]);
  expect(await state()).toEqual(before);
  const done = await take(text);
  expect([done.status, done.body.changes.length]).toEqual([200, 3]);
  const now = await groups();
  expect(now.find(({ id }) => id === "gold")).toMatchObject({ commission: "3.50", version: 2, reason: "A test" });
  expect(now.find(({ id }) => id === "silver")).toMatchObject({ leverage: 200, commission: "0.00" });
  expect(now.find(({ id }) => id === "fresh")).toMatchObject({ name: "Fresh", leverage: 30, isOpen: false });
});

test("what is wrong is told by row and column, and then nothing at all is changed", async () => {
  await app.sql`insert into jurisdictions (country, leverage_major, leverage_minor, leverage_crypto) values ('DE', 30, 20, 2)`;
  let text = withCell(await file(), "bronze", "Commission", "-1");
  text = withCell(withCell(text, "silver", "Version", "1"), "silver", "Leverage", "100");
  text = withCell(text, "gold", "Swap", "forex-major percent 101 1");
  text = withCell(text, "odd", "Spread by instrument", "EUR/USD 0.8 fixed; forex-minor -2");
  text = withCell(withCell(text, "platinum", "Countries", "DE"), "platinum", "Leverage", "500");
  text = `${withCell(text, "starter", "Name", "Beginner")}\r\nstarter,1,Again,1,1,,1,1,,,no,`;
  const before = await state();
  expect(faultsSaid(await preview(text))).toEqual([
    "3 Commission: A commission from $0 to $1,000 for each $100,000, such as 3.50.",
    "4 Version: This group was changed meanwhile. Look at it again before you change it.",
    "5 Swap: A swap moves at most 100 % of the amount a year.",
    "6 Leverage: Where people live in DE, nothing is dealt above 1:30.",
    "7 Spread by instrument: A spread from 0 to 1,000 pips, with at most one decimal.",
    "9 Group: This group stands twice.",
  ]);
  const refused = await take(text);
  expect([refused.status, refused.body.message, refused.body.fields?.["6.Leverage"]]).toEqual([
    400,
    "Row 3, Commission: A commission from $0 to $1,000 for each $100,000, such as 3.50.",
    "Where people live in DE, nothing is dealt above 1:30.",
  ]);
  expect(await state()).toEqual(before);
  expect((await preview("Group,Colour,Group\nstarter,red,x")).faults).toEqual([
    { row: 1, column: "Colour", message: "There is no such column." },
    { row: 1, column: "Group", message: "This column stands twice." },
  ]);
  expect((await preview("Name\nx")).faults[0]?.message).toBe("This column is missing.");
  expect((await preview("Group")).faults[0]?.message).toBe("The file has no groups.");
  expect(Object.keys((await take("")).body.fields ?? {})).toEqual(["csv"]);
});

test("of one file taken by many at once one wins; without the guard of versions all do", async () => {
  const text = withCell(await file(), "bronze", "Minimum deposit", "4000");
  expect(changedBy(await Promise.all(Array.from({ length: 6 }, () => take(text))))).toBe(1);
  const putBack = await withoutGuard(app.sql, "group_set", "if newest.version <> seen then", "if false then");
  const next = withCell(await file(), "bronze", "Minimum deposit", "3000");
  const all = await Promise.all(Array.from({ length: 6 }, () => take(next)));
  await putBack();
  expect(all.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200));
});
