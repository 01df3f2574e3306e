/** What a proof costs who checks it: the page /verify on a slowed phone. */
import type { Browser } from "playwright-core";
import { launchChromium } from "../../src/testing/browser";
import type { Site } from "./browser";

/** As in browser.ts: a phone whose processor is at a sixth. */
const SLOWER = 6;
const PHONE = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };
const RUNS = 7;
const SETTLE_MS = 1500;
const PATIENCE_MS = 30_000;

/** Bytes of a closed position's file, and milliseconds to check it: the first time on a page, and later, each in the order of its runs. */
export type ProofSpeed = { bytes: number; first: number[]; later: number[] };

/** Opens and closes a position, and takes its proof as soon as the log has it. */
async function closedProof({ origin, cookie }: Site): Promise<string> {
  const headers = { "Content-Type": "application/json", cookie };
  const call = async (path: string, body: object) =>
    (await fetch(origin + path, { method: "POST", headers, body: JSON.stringify(body) })).json() as Promise<{ id: string }>;
  const { id } = await call("/api/trading/positions", { symbol: "EUR/USD", type: "buy", amount: 1000 });
  await call(`/api/trading/positions/${id}/close`, {});
  for (const until = performance.now() + PATIENCE_MS; performance.now() < until; await Bun.sleep(200)) {
    const answer = await fetch(`${origin}/api/trading/positions/${id}/proof`, { headers });
    if (answer.ok) return answer.text();
  }
  throw new Error("the log did not get the position in time");
}

/** The page notes how long a check took; what the test drives costs nothing of it. */
async function checkOnce(browser: Browser, origin: string, text: string, times: number): Promise<number[]> {
  const context = await browser.newContext(PHONE);
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  await page.goto(`${origin}/verify`, { waitUntil: "load" });
  await page.locator("#proof-file:enabled").waitFor({ state: "attached" });
  // Nobody has his file at hand before the page has come to rest.
  await page.waitForTimeout(SETTLE_MS);
  for (let n = 0; n < times; n++) {
    await page.locator("#proof-file").setInputFiles({ name: "proof.json", mimeType: "application/json", buffer: Buffer.from(text) });
    await page.waitForFunction((count) => performance.getEntriesByName("verify").length === count, n + 1);
  }
  if (!(await page.getByText("It holds", { exact: true }).isVisible())) throw new Error("the proof does not hold");
  const took = await page.evaluate(() => performance.getEntriesByName("verify").map(({ duration }) => duration));
  await context.close();
  return took;
}

export async function benchProofs(site: Site): Promise<ProofSpeed> {
  const text = await closedProof(site);
  const browser = await launchChromium("engine");
  try {
    const runs: number[][] = [];
    for (let run = 0; run < RUNS; run++) runs.push(await checkOnce(browser, site.origin, text, 3));
    return { bytes: text.length, first: runs.map(([first = 0]) => first), later: runs.flatMap(([, ...later]) => later) };
  } finally {
    await browser.close();
  }
}
