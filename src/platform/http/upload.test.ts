import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { HOUR } from "../../lib/time";
import { Refusal } from "../../lib/refusal";
import { Inspector } from "./upload";

const MEDIA = JSON.stringify(join(import.meta.dir, "media.ts"));
const started: Worker[] = [];
afterAll(() => started.forEach((worker) => worker.terminate()));

/** A worker whose code is given here; `gate` is 0 until the test opens it. */
function worker(code: string, gate = new Int32Array(new SharedArrayBuffer(4))): Worker {
  const source = `let gate; addEventListener("message", ({ data }) => { if (gate) { ${code} } else gate = data; });`;
  const blob = new Blob([`import { mediaTypeOf } from ${MEDIA}; ${source}`], { type: "text/javascript" });
  const made = new Worker(URL.createObjectURL(blob), { ref: false });
  made.postMessage(gate);
  started.push(made);
  return made;
}
const BEHIND_GATE = `Atomics.wait(gate, 0, 0); postMessage({ type: mediaTypeOf(data) })`;
const ENDLESS = "for (;;);";
const BREAKS = `throw new Error("broken")`;

function open(gate: Int32Array): void {
  Atomics.store(gate, 0, 1);
  Atomics.notify(gate, 0);
}
const refusalOf = (reading: Promise<unknown>) =>
  reading.then(
    () => "read",
    (error: unknown) => (error instanceof Refusal ? `${error.code}: ${error.fields?.file ?? ""}` : String(error)),
  );

const pdf = (inside: string) => new TextEncoder().encode(`%PDF-1.4\n${inside}\nstartxref\n0\n%%EOF`);
const worst = pdf("stream\n#41#41".repeat(400_000));

test("while the worst file is read, others are answered", async () => {
  const gate = new Int32Array(new SharedArrayBuffer(4));
  const inspector = new Inspector({ start: () => worker(BEHIND_GATE, gate) });
  using server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("answered") });
  const reading = inspector.typeOf(worst);
  expect(await (await fetch(server.url)).text()).toBe("answered");
  expect([Bun.peek.status(reading), inspector.waiting]).toEqual(["pending", 1]);
  open(gate);
  expect(await reading).toBe("application/pdf");
  expect(inspector.waiting).toBe(0);
});

test("a file that takes too long, or breaks its worker, is refused with a sentence, and the next one is read", async () => {
  const codes = [ENDLESS, BREAKS];
  const inspector = new Inspector({ deadline: 3_000, start: () => worker(codes.shift() ?? `postMessage({ type: mediaTypeOf(data) })`) });
  for (let n = 0; n < 2; n++) expect(await refusalOf(inspector.typeOf(worst))).toStartWith("unsupported_media_type: This file can't be checked.");
  expect([codes.length, inspector.givenUp]).toEqual([0, 2]);
  // A busy machine may take longer to start another worker.
  Reflect.set(inspector, "deadline", HOUR);
  expect(await inspector.typeOf(pdf("/Type /Page"))).toBe("application/pdf");
});

test("few wait, and one too many is told to come back; the worker goes on with the next", async () => {
  const gate = new Int32Array(new SharedArrayBuffer(4));
  let workers = 0;
  const inspector = new Inspector({
    most: 3,
    start: () => {
      workers++;
      return worker(BEHIND_GATE, gate);
    },
  });
  const waiting = Array.from({ length: 3 }, () => inspector.typeOf(pdf("")));
  expect(await refusalOf(inspector.typeOf(pdf("")))).toStartWith("unavailable");
  open(gate);
  expect(await Promise.all(waiting)).toEqual(Array(3).fill("application/pdf"));
  expect(await inspector.typeOf(pdf(""))).toBe("application/pdf");
  expect(workers).toBe(1);
});

test("the program's own worker reads files and says why it refuses one", async () => {
  const inspector = new Inspector();
  expect(await inspector.typeOf(pdf("/Type /Page"))).toBe("application/pdf");
  expect(await refusalOf(inspector.typeOf(pdf("/JavaScript")))).toBe("invalid: This PDF holds scripts or actions. Please send a picture of it.");
});
