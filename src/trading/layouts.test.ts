import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type TestApp, testApp } from "../testing/app";
import { handHeld, until, waiting, withoutGuard } from "../testing/scenarios";
import type { ChartLayout, LayoutName } from "./schema_layouts";

/** A person's chart layouts: kept by name, at most twenty, and nothing that is none. */

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

type Trader = Awaited<ReturnType<TestApp["trader"]>>;
const at = (name: string) => `/api/chart-layouts/${encodeURIComponent(name)}`;
const put = <T = LayoutName>(who: Trader, name: string, body: unknown) => who.call<T>("PUT", at(name), { body });
const names = async (who: Trader) => (await who.get<LayoutName[]>("/api/chart-layouts")).body.map(({ name }) => name);

const LAYOUT: ChartLayout = {
  kind: "heikin-ashi",
  interval: "4h",
  log: true,
  utc: false,
  bidAsk: true,
  fills: true,
  compare: "GBP/USD",
  indicators: [
    { name: "Bollinger", params: [20, 2.5] },
    { name: "Pivots", params: [] },
  ],
  drawings: [
    {
      symbol: "EUR/USD",
      tool: "trend",
      points: [
        { time: 1_784_112_000, price: 1.0842 },
        { time: 1_784_115_600, price: 1.09 },
      ],
      text: "",
    },
    { symbol: "BTC/USD", tool: "text", points: [{ time: 1_784_112_000, price: 64_000 }], text: "Zone <b>“1”</b>" },
  ],
  charts: [{ symbol: "USD/JPY", interval: "1M" }],
};

describe("the layouts of a person", () => {
  test("are kept under their names, the newest first, for that person alone", async () => {
    const [tess, una] = [await app.trader(), await app.trader()];
    expect(await names(tess)).toEqual([]);
    expect(await put(tess, "Day / night ü", LAYOUT)).toMatchObject({ status: 200, body: { name: "Day / night ü" } });
    expect((await put(tess, "Swing", { ...LAYOUT, log: false })).status).toBe(200);
    expect((await tess.get(at("Day / night ü"))).body).toEqual(LAYOUT);
    expect(await names(tess)).toEqual(["Swing", "Day / night ü"]);
    await put(tess, "Day / night ü", { ...LAYOUT, drawings: [] });
    expect(await names(tess)).toEqual(["Day / night ü", "Swing"]);
    expect((await tess.get<ChartLayout>(at("Day / night ü"))).body.drawings).toEqual([]);
    expect([await names(una), (await una.get(at("Swing"))).status, (await una.call("DELETE", at("Swing"))).status]).toEqual([[], 404, 404]);
    expect((await tess.call("DELETE", at("Swing"))).status).toBe(204);
    expect(await names(tess)).toEqual(["Day / night ü"]);
    expect((await tess.get(at("Swing"))).status).toBe(404);
  });

  test("refuse what is none, naming the field", async () => {
    const tess = await app.trader();
    const refused = async (change: object) => {
      const { status, body } = await put<{ fields: Record<string, string> }>(tess, "Mine", { ...LAYOUT, ...change });
      expect(status).toBe(400);
      return body.fields;
    };
    const [trend, note] = LAYOUT.drawings;
    expect(await refused({ kind: "pie" })).toEqual({ kind: "kind must be one of candles, bars, line, area, heikin-ashi." });
    expect(await refused({ compare: "ABC/DEF" })).toEqual({ compare: "Unknown symbol." });
    expect(await refused({ indicators: [{ name: "Oracle", params: [] }] })).toEqual({ "indicators.0.name": "Unknown indicator." });
    for (const params of [[20], [0, 2], [20, 2, 2], [20, 11], [7.5, 2]])
      expect(await refused({ indicators: [{ name: "Bollinger", params }] })).toEqual({ "indicators.0.params": "These are not this indicator's parameters." });
    expect(await refused({ drawings: [trend, { ...note, points: [] }] })).toEqual({ "drawings.1.points": "This drawing is made of another number of points." });
    expect(await refused({ drawings: [{ ...note, text: "x".repeat(101) }] })).toEqual({ "drawings.0.text": "At most 100 characters." });
    expect(await refused({ drawings: [{ ...note, points: [{ time: 1, price: 0 }] }] })).toEqual({ "drawings.0.points.0.price": "price must be above zero." });
    expect(await refused({ charts: Array(4).fill({ symbol: "EUR/USD", interval: "5m" }) })).toEqual({ charts: "At most 3 charts beside the first." });
    expect(await refused({ drawings: Array(61).fill(note) })).toEqual({ drawings: "At most 60 drawings." });
    expect(Object.keys(await refused({ more: 1 }))).toEqual(["more"]);
    const { status, body } = await put<{ message: string }>(tess, "Mine", { ...LAYOUT, more: "x".repeat(65_536) });
    expect([status, body.message]).toEqual([413, "This is more than can be sent at once."]);
    // No layout can have such a name.
    expect((await put(tess, "x".repeat(41), LAYOUT)).status).toBe(404);
    expect(await names(tess)).toEqual([]);
    // The most that there may be, of the largest kind.
    const channel = { ...trend, tool: "channel" as const, points: Array(3).fill({ time: 1_784_112_000.5, price: 1.08421234 }), text: "€".repeat(100) };
    const most = {
      ...LAYOUT,
      indicators: Array(12).fill({ name: "MACD", params: [12, 26, 9] }),
      drawings: Array(60).fill(channel),
      charts: Array(3).fill(LAYOUT.charts[0]),
    };
    expect((await put(tess, "Full", most)).status).toBe(200);
  });

  test("that can't be read any more say so, and which field", async () => {
    const tess = await app.trader();
    await put(tess, "Old", LAYOUT);
    for (const [stored, field] of [
      [JSON.stringify({ ...LAYOUT, kind: "renko" }), "kind"],
      ["[1,2]", "kind"],
      ["null", "layout"],
    ] as const) {
      await app.sql`update chart_layouts set layout = ${stored}::text::json where user_id = ${tess.id}`;
      const { status, body } = await tess.get<{ message: string; fields: object }>(at("Old"));
      expect([status, Object.keys(body.fields)]).toEqual([409, [field]]);
      expect(body.message).toContain("the default is shown");
    }
    expect((await put(tess, "Old", LAYOUT)).status).toBe(200);
    expect((await tess.get(at("Old"))).status).toBe(200);
  });
});

describe("thirty layouts that are saved at once", () => {
  const race = async () => {
    const tess = await app.trader();
    for (let n = 0; n < 10; n++) await put(tess, `First ${n}`, LAYOUT);
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => put<{ fields?: object }>(tess, `Layout ${n}`, LAYOUT)));
    const kept = await app.sql<{ count: number }[]>`select count(*)::int as count from chart_layouts where user_id = ${tess.id}`;
    return { tess, answers, kept: kept[0]?.count ?? 0 };
  };

  test("come to twenty; the others hear that these are the most, and one that is there can be written still", async () => {
    const { tess, answers, kept } = await race();
    expect(kept).toBe(20);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    const [refused] = answers.filter(({ status }) => status === 409);
    expect(refused?.body).toMatchObject({ fields: { name: "You have 20 layouts, which is the most. Delete one to save another." } });
    expect((await put(tess, "First 3", LAYOUT)).status).toBe(200);
  });

  test("and without the guard to more", async () => {
    const GATE = 7215998;
    const back = await withoutGuard(app.sql, "layout_put", "perform from users where id = caller for no key update;");
    // Who has counted the layouts waits before the gate until others have counted them, too.
    const open = await withoutGuard(
      app.sql,
      "layout_put",
      "insert into chart_layouts",
      `perform pg_advisory_xact_lock_shared(${GATE}); insert into chart_layouts`,
    );
    const gate = await handHeld(app.db);
    try {
      const tess = await app.trader();
      for (let n = 0; n < 19; n++) await put(tess, `First ${n}`, LAYOUT);
      await gate.sql`select pg_advisory_xact_lock(${GATE})`;
      const answers = Promise.all(Array.from({ length: 4 }, (_, n) => put(tess, `Layout ${n}`, LAYOUT)));
      await until("all wait", async () => (await waiting(app.sql)) === 4);
      await gate.commit();
      expect((await answers).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    } finally {
      await gate.end();
      await open();
      await back();
    }
  });
});
