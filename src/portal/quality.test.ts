import { afterAll, beforeAll, expect, test } from "bun:test";
import { lose, openPosition, quoteTwice, win } from "../testing/corrections";
import { type Person, type TestHouse, testHouse } from "../testing/house";
import { executionQuality } from "../trading/queries_quality";

/** The page of execution quality says what the receipts say. */

let house: TestHouse;
let ann: Person & { id: string };
let tess: Awaited<ReturnType<TestHouse["trader"]>>;
beforeAll(async () => {
  house = await testHouse();
  [ann, tess] = await Promise.all([house.admin(), house.trader()]);
});
afterAll(async () => {
  expect(await house.faults()).toEqual([]);
  await house.end();
});

const page = async () => (await tess.get("/execution-quality")).text.replaceAll("<!-- -->", "");

test("is for the signed-in", async () => {
  const { status, headers } = await house.stranger().get("/execution-quality");
  expect([status, headers.get("location")]).toEqual([302, "/login?returnTo=%2Fexecution-quality"]);
});

test("says so where nothing was filled", async () => {
  expect(await executionQuality(house.sql)).toEqual([]);
  expect(await page()).toContain("Nothing was filled in the last 30 days");
});

test("counts fills, slippage both ways, ages, corrections; demo and live apart", async () => {
  await quoteTwice(house, "1.10000", "1.10002");
  // The account's ask is 1.100175: as requested, worse by little and by much, better by little and by much, and nothing requested.
  const requested = ["1.100175", "1.10016", "1.09", "1.10019", "1.11", null];
  const ids: string[] = [];
  for (const currentPrice of requested) ids.push((await openPosition(tess, { currentPrice })).id);
  house.pass(700);
  await tess.post(`/api/trading/positions/${ids[0]}/close`);
  await win(ann, ids[1] ?? "", 5);
  await lose(ann, ids[2] ?? "", 5);
  const [demo, ...more] = await executionQuality(house.sql);
  expect(more).toEqual([]);
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
    medianAge: "0",
    worstAge: "700",
    corrections: 2,
    correctionsAgainst: 1,
    stopOuts: 0,
  });
  expect(Number(demo?.medianLatency)).toBeGreaterThan(0);
  const html = await page();
  for (const words of ["Demo accounts", "6 opening, 3 closing", "700 ms", "1 below the market result", "of which 2 better and 2 worse"])
    expect(html).toContain(words);
  expect(html).not.toContain("Live accounts");
});

test("forgets what is older than thirty days", async () => {
  await house.sql.begin(async (tx) => {
    await tx`alter table fills disable trigger fills_append_only`;
    await tx`update fills set created_at = created_at - interval '31 days'`;
    expect(await executionQuality(tx)).toEqual([]);
    await tx`update fills set created_at = created_at + interval '31 days'`;
    await tx`alter table fills enable trigger fills_append_only`;
  });
  expect((await executionQuality(house.sql))[0]?.fills).toBe(9);
});
