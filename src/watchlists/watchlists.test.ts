import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Answer, type TestApp, testApp } from "../testing/app";
import { LiveStream } from "../testing/live_stream";
import { withoutGuard } from "../testing/scenarios";
import type { Watchlists, WatchlistsConflict } from "./schema";

/** A person's lists of instruments: written whole, by version, and followed by every device. */

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

type Trader = Awaited<ReturnType<TestApp["trader"]>>;
const read = async (who: Trader) => (await who.get<Watchlists>("/api/watchlists")).body;
const put = <T = Watchlists>(who: Trader, body: unknown) => who.call<T>("PUT", "/api/watchlists", { body });
const list = (name: string, ...symbols: string[]) => ({ id: crypto.randomUUID(), name, symbols });

describe("the lists of a person", () => {
  test("are none at first, and then what was put, in its order, for that person alone", async () => {
    const [tess, una] = [await app.trader(), await app.trader()];
    expect(await read(tess)).toEqual({ version: 0, lists: [] });
    const lists = [list("Majors", "USD/JPY", "EUR/USD"), list("Coins", "SHIB/USD", "BTC/USD", "ADA/USD"), list("Empty")];
    expect(await put(tess, { version: 0, lists })).toMatchObject({ status: 200, body: { version: 1, lists } });
    expect(await read(tess)).toEqual({ version: 1, lists });
    const turned = [...lists].reverse();
    expect((await put(tess, { version: 1, lists: turned })).body).toEqual({ version: 2, lists: turned });
    expect(await read(una)).toEqual({ version: 0, lists: [] });
    expect((await put(tess, { version: 2, lists: [] })).body).toEqual({ version: 3, lists: [] });
  });

  test("are not overwritten by who has not seen them: 409 with today's", async () => {
    const tess = await app.trader();
    const [phone, desk] = [[list("Phone", "EUR/USD")], [list("Desk", "BTC/USD")]];
    await put(tess, { version: 0, lists: phone });
    expect(await put<WatchlistsConflict>(tess, { version: 0, lists: desk })).toMatchObject({
      status: 409,
      body: { code: "conflict", current: { version: 1, lists: phone } },
    });
    expect((await put(tess, { version: 7, lists: desk })).status).toBe(409);
    expect((await put(tess, { version: 1, lists: desk })).body.lists).toEqual(desk);
  });

  test("refuse what they can't hold, with the field", async () => {
    const tess = await app.trader();
    const refusal = async (lists: unknown[]) => {
      const { status, body } = await put<{ fields: Record<string, string> }>(tess, { version: 0, lists });
      expect(status).toBe(400);
      return body.fields;
    };
    expect(await refusal([list("One", "EUR/USD"), list("Two", "EUR/USD", "ABC/DEF")])).toEqual({ "lists.1.symbols.1": "Unknown symbol." });
    expect(await refusal([list("One", "EUR/USD", "BTC/USD", "EUR/USD")])).toEqual({ "lists.0.symbols.2": "This instrument is on the list already." });
    expect(await refusal([list("One"), list("ONE")])).toEqual({ "lists.1": "Two lists have one name." });
    const twice = list("One");
    expect(await refusal([twice, { ...twice, name: "Two" }])).toEqual({ "lists.1": "Two lists have one id." });
    expect(await refusal([list(" ")])).toEqual({ "lists.0.name": "Name the list." });
    expect(await refusal([{ ...list("One"), id: "1" }])).toEqual({ "lists.0.id": "id must be a UUID in lower case." });
    expect(await refusal([list("x".repeat(41))])).toEqual({ "lists.0.name": "At most 40 characters." });
    expect(await refusal(Array.from({ length: 21 }, (_, n) => list(`List ${n}`)))).toEqual({ lists: "At most 20 lists." });
    expect(await refusal([list("Long", ...Array.from({ length: 101 }, () => "EUR/USD"))])).toEqual({
      "lists.0.symbols": "A list holds at most 100 instruments.",
    });
    expect((await put<{ fields: object }>(tess, { version: -1, lists: [] })).body.fields).toEqual({ version: "version must be 0 or more." });
    expect((await put(tess, { lists: [] })).status).toBe(400);
    expect(await read(tess)).toEqual({ version: 0, lists: [] });
  });

  test("hold no instrument that the database does not know, whatever the program lets through", async () => {
    const tess = await app.trader();
    const lists = JSON.stringify([list("One", "EUR/USD"), list("Two", "ABC/DEF")]);
    const refused = app.sql`select written, book from watchlists_put(${tess.id}, 0, ${lists}::text::json)`.then(
      () => null,
      (error: { message: string; hint?: string }) => [error.message, error.hint],
    );
    expect(await refused).toEqual(["Unknown symbol.", "lists.1.symbols.0"]);
  });
});

describe("twenty devices that write at once, from one state", () => {
  const race = async (): Promise<{ answers: Answer<Watchlists>[]; after: Watchlists }> => {
    const tess = await app.trader();
    await put(tess, { version: 0, lists: [list("First", "EUR/USD")] });
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => put(tess, { version: 1, lists: [list(`Device ${n}`, "BTC/USD")] })));
    return { answers, after: await read(tess) };
  };

  test("one is kept, the others hear what it wrote or what stood before", async () => {
    const { answers, after } = await race();
    const won = answers.filter(({ status }) => status === 200);
    expect([won.length, answers.filter(({ status }) => status === 409).length]).toEqual([1, 19]);
    expect(after).toEqual(won[0]?.body as Watchlists);
  });

  test("and without the guard one overwrites the other", async () => {
    const back = await withoutGuard(app.sql, "watchlists_put", " and version = seen");
    try {
      const { answers } = await race();
      expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(1);
    } finally {
      await back();
    }
  });
});

test("a second device hears of it by its stream; another person does not", async () => {
  app.router.listen({ port: 0, hostname: "127.0.0.1", reusePort: false });
  const at = `http://127.0.0.1:${app.router.server?.port}/api/stream`;
  const [tess, una] = [await app.trader(), await app.trader()];
  const [hers, other] = [await LiveStream.open(at, { cookie: tess.cookie }), await LiveStream.open(at, { cookie: una.cookie })];
  await Promise.all([hers.has("event: snapshot"), other.has("event: snapshot")]);
  await put(una, { version: 0, lists: [list("Una's", "EUR/USD")] });
  await put(tess, { version: 0, lists: [list("Tess's", "EUR/USD")] });
  await Promise.all([hers.has("event: watchlists"), other.has("event: watchlists")]);
  await hers.has("Tess's");
  expect([hers.text.includes("Una's"), other.text.includes("Tess's")]).toEqual([false, false]);
  hers.close();
  other.close();
  void app.router.server?.stop(true);
});
