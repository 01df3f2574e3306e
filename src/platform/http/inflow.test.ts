import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { Refusal } from "../../lib/refusal";
import { type TestApp, testApp } from "../../testing/app";
import { until } from "../../testing/scenarios";
import { Inflow } from "./inflow";

let app: TestApp;
let port: number;
beforeAll(async () => {
  app = await testApp({ TRUSTED_PROXY: "127.0.0.0/8" });
  app.router.listen({ port: 0, hostname: "127.0.0.1" });
  port = app.router.server?.port ?? 0;
});
afterAll(async () => {
  await app.router.server?.stop(true);
  await app.end();
});

type Slow = { socket: Socket; answer: string };
const slow: Slow[] = [];
afterEach(() => {
  for (const { socket } of slow.splice(0)) socket.destroy();
});

/** Announces 500 bytes and sends three. */
function dawdle(network: string, path = "/api/auth/login"): Slow {
  const socket = connect(port, "127.0.0.1");
  const each = { socket, answer: "" };
  socket.on("error", () => {});
  socket.on("data", (data) => (each.answer += data.toString()));
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: halyard.test\r\nX-Forwarded-For: ${network}\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"e`,
  );
  slow.push(each);
  return each;
}
const answered = () => slow.filter(({ answer }) => answer !== "").length;
const statuses = () => [...new Set(slow.map(({ answer }) => answer.slice(9, 12)))].sort();

const ask = (network: string) => fetch(`http://127.0.0.1:${port}/api/account-types`, { headers: { "x-forwarded-for": network } }).then(({ status }) => status);
const signIn = (network: string) =>
  fetch(`http://127.0.0.1:${port}/api/auth/login`, {
    method: "POST",
    headers: { "x-forwarded-for": network, "content-type": "application/json" },
    body: JSON.stringify({ email: `${crypto.randomUUID()}@t.test`, password: "Wr0ng-horse" }),
  }).then(({ status }) => status);

test("a thousand bodies of one network that do not come shut nobody out, not even of that network", async () => {
  for (let n = 0; n < 1_050; n++) dawdle("203.0.113.7");
  await until("all but 64 have their answer", () => answered() === 1_050 - 64 && app.context.inflow.count === 64);
  expect(statuses()).toEqual(["", "429"]);
  const told = slow.find(({ answer }) => answer !== "")?.answer ?? "";
  expect(told).toContain("Connection: close");
  expect(told).toContain('"code":"too_many_requests"');
  expect(told).toMatch(/Retry-After: \d/i);
  expect([await ask("198.51.100.1"), await signIn("198.51.100.1"), await ask("203.0.113.7"), await signIn("203.0.113.7")]).toEqual([200, 401, 200, 401]);
  expect((await app.context.metrics.text()).match(/^halyard_bodies_arriving 64$/m)).not.toBeNull();
});

test("a body that is on its way is no request that is worked on, of however many networks", async () => {
  await until("the former ones are gone", () => app.context.inflow.count === 0);
  for (let n = 0; n < 1_050; n++) dawdle(`10.1.${n >> 8}.${n & 255}`);
  await until("there are no more than a thousand", () => answered() === 50 && app.context.inflow.count === 1_000);
  expect(statuses()).toEqual(["", "503"]);
  expect([await ask("198.51.100.2"), await signIn("198.51.100.2")]).toEqual([200, 401]);
});

test("what comes after all is read", async () => {
  await until("the former ones are gone", () => app.context.inflow.count === 0);
  const one = dawdle("203.0.113.9");
  await until("it is waited for", () => app.context.inflow.count === 1);
  one.socket.write(`mail":"${"x".repeat(500 - 12)}"}`);
  await until("it is answered", () => one.answer.includes("\r\n\r\n"));
  expect(one.answer).toContain('"code":"invalid","fields":{');
  expect([one.answer.slice(9, 12), app.context.inflow.count]).toEqual(["400", 0]);
});

test("the oldest of the network that has the most gives way", async () => {
  const inflow = new Inflow({ perNetwork: 2, most: 4 });
  const never = new Promise<never>(() => {});
  const ends: string[] = [];
  const wait = (name: string, network: string) =>
    void inflow.wait(network, never).catch((error: unknown) => ends.push(`${name} ${error instanceof Refusal ? error.code : String(error)}`));
  for (const [name, network] of Object.entries({ a1: "a", a2: "a", a3: "a", b1: "b", b2: "b", c1: "c" })) wait(name, network);
  await Bun.sleep(0);
  expect([ends, inflow.count, inflow.cut]).toEqual([["a1 too_many_requests", "a2 unavailable"], 4, 2]);
});
