import { afterAll, expect, test } from "bun:test";
import { readConfig } from "../config";
import { localBus } from "../platform/bus";
import { createLog } from "../platform/log";
import { testDatabase } from "../testing/database";
import { openMarket } from "./market";

const { sql, drop } = await testDatabase();
afterAll(drop);

const quiet = createLog("error", () => {});
const noFault = (error: unknown) => {
  throw error;
};
const open = (env: Record<string, string> = {}) => openMarket({ sql, config: readConfig(env), log: quiet, bus: localBus(noFault) });

test("the first start makes a day of history, and the next start goes on from the last prices", async () => {
  const market = await open();
  market.start();
  await market.stop();
  const before = market.board.get("EUR/USD");
  expect(await market.candles("EUR/USD", "1m", 1000)).toHaveLength(1000);
  expect((await open()).board.get("EUR/USD")).toMatchObject({ bid: before?.bid, ask: before?.ask });
});
