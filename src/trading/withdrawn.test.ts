import { afterEach, beforeEach, expect, test } from "bun:test";
import { type TestApp, testApp } from "../testing/app";
import { LiveStream } from "../testing/live_stream";
import { order } from "../testing/scenarios";
import type { Position } from "./schema";

/** While the feed contradicts itself, nobody deals on either price. */

let app: TestApp;
beforeEach(async () => {
  app = await testApp();
  await app.quote("ETH/USD", "3000", "3000");
});
afterEach(() => app.end());

const ether = { ...order, symbol: "ETH/USD", type: "sell" };
const STALE = { status: 503, body: { code: "stale_price" } };
const standing = async () => {
  const { body } = await app.stranger().get<{ symbol: string; bid: string; stale: boolean }[]>("/api/market-data");
  return body.find(({ symbol }) => symbol === "ETH/USD");
};

test("while a jump is held back nothing is dealt on, and screens and streams say so; a good tick brings the symbol back", async () => {
  const tess = await app.trader();
  const { body: held } = await tess.post<Position>("/api/trading/positions", { ...ether, stopLoss: 3_500 });
  const stream = new LiveStream(await app.stranger().fetch("GET", "/api/market/stream?symbols=ETH/USD"), () => {});
  await stream.has('"stale":false');
  await app.quote("ETH/USD", "3900", "3900");
  expect(await tess.post("/api/trading/positions", ether)).toMatchObject(STALE);
  expect(await tess.post(`/api/trading/positions/${held.id}/close`)).toMatchObject(STALE);
  expect(await standing()).toMatchObject({ bid: "3000.00000000", stale: true });
  await stream.has('"stale":true');
  expect((await tess.get<Position[]>("/api/trading/positions/open")).body).toMatchObject([{ id: held.id }]);
  await app.quote("ETH/USD", "3001", "3001");
  expect(await standing()).toMatchObject({ bid: "3001.00000000", stale: false });
  expect(await tess.post("/api/trading/positions", ether)).toMatchObject({ status: 201, body: { openPrice: "3001.00000000" } });
});

test("a jump that is confirmed fires the stops behind it, on the tick that confirmed it", async () => {
  const tess = await app.trader();
  const { body: held } = await tess.post<Position>("/api/trading/positions", { ...ether, stopLoss: 3_500 });
  await app.quote("ETH/USD", "3900", "3900");
  await app.quote("ETH/USD", "3910", "3910");
  expect((await tess.get<Position[]>("/api/trading/positions/history")).body).toMatchObject([
    { id: held.id, closeReason: "stop_loss", closePrice: "3910.00000000" },
  ]);
});
