import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Route } from "../../platform/http/routes";
import { notYet } from "../../proof/queries_files";
import { MARK, valueFor, wrong } from "../arbitrary";
import { testApp } from "../app";
import { order } from "../scenarios";
import { workMeter } from "../work";
import "../seed";

/** Every call that the server declares, asked by its own schema: what fits mostly, and other types, sizes and encodings in its place. */

const RUNS = Number(process.env.RUNS ?? 15);
/** What a call may take, in ms of processor time, here and in the database, however busy the machine is. */
const MOST_WORK = 2_000;
const app = await testApp({ REGISTRATIONS_PER_NETWORK: "1000" });
afterAll(() => app.end());
const { sql } = app;

type Someone = Awaited<ReturnType<typeof app.trader>>;
let tess: Someone, admin: Awaited<ReturnType<typeof app.admin>>;
/** Objects that are there, in places where an id stands. */
let ids: string[];
beforeAll(async () => {
  [tess, admin] = [await app.trader(), await app.admin()];
  await app.quote("EUR/USD", "1.10000", "1.10002");
  const other = await app.trader();
  const made = [
    await tess.post("/api/trading/positions", order),
    await tess.post("/api/deposits", { amount: "50.00", currency: "USD", method: "card" }),
    await tess.post("/api/support/tickets", { subject: "Help", message: "Please", category: "trading", priority: "low" }),
  ];
  const accounts = await sql<{ id: string }[]>`select id from trading_accounts where user_id = ${tess.id}`;
  ids = [tess.id, other.id, ...accounts.map(({ id }) => id), ...made.map(({ body }) => String(body.id)), "01890000-0000-7000-8000-000000000000"];
});

type Case = { params: string[]; query: string; body: BodyInit | null; type: string };

const asText = (value: unknown) => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
/** As an address has it; a half of a letter can't be written there. */
const inAddress = (value: unknown) => encodeURIComponent(asText(value).toWellFormed());

const query = ({ shape }: Route): fc.Arbitrary<string> => {
  const drawn = shape?.query ? valueFor(shape.query) : fc.constant({});
  const written = drawn.map((value) =>
    Object.entries(value && typeof value === "object" ? value : { q: value })
      .filter(([, each]) => each !== undefined)
      .map(([name, each]) => `${inAddress(name)}=${inAddress(each)}`)
      .join("&"),
  );
  return fc.oneof(
    { weight: 8, arbitrary: written },
    { weight: 1, arbitrary: fc.constantFrom(`limit=%ff&cursor=%`, `limit=1&limit=2&cursor=${MARK}`, `q=${MARK.repeat(500)}`) },
  );
};

const TYPES = ["application/json", "text/plain", "application/json; charset=utf-16", "application/x-www-form-urlencoded", "image/png", "application/pdf", ""];
/** JSON, and what only says so: cut off, of other letters, twice, too much, too deep. */
const bytesOf = (value: unknown): fc.Arbitrary<BodyInit | null> => {
  const json = JSON.stringify(value) ?? "";
  const others: (BodyInit | null)[] = [
    null,
    "",
    json.slice(0, -1),
    `\ufeff${json}`,
    `${json}${json}`,
    new Uint8Array(Buffer.from(json, "utf16le")),
    new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
    `{"__proto__":{"role":"admin"},"${MARK}":1}`,
    `{"a":"${MARK.repeat(8_000)}"}`,
    "[".repeat(5_000),
  ];
  return fc.oneof({ weight: 6, arbitrary: fc.constant<BodyInit | null>(json) }, { weight: 1, arbitrary: fc.constantFrom(...others) });
};
const body = ({ shape, method }: Route): fc.Arbitrary<Pick<Case, "body" | "type">> => {
  if (method === "GET") return fc.constant({ body: null, type: "" });
  const drawn = fc.oneof({ weight: 8, arbitrary: shape?.body ? valueFor(shape.body) : fc.constant({}) }, { weight: 1, arbitrary: wrong });
  const type = fc.oneof({ weight: 8, arbitrary: fc.constant("application/json") }, { weight: 1, arbitrary: fc.constantFrom(...TYPES) });
  return fc.record({ body: drawn.chain(bytesOf), type });
};

const caseOf = (route: Route): fc.Arbitrary<Case> => {
  const count = route.path.split("/:").length - 1;
  const id = fc.oneof({ weight: 3, arbitrary: fc.nat().map((n) => ids[n % ids.length] as string) }, { weight: 1, arbitrary: wrong.map(inAddress) });
  return fc
    .tuple(fc.array(id, { minLength: count, maxLength: count }), query(route), body(route))
    .map(([params, asked, sent]) => ({ params, query: asked, ...sent }));
};

const ENDS_SESSION = /^\/api\/auth\/(logout|password|two-factor)/;

async function ask({ method, path, lock }: Route, { params, query: asked, body: sent, type }: Case) {
  const by = ENDS_SESSION.test(path) ? await app.trader() : lock === "admin" ? admin : tess;
  const left = [...params];
  const at = path.replace(/:\w+/g, () => left.shift() || "-");
  const request = new Request(`http://halyard.test${at}?${asked}`, {
    method,
    headers: { Cookie: by.cookie, ...(type ? { "Content-Type": type } : {}) },
    body: sent,
  });
  const response = await app.router.handle(request);
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  if (isStream) await response.body?.cancel();
  return { status: response.status, text: isStream ? "" : await response.text(), headers: JSON.stringify([...response.headers]) };
}

/** A price that nobody vouches for is the market's state, and what the log has not taken up yet is a matter of a second: neither is a fault. */
const isFault = (status: number, text: string) => status >= 500 && !text.includes('"stale_price"') && !text.includes(notYet().message);

const calls = app.list.filter(({ kind }) => kind === "call").map((route) => [`${route.method} ${route.path}`, route] as const);

test("every call tells what it declares", () => {
  expect(calls.filter(([, { shape }]) => shape === undefined)).toEqual([]);
  expect(calls.length).toBeGreaterThan(100);
});

describe("whatever is sent, nothing breaks and nothing comes back of it", () => {
  test.each(calls)("%s", async (_, route) => {
    const worked = await workMeter(sql);
    await fc.assert(
      fc.asyncProperty(caseOf(route), async (asked) => {
        const before = worked();
        const { status, text, headers } = await ask(route, asked);
        const took = worked() - before;
        if (took > MOST_WORK) throw new Error(`it took ${took} ms of work`);
        if (isFault(status, text)) throw new Error(`${status}: ${text.slice(0, 300)}`);
        if (headers.includes(MARK)) throw new Error(`a header repeats what was sent: ${headers}`);
        if (status >= 400 && text.includes(MARK)) throw new Error(`a refusal repeats what was sent: ${text.slice(0, 300)}`);
      }),
      { numRuns: RUNS },
    );
    await sql`delete from throttles`;
    expect(app.lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
    expect(app.lines.filter((line) => line.includes(MARK))).toEqual([]);
    app.lines.length = 0;
  });
});

test("and the books hold", async () => {
  expect(await app.faults()).toEqual([]);
});
