import { afterAll, beforeAll, expect, test } from "bun:test";
import { csvLines } from "../lib/csv";
import { type TestApp, testApp } from "../testing/app";
import { holdFirst } from "../testing/instruments";
import { order, until, withoutGuard } from "../testing/scenarios";
import { changedBy, faultsSaid, sheetOf, withCell } from "../testing/sheets";
import type { StaffInstrument } from "./schema_instruments";

/** Instruments go out as a file and come back in: seen before, whole or not at all. */

let app: TestApp;
let ann: Awaited<ReturnType<TestApp["admin"]>>;
let file: ReturnType<typeof sheetOf>["file"];
let preview: ReturnType<typeof sheetOf>["preview"];
let take: ReturnType<typeof sheetOf>["take"];
beforeAll(async () => {
  app = await testApp();
  ann = await app.admin();
  ({ file, preview, take } = sheetOf(ann, "/api/admin/instruments"));
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
  holdFirst();
});

const row = async (symbol: string) => (await ann.get<StaffInstrument[]>("/api/admin/instruments")).body.find((each) => each.symbol === symbol);
const change = (symbol: string, body: object) => ann.patch(`/api/admin/instruments/${encodeURIComponent(symbol)}`, { reason: "A test", ...body });
const state = async () =>
  (
    await app.sql`select (select count(*) from instrument_terms) as versions, (select count(*) from admin_actions) as actions, (select count(*) from instruments) as listed`
  )[0];
const KRONA = "Instrument,Class,Name,Digits,Smallest order,Simulator's first price,Volatility a year,Sessions,Zone of the sessions";
const krona = (symbol: string, more = "Mon-Fri 09:00-17:30; Sun 22:00-24:00,Europe/Stockholm") => `${symbol},forex-minor,Krona,5,25,11.305,0.08,${more}`;

test("what goes out comes back unchanged; one column alone changes nothing else", async () => {
  expect(
    (
      await change("GBP/USD", {
        minimum: "50",
        step: "10",
        markup: "1.5",
        marginSteps: "100000 5\n500000 10",
        sessions: "Mon-Fri 09:30-16:00",
        holidays: "12-25 2027-01-01",
      })
    ).status,
  ).toBe(200);
  const text = await file();
  expect(await preview(text)).toEqual({ changes: [], faults: [] });
  const line = csvLines(text).find(([symbol]) => symbol === "GBP/USD");
  expect(line?.slice(0, 6)).toEqual(["GBP/USD", "1", "forex-major", "tradable", "50.00", "10.00"]);
  expect(line?.[8]).toBe("100000 5; 500000 10");
  expect(line?.slice(-3)).toEqual([
    "Mon 09:30-16:00; Tue 09:30-16:00; Wed 09:30-16:00; Thu 09:30-16:00; Fri 09:30-16:00",
    "America/New_York",
    "12-25 2027-01-01",
  ]);
  const before = await row("GBP/USD");
  expect((await take("Instrument,Version,Largest order\nGBP/USD,1,5000")).status).toBe(200);
  expect(await row("GBP/USD")).toEqual({ ...before, version: 2, maximum: "5000.00" } as StaffInstrument);
});

test("what it would change is told and nothing is; then all of it is, with a reason, and new ones are listed", async () => {
  const text = withCell(withCell(await file(), "EUR/USD", "Smallest order", "50"), "EUR/USD", "Sessions", "Mon-Fri 08:00-20:00");
  const before = await state();
  const seen = await preview(withCell(text, "AUD/USD", "State", "close_only"));
  expect(seen.faults).toEqual([]);
  expect(seen.changes.map(({ id, isNew, lines }) => [id, isNew, lines])).toEqual([
    [
      "EUR/USD",
      false,
      [
        "Smallest order: none → $50.00",
        "Sessions: none → Mon 08:00-20:00 Tue 08:00-20:00 Wed 08:00-20:00 Thu 08:00-20:00 Fri 08:00-20:00",
        "Zone of the sessions: none → America/New_York",
      ],
    ],
    ["AUD/USD", false, ["State: Tradable → Close only"]],
  ]);
  expect(await state()).toEqual(before);
  const added = await preview(`${KRONA}\n${krona("EUR/SEK")}`);
  expect(added).toMatchObject({
    faults: [],
    changes: [{ row: 2, name: "EUR/SEK, Krona", isNew: true, lines: ["forex-minor; 5 digits; Tradable; smallest order $25.00"] }],
  });
  expect(await state()).toEqual(before);
  expect((await take(text)).body.changes).toHaveLength(1);
  expect((await take(`${KRONA}\n${krona("EUR/SEK")}`)).status).toBe(200);
  expect(await row("EUR/USD")).toMatchObject({ version: 1, minimum: "50.00", listing: { hours: { zone: "America/New_York" } } });
  expect(await row("EUR/SEK")).toMatchObject({ group: "forex-minor", minimum: "25.00", listing: { hours: { zone: "Europe/Stockholm" }, kraken: "EUR/SEK" } });
});

test("a wider mark-up holds for what is open after the notice, and the preview says from when on", async () => {
  await app.quote("NZD/USD", "0.60000", "0.60010");
  const tess = await app.trader();
  expect((await tess.post("/api/trading/positions", { ...order, symbol: "NZD/USD" })).status).toBe(201);
  const { changes } = await preview("Instrument,Version,Mark-up\nNZD/USD,0,2\nUSD/CHF,0,2");
  expect(changes.map(({ id, lines, effectiveAt, appliesAt }) => [id, lines, effectiveAt, Date.parse(appliesAt ?? "") - Date.now() > 23.9 * 3_600_000])).toEqual(
    [
      ["NZD/USD", ["Mark-up: none → 2.0 pips"], null, true],
      ["USD/CHF", ["Mark-up: none → 2.0 pips"], null, true],
    ],
  );
});

test("what can't be read is told, also where nothing else of its row is another", async () => {
  for (const [column, cell] of [
    ["Step", "0.001"],
    ["Step", "ten"],
    ["Largest order", "1e4"],
    ["Margin at least", "much"],
  ] as const) {
    const seen = await preview(`Instrument,Version,${column}\nUSD/CHF,0,${cell}`);
    expect([seen.changes, faultsSaid(seen).map((fault) => fault.split(":")[0])]).toEqual([[], [`2 ${column}`]]);
  }
});

test("what is wrong is told by row and column, and then nothing at all is changed", async () => {
  let text = withCell(await file(), "EUR/JPY", "Step", "3");
  text = withCell(withCell(text, "USD/JPY", "Version", "7"), "USD/JPY", "Largest order", "900");
  text = withCell(withCell(text, "EUR/GBP", "Digits", "1"), "EUR/GBP", "Pip", "");
  text = withCell(withCell(text, "USD/CAD", "Class", "crypto"), "EUR/CHF", "Margin at least", "0.1");
  text = withCell(text, "GBP/JPY", "Sessions", "Mon-Fri 09:00-17:00; Wed 10:00-11:00");
  text = withCell(text, "BTC/USD", "Mark-up", "2");
  const before = await state();
  const said = faultsSaid(await preview(text)).map((fault) => fault.replace(/^\d+ /, ""));
  expect(said).toEqual(
    [
      "Version: This instrument was changed meanwhile. Look at it again before you change it.",
      "Class: It stays forex-major: an instrument's class is never another.",
      "Step: step must divide the minimum, which is $10.00",
      "Sessions: Session 2, from: it overlaps session 1 on Wed.",
      "Margin at least: A percentage from 0.2 to 100, with at most two decimals.",
      "Mark-up: markup is counted in pips, of which a coin has none",
    ].toSorted((a, b) => said.indexOf(a) - said.indexOf(b)),
  );
  expect(said).toHaveLength(6);
  const refused = await take(text);
  expect([refused.status, Object.keys(refused.body.fields ?? {}).length]).toEqual([400, 6]);
  expect(await state()).toEqual(before);
  expect(faultsSaid(await preview(`${KRONA}\n${krona("EURNOK")}\nEUR/USD\nEUR/USD`))).toEqual([
    "2 Instrument: A symbol is written as EUR/USD is: 2 to 10 letters, a stroke, and 3 letters.",
    "3 Class: It stays forex-major: an instrument's class is never another.",
    "4 Instrument: This instrument stands twice.",
  ]);
  expect(faultsSaid(await preview("Instrument,Version,Margin by size\nEUR/CHF,0,1000 5; 2000 3"))).toEqual([
    "2 Margin by size: Step 2, %: it must be more than 5, the step before it.",
  ]);
  expect((await preview("Instrument,Version,Margin by size\nEUR/CHF,0,1000 5; 2000 7.5%")).changes[0]?.lines).toEqual([
    "Margin by size: none → 5% above $1,000.00, 7.5% above $2,000.00",
  ]);
  await app.quote("EUR/CHF", "0.95001", "0.95003");
  await until("its price is stored", async () => (await app.sql`select from quotes where symbol = 'EUR/CHF'`).length === 1);
  expect(faultsSaid(await preview("Instrument,Version,Digits,Pip\nEUR/CHF,0,4,0.001"))).toEqual([
    "2 Digits: digits must be at least 5: prices of EUR/CHF are written with so many",
  ]);
  expect(faultsSaid(await preview("Instrument,Version,Mark-up,Margin at least\nEUR/CHF,0,-1,101"))).toEqual([
    "2 Margin at least: A percentage from 0.2 to 100, with at most two decimals.",
    "2 Mark-up: Pips, with at most one decimal, such as 1.5; at most 1000.",
  ]);
  expect(faultsSaid(await preview("Instrument,Step\nEUR/CHF,5"))).toEqual(["2 Version: A version is required"]);
  expect(faultsSaid(await preview(`${KRONA}\n${krona("EUR/NOK")}`, { effectiveAt: "2050-01-01T00:00" }))).toEqual([
    "2 Instrument: A new instrument is listed at once.",
  ]);
  expect(faultsSaid(await preview("Colour,Step\nred,1"))).toEqual(["1 Colour: There is no such column.", "1 Instrument: This column is missing."]);
});

test("of one file taken by many at once one wins; without the guard of versions all do", async () => {
  const text = "Instrument,Version,Largest order\nGBP/CHF,0,4000";
  expect(changedBy(await Promise.all(Array.from({ length: 6 }, () => take(text))))).toBe(1);
  const putBack = await withoutGuard(app.sql, "instrument_set", "if last <> seen then", "if false then");
  const next = "Instrument,Version,Largest order\nGBP/CHF,1,3000";
  const all = await Promise.all(Array.from({ length: 6 }, () => take(next)));
  await putBack();
  expect(all.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200));
});
