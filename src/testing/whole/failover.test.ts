import { afterAll, beforeAll, setDefaultTimeout, test } from "bun:test";
import { losePrimary, SECONDS } from "../failover";
import { buildProgram } from "../program";
import { type Pair, startPair } from "../standby";

/** The primary dies under load and its synchronous standby is promoted by hand. CHAOS_SECONDS makes the load before and after it long. */

setDefaultTimeout(600_000 + SECONDS * 3_000);

let pair: Pair;
beforeAll(async () => {
  buildProgram();
  pair = await startPair();
});
afterAll(() => pair.stop());

test("the primary dies under load: nothing answered is lost or doubled, and both programs go on at the standby that was promoted", () =>
  losePrimary(pair, "failover.test.ts"));
