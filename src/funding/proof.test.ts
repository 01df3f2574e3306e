import { afterAll, beforeAll, describe, expect, spyOn, test } from "bun:test";
import { deflateSync } from "node:zlib";
import { type TestApp, testApp } from "../testing/app";
import { bytes, chunk, end, header, jpeg, pdf, png, SIGNATURE, webp } from "../testing/files";
import { deposit, type Signed } from "../testing/money";
import { mediaTypeOf } from "../platform/http/media";
import { inspector } from "../platform/http/upload";
import { until } from "../testing/scenarios";
import type { Deposit } from "./schema";

const packed = (inside: string, filter = "/FlateDecode") => {
  const content = deflateSync(Buffer.from(inside));
  return bytes(
    `%PDF-1.7\n2 0 obj <</Type /ObjStm /N 1 /First 4 /Filter ${filter} /Length ${content.length}>>\nstream\n`,
    content,
    "\nendstream endobj\nstartxref\n9\n%%EOF\n",
  );
};

const emptyObjects = bytes("2 0 obj <</Type /ObjStm /Filter /FlateDecode>>\nstream\n", deflateSync(Buffer.alloc(0)), "\nendstream endobj\n");

const more = chunk("IDAT", new Uint8Array(60_000));

describe("a file is what its content says", () => {
  test.each([
    ["image/png", png()],
    ["image/jpeg", jpeg()],
    ["image/webp", webp()],
    ["application/pdf", pdf()],
    ["image/jpeg", bytes(jpeg(), jpeg())],
    ["image/jpeg", bytes(jpeg(), [0, 0, 0])],
    ["image/jpeg", bytes(jpeg(), "\0\0\x01\x0aImage_UTC_Data1700000000000SEFH", "SEFT")],
    ["application/pdf", packed("1 0 <</Type /Page /JSONish true>>")],
  ])("%s", (type, file) => expect(mediaTypeOf(file)).toBe(type as never));

  test.each([
    ["nothing", bytes()],
    ["one byte", bytes([0xff])],
    ["SVG", bytes("<svg xmlns='http://www.w3.org/2000/svg' onload='document.title=1337'/>")],
    ["GIF and script", bytes("GIF89a<script>document.title=1337</script>")],
    ["HTML", bytes("<!doctype html><script>1</script>")],
    ["a PNG's signature alone", bytes(SIGNATURE)],
    ["a PNG without data", bytes(SIGNATURE, header(1, 1), end)],
    ["a PNG with a page behind it", bytes(png(), "<script>1</script>")],
    ["a PNG whose header is not first", bytes(SIGNATURE, chunk("IDAT", bytes([0])), header(1, 1), end)],
    ["a PNG with a wrong checksum", png().with(20, 7)],
    ["a PNG cut off", png().subarray(0, -6)],
    ["a PNG of 50,000 × 50,000 points", png(50_000, 50_000)],
    ["a PNG of 9,000 × 9,000 points", png(9_000, 9_000)],
    ["a PNG without width", png(0, 1)],
    ["a JPEG of 60,000 × 60,000 points", jpeg(60_000, 60_000)],
    ["a JPEG without a frame", bytes([0xff, 0xd8, 0xff, 0xda, 0, 2, 0xff, 0xd9])],
    ["a JPEG with an archive behind it", bytes(jpeg(), "PK\x03\x04")],
    ["a JPEG with a page behind it", bytes(jpeg(), "<script>1</script>")],
    ["a JPEG with an archive in what a phone adds", bytes(jpeg(), "PK\x05\x06", "SEFT")],
    ["a PDF with an archive behind it", bytes(pdf(), "PK\x05\x06")],
    ["a JPEG cut off", jpeg().subarray(0, 15)],
    ["a WebP of another length", webp(90)],
    ["a PDF without its end", bytes("%PDF-1.7 /JS (app.alert(1))")],
    ["a PDF with a script", pdf("/OpenAction <</S /JavaScript /JS (app.alert(1))>>")],
    ["a PDF with a script's name spelled otherwise", pdf("/AA <</O <</S /J#61vaScript /J#53 (app.alert(1))>>>>")],
    ["a PDF that starts a program", pdf("/AA <</O <</S/Launch/F(cmd.exe)>>>>")],
    ["a PDF with a script in packed objects", packed("1 0 <</S /JavaScript /JS (app.alert(1))>>")],
    ["a PDF whose objects are packed in another way", packed("1 0 <<>>", "/LZWDecode")],
    ["a PDF whose objects are damaged", bytes("%PDF-1.7\n2 0 obj <</Type /ObjStm /Filter /FlateDecode>>\nstream\nxxxx\nendstream\nstartxref\n9\n%%EOF\n")],
    ["a PDF that unpacks to 40 MB", packed("x".repeat(40_000_000))],
    ["a PDF whose packed objects are not packed", bytes("%PDF-1.7\n2 0 obj <</Type /ObjStm /N 0>>\nstream\n\nendstream\nstartxref\n9\n%%EOF\n")],
    ["a PDF whose objects begin where a text says so", packed("1 0 <<>>", "/FlateDecode /X (stream\n)")],
    ["a PDF whose packed objects' name is spelled otherwise", packed("1 0 <</S /JavaScript>>", "/FlateDecode /Type /Obj#53t#6D")],
    ["a PDF of 2,001 packed objects", bytes("%PDF-1.7\n", ...Array<Uint8Array>(2_001).fill(emptyObjects), "startxref\n9\n%%EOF\n")],
    ["a protected PDF", pdf("/Encrypt 3 0 R")],
  ])("%s is refused", (_, file) => expect(() => mediaTypeOf(file)).toThrow(expect.objectContaining({ code: "invalid", fields: { file: expect.any(String) } })));
});

test("a PDF is looked through once, however many streams it says to hold", () => {
  const worst = bytes("%PDF-1.4\n", "stream\n#41#41".repeat(20_000), "\nstartxref\n0\n%%EOF");
  const exec = RegExp.prototype.exec;
  let looks = 0;
  const spy = spyOn(RegExp.prototype, "exec").mockImplementation(function (this: RegExp, text: string) {
    if (++looks > 100) throw new Error("looked through again and again");
    return exec.call(this, text);
  });
  try {
    expect(mediaTypeOf(worst)).toBe("application/pdf");
  } finally {
    spy.mockRestore();
  }
});

describe("a proof of payment", () => {
  let app: TestApp;
  let admin: Awaited<ReturnType<TestApp["admin"]>>;
  let tess: Signed;
  beforeAll(async () => {
    app = await testApp();
    [admin, tess] = await Promise.all([app.admin(), app.trader()]);
  });
  afterAll(async () => {
    expect(await app.faults()).toEqual([]);
    await app.end();
  });

  const send = async (person: { cookie: string }, id: string, file: Uint8Array | null, type = "image/png", headers: Record<string, string> = {}) =>
    app.router.handle(
      new Request(`http://halyard.test/api/deposits/${id}/proof`, {
        method: "POST",
        headers: { Cookie: person.cookie, ...(type ? { "Content-Type": type } : {}), ...headers },
        body: file as BodyInit | null,
      }),
    );
  const made = async (person = tess) => (await deposit(person)).body.id;
  const kept = async () => (await app.sql<{ count: number }[]>`select count(*)::integer as count from deposit_proofs`)[0]?.count;

  test("is kept, and handed out to its owner and to administrators alone", async () => {
    const id = await made();
    const answer = await send(tess, id, png(), "application/octet-stream");
    expect([answer.status, ((await answer.json()) as Deposit).proofOfPayment]).toEqual([200, `/api/deposits/${id}/proof`]);
    expect((await tess.get<Deposit[]>("/api/deposits")).body[0]?.proofOfPayment).toBe(`/api/deposits/${id}/proof`);
    for (const reader of [tess, admin]) {
      const file = await reader.fetch("GET", `/api/deposits/${id}/proof`);
      expect(new Uint8Array(await file.arrayBuffer())).toEqual(png());
      expect(Object.fromEntries(file.headers)).toMatchObject({
        "content-type": "image/png",
        "content-disposition": `attachment; filename="proof-${id}.png"`,
        "x-content-type-options": "nosniff",
        "content-security-policy": "default-src 'none'; sandbox",
        "cross-origin-resource-policy": "same-origin",
        "cache-control": "no-store",
      });
    }
    expect((await (await app.trader()).get(`/api/deposits/${id}/proof`)).status).toBe(404);
    expect((await app.stranger().get(`/api/deposits/${id}/proof`)).status).toBe(401);
  });

  test("takes the place of an earlier one, while the deposit waits", async () => {
    const id = await made();
    await send(tess, id, png());
    expect((await send(tess, id, pdf(), "application/pdf")).status).toBe(200);
    expect((await tess.fetch("GET", `/api/deposits/${id}/proof`)).headers.get("content-type")).toBe("application/pdf");
    await tess.post(`/api/deposits/${id}/cancel`);
    expect((await send(tess, id, png())).status).toBe(409);
  });

  test.each([
    ["what is no picture", 400, bytes("<script>1</script>"), "image/png", {}],
    ["SVG", 415, bytes("<svg/>"), "image/svg+xml", {}],
    ["HTML", 415, png(), "text/html", {}],
    ["a form", 415, png(), "multipart/form-data; boundary=b", {}],
    ["JSON", 415, bytes("{}"), "application/json", {}],
    ["more than 5 MB", 413, new Uint8Array(5 * 1024 * 1024 + 1), "image/png", {}],
    ["nothing", 400, null, "", {}],
    ["what another site sends", 403, png(), "image/png", { "Sec-Fetch-Site": "cross-site" }],
    ["what another origin sends", 403, png(), "image/png", { Origin: "https://evil.example" }],
  ] as const)("refuses %s, and keeps nothing", async (_, status, file, type, headers) => {
    const before = await kept();
    const answer = await send(tess, await made(), file, type, headers);
    expect(answer.status).toBe(status);
    expect(await kept()).toBe(before);
  });

  test("is looked at while everybody else is answered", async () => {
    const id = await made();
    const answered = Promise.withResolvers<"image/png">();
    const spy = spyOn(inspector, "typeOf").mockReturnValue(answered.promise);
    const sending = send(tess, id, png());
    await until("it is looked at", async () => spy.mock.calls.length === 1);
    expect((await tess.get("/api/deposits")).status).toBe(200);
    answered.resolve("image/png");
    spy.mockRestore();
    expect((await sending).status).toBe(200);
  });

  test("of several parts is kept whole, and none of them is large", async () => {
    const id = await made();
    const large = bytes(SIGNATURE, header(1, 1), chunk("IDAT", crypto.getRandomValues(new Uint8Array(60_000))), ...Array<Uint8Array>(9).fill(more), end);
    const text = Buffer.prototype.toString;
    const written: number[] = [];
    const spy = spyOn(Buffer.prototype, "toString").mockImplementation(function (this: Buffer, ...how: Parameters<typeof text>) {
      if (how[0] === "hex") written.push(this.length);
      return text.apply(this, how);
    });
    const answer = await send(tess, id, large);
    spy.mockRestore();
    expect(answer.status).toBe(200);
    expect(written.reduce((all, each) => all + each, 0)).toBeGreaterThanOrEqual(large.length);
    expect(Math.max(...written)).toBeLessThanOrEqual(128 * 1024);
    expect(new Uint8Array(await (await tess.fetch("GET", `/api/deposits/${id}/proof`)).arrayBuffer())).toEqual(large);
    expect(await app.sql`select oid from pg_largeobject_metadata`).toHaveLength(0);
    expect((await send(tess, crypto.randomUUID(), large)).status).toBe(404);
    expect(await app.sql`select oid from pg_largeobject_metadata`).toHaveLength(0);
  });

  test("of another's deposit, or of none, is not found", async () => {
    const other = await app.trader();
    const id = await made(other);
    for (const target of [id, crypto.randomUUID(), "nonsense"]) expect((await send(tess, target, png())).status).toBe(404);
    expect((await send({ cookie: "" }, id, png())).status).toBe(401);
  });

  test("has a bound for each person", async () => {
    const ann = await app.trader();
    const large = bytes(SIGNATURE, header(1, 1), chunk("IDAT", new Uint8Array(5 * 1024 * 1024 - 100)), end);
    const answers = [];
    for (let n = 0; n < 11; n++) answers.push((await send(ann, await made(ann), large)).status);
    expect(answers).toEqual([...Array(10).fill(200), 422]);
    expect((await send(tess, await made(), png())).status).toBe(200);
  });
});
