import { afterEach, expect, setSystemTime, test } from "bun:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { KeptPage } from "./kept_page";

const HTML = `<!doctype html>${"<p>Halyard</p>".repeat(100)}`;
const ask = (headers: Record<string, string> = {}, path = "/") => new Request(`http://localhost${path}`, { headers });
const kept = async (forMs = Number.POSITIVE_INFINITY) => {
  const page = new KeptPage();
  await page.keep(HTML, new Headers({ "Content-Type": "text/html" }), forMs);
  return page;
};
const answered = (page: KeptPage, request = ask()) => {
  const response = page.answer(request);
  if (!response) throw new Error("nothing was kept");
  return response;
};
afterEach(() => setSystemTime());

test("has nothing before it was drawn", () => expect(new KeptPage().answer(ask())).toBeNull());

test("answers in the coding that the browser takes", async () => {
  const page = await kept();
  expect(await answered(page).text()).toBe(HTML);
  const br = answered(page, ask({ "accept-encoding": "gzip, deflate, br" }));
  expect(br.headers.get("content-encoding")).toBe("br");
  expect(brotliDecompressSync(await br.arrayBuffer()).toString()).toBe(HTML);
  const gzip = answered(page, ask({ "accept-encoding": "gzip" }));
  expect(gunzipSync(await gzip.arrayBuffer()).toString()).toBe(HTML);
});

test("answers 304 to who has it already", async () => {
  const page = await kept();
  const etag = answered(page).headers.get("etag") ?? "";
  const response = answered(page, ask({ "if-none-match": `"other", ${etag}` }));
  expect(response.status).toBe(304);
  expect(await response.text()).toBe("");
  expect(answered(page, ask({ "if-none-match": '"other"' })).status).toBe(200);
});

test("is drawn once for all who come while there is nothing yet; who may be signed in has their own", async () => {
  const page = new KeptPage();
  const first = Promise.withResolvers<void>();
  let draws = 0;
  const draw = async () => {
    draws++;
    await first.promise;
    await page.keep(HTML, new Headers(), 60_000);
    return page.answer(ask()) ?? new Response("nothing");
  };
  const crowd = Array.from({ length: 50 }, () => page.orDrawn(ask(), draw));
  const own = page.orDrawn(ask({ cookie: "sid=abc" }), async () => new Response("hers"));
  expect(await (await own).text()).toBe("hers");
  first.resolve();
  for (const answer of await Promise.all(crowd)) expect(await answer.text()).toBe(HTML);
  expect(draws).toBe(1);
});

test("that could not be drawn fails the one who drew it; the others try themselves", async () => {
  const page = new KeptPage();
  let draws = 0;
  const draw = async () => {
    await Promise.resolve();
    if (++draws === 1) throw new Error("no");
    return new Response("drawn");
  };
  const told = await Promise.allSettled([1, 2, 3].map(() => page.orDrawn(ask(), draw)));
  expect(told.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
  expect((await page.orDrawn(ask(), draw)).status).toBe(200);
});

test("steps aside for a session and for a query", async () => {
  const page = await kept();
  expect(page.answer(ask({ cookie: "a=1; sid=abc" }))).toBeNull();
  expect(page.answer(ask({ cookie: "__Host-sid=abc" }))).toBeNull();
  expect(page.answer(ask({}, "/?utm=1"))).toBeNull();
  expect(page.answer(ask({ cookie: "insid=abc" }))).not.toBeNull();
});

test("is drawn anew by one request when its time is over, while the others get the old one", async () => {
  setSystemTime(new Date("2026-11-21T00:00:00Z"));
  const page = await kept(5000);
  setSystemTime(new Date("2026-11-21T00:00:04.999Z"));
  expect(page.answer(ask())).not.toBeNull();
  setSystemTime(new Date("2026-11-21T00:00:05Z"));
  expect(page.answer(ask())).toBeNull();
  expect(page.answer(ask())).not.toBeNull();
});
