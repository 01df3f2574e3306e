import { describe, expect, test } from "bun:test";
import { Refusal } from "../../lib/refusal";
import { workedMs } from "../../testing/work";
import * as v from "valibot";
import { asItCame, fit, UNFIT } from "../../lib/fit";
import { cleanText, readBytes, readForm, readJson } from "./body";

const asked = (body: BodyInit | null, headers: Record<string, string> = {}) =>
  new Request("http://halyard.test/", { method: "POST", body, headers: { "content-type": "application/json", ...headers } });
const read = async (body: BodyInit) => (await readJson(asked(body))).value;

/** The code and message of the refusal. */
async function refusal(reading: Promise<unknown>): Promise<{ code: string; message: string; fields?: Record<string, string> | undefined }> {
  const error = await reading.then(
    () => new Error("it was read"),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Refusal)) throw error;
  const { code, message, fields } = error;
  return { code, message, fields };
}
const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;

describe("JSON", () => {
  test("is read as it is, with its text", async () => {
    const text = '{"a":[1,"x",null,true],"b":{"c":"é\\n"}}';
    expect(await readJson(asked(text))).toEqual({ value: { a: [1, "x", null, true], b: { c: "é\n" } }, text });
  });

  test.each(["", "[]", '"text"', "0", "null", '{"a":1,}', "{}garbage", "{}{}", "{'a':1}", '{"a":NaN}', '{"a":+5}', '{"a":1_000}', "\ufeff{}"])(
    "%p is refused",
    async (text) => {
      expect((await refusal(read(text))).code).toBe("invalid");
    },
  );

  test("no body at all is refused", async () => {
    expect((await refusal(readJson(asked(null)))).code).toBe("invalid");
  });

  test("what is no UTF-8 is refused, not repaired", async () => {
    const bytes = new Uint8Array([...new TextEncoder().encode('{"a":"'), 0xff, 0xfe, ...new TextEncoder().encode('"}')]);
    expect((await refusal(read(bytes))).message).toBe("The text is not valid UTF-8.");
    expect((await refusal(read(new Uint8Array([0x7b, 0x22, 0xc3])))).message).toBe("The text is not valid UTF-8.");
  });

  test("of a name given twice the last counts, here as in every part of the program", async () => {
    expect(await read('{"email":"a@b.co","email":"c@d.co"}')).toEqual({ email: "c@d.co" });
  });

  test("sixteen levels are enough for anyone", async () => {
    expect(await read(nested(16))).toBeObject();
    expect((await refusal(read(nested(17)))).message).toBe("The request is nested too deeply.");
    expect((await refusal(read(`{"a":${"[".repeat(16)}${"]".repeat(16)}}`))).code).toBe("invalid");
    expect((await refusal(read(`{"a":${"[".repeat(60_000)}`))).message).toBe("The request is nested too deeply.");
    expect(await read(`{"a":"${'[{\\"['.repeat(20)}","b":[${"[],".repeat(100)}[]]}`)).toBeObject();
  });

  test("a thousand parts are enough too, and more are refused quickly", async () => {
    const keys = (count: number) => `{${Array.from({ length: count }, (_, n) => `"k${n}":0`).join(",")}}`;
    expect(Object.keys(await read(keys(1000)))).toHaveLength(1000);
    expect((await refusal(read(keys(1001)))).message).toBe("The request has too many parts.");
    expect((await refusal(read(`{"a":[${"0,".repeat(1000)}0]}`))).message).toBe("The request has too many parts.");
    const before = workedMs();
    expect((await refusal(read(keys(50_000)))).code).toBe("too_large");
    expect(workedMs() - before).toBeLessThan(1000);
  });

  test("64 kB are read, a byte more is not, announced or not", async () => {
    const body = (bytes: number) => `{"a":"${"x".repeat(bytes - 8)}"}`;
    expect(await read(body(65_536))).toBeObject();
    expect((await refusal(read(body(65_537)))).code).toBe("too_large");
    expect((await refusal(readJson(asked("{}", { "content-length": "65537" })))).code).toBe("too_large");
    const stream = new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(new Uint8Array(16_384).fill(0x20)) });
    expect((await refusal(readJson(asked(stream)))).code).toBe("too_large");
  });

  test("a body that does not come is not waited for", async () => {
    const stream = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(new TextEncoder().encode("{")) });
    expect((await refusal(readJson(asked(stream), { patience: 20 }))).code).toBe("too_slow");
  });

  test("a file has time while it comes, and none for a few bytes", async () => {
    const began = Promise.withResolvers<ReadableStreamDefaultController<Uint8Array>>();
    const file = new ReadableStream<Uint8Array>({ start: (controller) => began.resolve(controller as ReadableStreamDefaultController<Uint8Array>) });
    const reading = readBytes(asked(file), 2 ** 21, { patience: 1 });
    const sender = await began.promise;
    sender.enqueue(new Uint8Array(2 ** 20));
    const few = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(new Uint8Array(3)) });
    expect((await refusal(readBytes(asked(few), 2 ** 21, { patience: 1 }))).code).toBe("too_slow");
    sender.enqueue(new Uint8Array(3));
    sender.close();
    expect(await reading).toHaveLength(2 ** 20 + 3);
  });

  test("a body that breaks off is the sender's fault", async () => {
    const stream = new ReadableStream<Uint8Array>({ start: (controller) => controller.error(new Error("reset")) });
    expect((await refusal(readJson(asked(stream)))).code).toBe("invalid");
  });

  test("over the wire: whole in parts and in chunks, announced and never sent, broken off", async () => {
    let hear = Promise.withResolvers<string>();
    const server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: async (request) => {
        const reading = readJson(request, { patience: request.url.endsWith("/hasty") ? 20 : 15_000 }).then(({ text }) => text);
        hear.resolve(await reading.catch((error: Refusal) => error.code));
        return new Response("");
      },
    });
    const sent = async (path: string, head: string, parts: string[], end = false) => {
      hear = Promise.withResolvers();
      const socket = await Bun.connect({ hostname: "127.0.0.1", port: server.port as number, socket: { data: () => {} } });
      for (const part of [`POST ${path} HTTP/1.1\r\nHost: halyard.test\r\nContent-Type: application/json\r\n${head}\r\n\r\n`, ...parts]) {
        socket.write(part);
        socket.flush();
      }
      if (end) socket.end();
      return hear.promise;
    };
    expect(await sent("/", "Content-Length: 7", ['{"a"', ":1}"])).toBe('{"a":1}');
    expect(await sent("/", "Transfer-Encoding: chunked", ['4\r\n{"a"\r\n', "3\r\n:2}\r\n", "0\r\n\r\n"])).toBe('{"a":2}');
    expect(await sent("/hasty", "Content-Length: 7", ['{"a"'])).toBe("too_slow");
    expect(await sent("/", "Content-Length: 7", ['{"a"'], true)).toBe("invalid");
    await server.stop(true);
  });

  test("__proto__ is dropped, wherever it stands, and nobody's prototype changes", async () => {
    const value = await read('{"__proto__":{"role":"admin"},"a":{"__proto__":{"role":"admin"}},"constructor":{"prototype":{"role":"admin"}}}');
    expect(Object.keys(value)).toEqual(["a", "constructor"]);
    expect((value as { role?: string }).role).toBeUndefined();
    expect((value.a as { role?: string }).role).toBeUndefined();
    expect(({} as { role?: string }).role).toBeUndefined();
  });
});

describe("text", () => {
  test.each([
    "\u0000",
    "a\u0000b",
    "\u0007",
    "\u001b[31m",
    "\u007f",
    "\u0085",
    "\u009b",
    "a\rb",
    "\ud800",
    "\udc00x",
    "x\ud83d",
    "a\u202eb",
    "\u202a",
    "\u2066x\u2069",
    "x\u200e",
    "\u200f",
    "\u061c",
  ])("%j is refused", async (text) => {
    const found = await refusal(read(JSON.stringify({ name: text })));
    expect(found).toEqual({
      code: "invalid",
      message: "Some characters in this text are not allowed.",
      fields: { name: "Some characters in this text are not allowed." },
    });
    expect((await refusal(read(JSON.stringify({ [text]: 1 })))).code).toBe("invalid");
  });

  test.each(["O'Brien-Smith, Jr.", "a\tb\nc", "😀", "Z\u0351\u036b", "\u00a0", "\u2028", "%s%n", "</script>"])("%j is kept", async (text) => {
    expect(await read(JSON.stringify({ name: text }))).toEqual({ name: text });
  });

  test("line ends are one character", () => {
    expect(cleanText("a\r\nb\r\n", "text")).toBe("a\nb\n");
  });

  test("a field is named by where it stands, unless its name could be anything", async () => {
    expect((await refusal(read('{"a":{"b":["\\u0000"]}}'))).fields).toEqual({ "a.b": "Some characters in this text are not allowed." });
    expect((await refusal(read('{"<b>":"\\u0000"}'))).fields).toBeUndefined();
  });
});

describe("a form", () => {
  const form = (body: string, type = "application/x-www-form-urlencoded") => readForm(asked(body, { "content-type": type }));
  const part = (name: string, value: string) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const multipart = (...parts: string[]) => form(`${parts.join("")}--b--\r\n`, "multipart/form-data; boundary=b");

  test("is its fields as text, however it was sent", async () => {
    expect({ ...(await form("a=1+2&b=%C3%A9")) }).toEqual({ a: "1 2", b: "é" });
    expect({ ...(await multipart(part("a", '{"x":1}'), part("b", "two\r\nlines"))) }).toEqual({ a: '{"x":1}', b: "two\nlines" });
  });

  test("keeps no files", async () => {
    const file = '--b\r\nContent-Disposition: form-data; name="f"; filename="x.svg"\r\nContent-Type: image/svg+xml\r\n\r\n<svg/>\r\n';
    expect({ ...(await multipart(file, part("a", "1"))) }).toEqual({ a: "1" });
  });

  test("has nothing unfit in it: that is taken out, and its field noted", async () => {
    const found = await form("a=x%00y&b=%E2%80%AEz&c=w&d=%E2%80%A8");
    expect({ ...found, [UNFIT]: undefined }).toEqual({ a: "xy", b: "z", c: "w", d: "\u2028", [UNFIT]: undefined } as never);
    expect(Object.keys(found[UNFIT] ?? {})).toEqual(["a", "b"]);
    expect((await refusal(form("a+b=%00"))).fields).toBeUndefined();
    const shape = v.object({ c: v.string() });
    expect(fit(shape, found)).toEqual({ ok: false, fields: found[UNFIT] ?? {} });
    expect(fit(shape, asItCame(found)).ok).toBe(true);
    expect(fit(shape, await form("c=w")).ok).toBe(true);
  });

  test("has bounds", async () => {
    expect((await refusal(form(Array.from({ length: 101 }, (_, n) => `f${n}=`).join("&")))).code).toBe("invalid");
    expect((await refusal(form(`a=${"x".repeat(65_536)}`))).code).toBe("too_large");
    expect((await refusal(form("--b\r\nnothing", "multipart/form-data; boundary=b"))).code).toBe("invalid");
    expect((await refusal(form("x", "multipart/form-data"))).code).toBe("invalid");
  });

  test("a field named like a part of every object is a field", async () => {
    const found = await form("__proto__=1&constructor=2&toString=3");
    expect(Object.entries(found)).toEqual([
      ["__proto__", "1"],
      ["constructor", "2"],
      ["toString", "3"],
    ]);
  });
});
