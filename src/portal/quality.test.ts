import { afterAll, beforeAll, expect, test } from "bun:test";
import { lose, openPosition, quoteTwice, win } from "../testing/corrections";
import { type Person, type TestApp, testApp } from "../testing/app";
import { executionQuality } from "../trading/queries_quality";

/** The page of execution quality says what the receipts say. */

let app: TestApp;
let ann: Person & { id: string };
let tess: Awaited<ReturnType<TestApp["trader"]>>;
beforeAll(async () => {
  app = await testApp();
  [ann, tess] = await Promise.all([app.admin(), app.trader()]);
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

const page = async () => (await tess.get("/execution-quality")).text.replaceAll("<!-- -->", "");

test("is for the signed-in", async () => {
  const { status, headers } = await app.stranger().get("/execution-quality");
  expect([status, headers.get("location")]).toEqual([302, "/login?returnTo=%2Fexecution-quality"]);
});

test("says so where nothing was filled", async () => {
  expect(await executionQuality(app.sql)).toEqual([]);
  expect(await page()).toContain("Nothing was filled in the last 30 days");
});

test("counts fills, slippage both ways, ages, corrections; demo and live apart", async () => {
  await quoteTwice(app, "1.10000", "1.10002");
  // The account's ask is 1.100175: as requested, worse by little and by much, better by little and by much, and nothing requested.
  const requested = ["1.100175", "1.10016", "1.09", "1.10019", "1.11", null];
  const ids: string[] = [];
  for (const currentPrice of requested) ids.push((await openPosition(tess, { currentPrice })).id);
  app.pass(700);
  await tess.post(`/api/trading/positions/${ids[0]}/close`);
  await win(ann, ids[1] ?? "", 5);
  await lose(ann, ids[2] ?? "", 5);
  const [demo, ...more] = await executionQuality(app.sql);
  expect(more).toEqual([]);
  // Each receipt says how old its tick was when all was locked; the one that waited 700 ms is the oldest.
  const ages = (await app.sql<{ age: number }[]>`select quote_age_ms as age from fills order by quote_age_ms`).map(({ age }) => age);
  const worst = ages.at(-1) ?? 0;
  expect(worst).toBeGreaterThanOrEqual(700);
  expect(demo).toMatchObject({
    isDemo: true,
    fills: 9,
    opened: 6,
    closed: 3,
    asRequested: 1,
    worse: 1,
    worseByMore: 1,
    better: 1,
    betterByMore: 1,
    medianAge: `${ages[4]}`,
    worstAge: `${worst}`,
    corrections: 2,
    correctionsAgainst: 1,
    stopOuts: 0,
  });
  expect(Number(demo?.medianLatency)).toBeGreaterThan(0);
  const html = await page();
  for (const words of ["Demo accounts", "6 opening, 3 closing", `${worst} ms`, "1 below the market result", "of which 2 better and 2 worse"])
    expect(html).toContain(words);
  expect(html).not.toContain("Live accounts");
});

test("forgets what is older than thirty days", async () => {
  await app.sql.begin(async (tx) => {
    await tx`alter table fills disable trigger fills_append_only`;
    await tx`update fills set created_at = created_at - interval '31 days'`;
    expect(await executionQuality(tx)).toEqual([]);
    await tx`update fills set created_at = created_at + interval '31 days'`;
    await tx`alter table fills enable trigger fills_append_only`;
  });
  expect((await executionQuality(app.sql))[0]?.fills).toBe(9);
});
