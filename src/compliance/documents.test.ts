import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLog } from "../platform/log";
import { type Person, type TestApp, testApp } from "../testing/app";
import { bytes, jpeg, pdf, png, webp } from "../testing/files";
import { counted, type Signed, times } from "../testing/money";
import { withoutGuard } from "../testing/scenarios";
import { endDocuments } from "./commands";
import type { Document, StaffDocument, Verification } from "./schema";
import { openVault } from "./vault";

let app: TestApp;
let ann: Awaited<ReturnType<TestApp["admin"]>>;
let bob: Awaited<ReturnType<TestApp["admin"]>>;
let tess: Signed;
beforeAll(async () => {
  app = await testApp();
  [ann, bob, tess] = await Promise.all([app.admin(), app.admin(), app.trader()]);
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

type Given = { kind?: string; side?: string; files?: [field: string, file: Uint8Array, name?: string, type?: string][] };
const formOf = ({ kind = "identity", side, files = [["file", png()]] }: Given) => {
  const form = new FormData();
  form.set("kind", kind);
  if (side !== undefined) form.set("side", side);
  for (const [field, file, name = "a.png", type = "image/png"] of files) form.append(field, new File([file as BlobPart], name, { type }));
  return form;
};
const ask = (person: { cookie: string }, path: string, body?: BodyInit, headers: Record<string, string> = {}) =>
  app.router.handle(
    new Request(`http://halyard.test${path}`, {
      method: body === undefined ? "GET" : "POST",
      body: body ?? null,
      headers: { Cookie: person.cookie, ...headers },
    }),
  );
const send = async (person: { cookie: string }, given: Given = {}) => {
  const answer = await ask(person, "/api/kyc/documents", formOf(given));
  return { status: answer.status, body: (await answer.json()) as Document & { message: string; fields?: Record<string, string> } };
};
const kept = async (person: { id: string }) => (await app.sql`select from documents where user_id = ${person.id}`).length;
const kyc = async (person: Person) => (await person.get<Verification>("/api/kyc")).body;
const decide = (admin: Person, id: string, deed: string, body: object = {}) =>
  admin.post<StaffDocument & { code: string }>(`/api/admin/kyc/documents/${id}/${deed}`, body);

describe("what is sent", () => {
  test.each([
    ["PNG", png(), "image/png"],
    ["JPEG", jpeg(), "image/jpeg"],
    ["WebP", webp(), "image/webp"],
    ["PDF", pdf(), "application/pdf"],
  ])("a %s is kept by its content, whatever it is called", async (_, file, type) => {
    const { status, body } = await send(tess, { kind: "other", files: [["file", file, "holiday.exe", "text/html"]] });
    expect([status, body.mediaType, body.status, body.size]).toEqual([201, type, "pending", file.length]);
    const answer = await ask(tess, `/api/kyc/documents/${body.id}`);
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(file);
    expect(answer.headers.get("content-type")).toBe(type);
    expect(answer.headers.get("content-disposition")).toMatch(/^attachment; filename="document-/);
    expect(answer.headers.get("content-security-policy")).toContain("sandbox");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  const big = new Uint8Array(10 * 1024 * 1024 + 1);
  big.set(png());
  test.each<[string, Uint8Array, number[]]>([
    ["a program of Windows", bytes("MZ\x90\0\x03\0\0\0", "This program cannot be run in DOS mode"), [415]],
    ["a program of Linux", bytes([0x7f], "ELF\x02\x01\x01\0"), [415]],
    ["a program in a script", bytes("#!/bin/sh\nid\n"), [415]],
    ["SVG", bytes("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>"), [415]],
    ["HTML", bytes("<!doctype html><script>1</script>"), [415]],
    ["GIF and script", bytes("GIF89a/*<script>*/=1"), [415]],
    ["an archive", bytes("PK\x03\x04\x14\0"), [415]],
    ["a picture and an archive", bytes(jpeg(), "PK\x03\x04\x14\0", "PK\x05\x06"), [415]],
    ["a picture and a page", bytes(png(), "<script>1</script>"), [415]],
    ["a PDF and an archive", bytes(pdf(), "PK\x05\x06"), [415]],
    ["a PDF with a script", pdf("/OpenAction <</S /JavaScript /JS (app.alert(1))>>"), [415]],
    ["a picture of 10,001 × 10,001 points", png(10_001, 10_001), [413, 415]],
    ["a JPEG of 60,000 × 60,000 points", jpeg(60_000, 60_000), [413, 415]],
    ["more than 10 MB", big, [413]],
    ["nothing", bytes(), [400]],
  ])("%s is refused, and nothing is kept", async (_, file, statuses) => {
    const vera = await app.trader();
    const { status } = await send(vera, { files: [["file", file, "passport.png"]] });
    expect(statuses).toContain(status);
    expect(await kept(vera)).toBe(0);
    const form = await ask(vera, "/verification", formOf({ files: [["front", file, "passport.png"]] }));
    expect(statuses).toContain(form.status);
    expect(await kept(vera)).toBe(0);
  });

  test("what the form says besides is held to its shape", async () => {
    const vera = await app.trader();
    expect((await send(vera, { kind: "passport" })).body.fields).toHaveProperty("kind");
    expect((await send(vera, { side: "top" })).body.fields).toHaveProperty("side");
    expect((await send(vera, { kind: "address", side: "front" })).body.fields).toHaveProperty("side");
    expect((await send(vera, { files: [] })).status).toBe(400);
    expect(
      (
        await send(vera, {
          files: [
            ["file", png()],
            ["file", png()],
          ],
        })
      ).status,
    ).toBe(400);
    const raw = await ask(vera, "/api/kyc/documents", png() as BodyInit, { "Content-Type": "image/png" });
    expect(raw.status).toBe(415);
    expect((await ask(vera, "/api/kyc/documents", "--x", { "Content-Type": "multipart/form-data; boundary=y" })).status).toBe(400);
    expect((await ask(vera, "/api/kyc/documents", "{}", { "Content-Type": "application/json" })).status).toBe(415);
    expect(await kept(vera)).toBe(0);
  });

  test("is bounded for each person, however many come at once", async () => {
    const vera = await app.trader();
    for (let n = 0; n < 16; n++) expect((await send(vera)).status).toBe(201);
    const statuses = (await times(12, () => send(vera))).map(({ status }) => status);
    expect(statuses.sort()).toEqual([...Array<number>(4).fill(201), ...Array<number>(8).fill(422)]);
  });

  test("the page is a plain form: both sides at once, then what became of them", async () => {
    const vera = await app.trader();
    const asked = await ask({ cookie: "" }, "/verification", formOf({}));
    expect([asked.status, (await asked.text()).includes('name="returnTo" value="/verification"')]).toEqual([401, true]);
    const sent = await ask(
      vera,
      "/verification",
      formOf({
        files: [
          ["front", png()],
          ["back", jpeg()],
        ],
      }),
    );
    expect([sent.status, sent.headers.get("location")]).toEqual([303, "/verification"]);
    expect((await kyc(vera)).documents.map(({ side }) => side).sort()).toEqual(["back", "front"]);
    const html = await (await ask(vera, "/verification")).text();
    for (const words of ["Passport or identity card, front", "Waiting", 'encType="multipart/form-data"', 'capture="environment"', "Level 0 of 3"])
      expect(html.toLowerCase()).toContain(words.toLowerCase());
    expect(await (await ask(vera, "/profile")).text()).toContain('href="/verification"');
  });
});

describe("the vault", () => {
  test("what is kept is no picture, is bound to its row, and opens by its key alone", async () => {
    const { body } = await send(tess, { kind: "selfie", files: [["file", jpeg()]] });
    const [row] = await app.sql<{ content: Uint8Array; keyId: string }[]>`select content, key_id as "keyId" from documents where id = ${body.id}`;
    if (!row) throw new Error("nothing is kept");
    expect(Buffer.from(row.content).includes(Buffer.from(jpeg()))).toBe(false);
    const log = createLog("error", () => {});
    const open = (documentKey: string) => openVault({ documentKey, dataDir: null, databaseUrl: null }, log);
    const own = open("0123456789abcdef".repeat(4));
    expect(new Uint8Array(own.open(body.id, row))).toEqual(jpeg());
    expect(() => own.open(crypto.randomUUID(), row)).toThrow();
    expect(() => open("f".repeat(64)).open(body.id, row)).toThrow(expect.objectContaining({ code: "unavailable" }));
    const changed = Buffer.from(row.content);
    changed.writeUInt8(changed.readUInt8(30) ^ 1, 30);
    expect(() => own.open(body.id, { ...row, content: changed })).toThrow();
  });

  test("its key is a file of the data folder, made once, and never made anew where documents are kept", async () => {
    const folder = mkdtempSync(join(tmpdir(), "halyard-vault-"));
    const lines: string[] = [];
    const open = (databaseUrl: string | null = null) =>
      openVault(
        { documentKey: null, dataDir: folder, databaseUrl },
        createLog("error", (line) => void lines.push(line)),
      );
    const id = crypto.randomUUID();
    expect(open().lock(id, png(), async () => false)).rejects.toMatchObject({ code: "unavailable" });
    const { cipher: content, keyId } = await open().lock(id, png(), async () => true);
    const file = join(folder, "documents.key");
    expect(readFileSync(file, "utf8")).toMatch(/^[0-9a-f]{64}\n$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(new Uint8Array(open().open(id, { content, keyId }))).toEqual(png());
    expect((await open().lock(id, png(), async () => false)).keyId).toBe(keyId);
    expect(open("postgres://elsewhere/halyard").lock(id, png(), async () => true)).rejects.toMatchObject({ code: "unavailable" });
    rmSync(file);
    expect(() => open().open(id, { content, keyId })).toThrow(expect.objectContaining({ code: "unavailable" }));
    expect(lines.length).toBeGreaterThan(1);
    rmSync(folder, { recursive: true });
  });
});

test("every role against every document: it is there for its owner and for staff alone", async () => {
  const vera = await app.trader();
  const made = await Promise.all((["identity", "address", "selfie", "other"] as const).map((kind) => send(vera, { kind })));
  const people: [string, { cookie: string }, number, number][] = [
    ["a stranger", { cookie: "" }, 401, 401],
    ["another trader", tess, 404, 403],
    ["its owner", vera, 200, 403],
    ["an administrator", ann, 404, 200],
  ];
  for (const { body } of made)
    for (const [who, person, own, staffs] of people) {
      const statuses = [(await ask(person, `/api/kyc/documents/${body.id}`)).status, (await ask(person, `/api/admin/kyc/documents/${body.id}`)).status];
      expect([who, ...statuses]).toEqual([who, own, staffs]);
      const deeds = await Promise.all(
        ["approve", "reject", "ask", "undo"].map(async (deed) => {
          const json = JSON.stringify(deed === "undo" ? {} : { reason: "other" });
          const answer = await ask(person, `/api/admin/kyc/documents/${crypto.randomUUID()}/${deed}`, json, { "Content-Type": "application/json" });
          return answer.status;
        }),
      );
      expect(deeds).toEqual(Array(4).fill(person === ann ? 404 : staffs));
    }
  expect((await ask(vera, `/api/kyc/documents/${crypto.randomUUID()}`)).status).toBe(404);
  expect((await ask(vera, "/api/kyc/documents/nonsense")).status).toBe(404);
  expect((await ask(ann, "/api/admin/kyc")).status).toBe(200);
  expect((await ask(tess, "/api/admin/kyc")).status).toBe(403);
});

describe("staff", () => {
  const trail = (person: { id: string }) =>
    app.sql<{ action: string; admin: string }[]>`select action, admin_user_id as admin from admin_actions where target_user_id = ${person.id} order by id`;

  test("each look is in the audit book, and its owner reads of it", async () => {
    const vera = await app.trader();
    const { body } = await send(vera);
    expect((await kyc(vera)).documents[0]?.seen).toEqual([]);
    for (const admin of [ann, bob]) expect(new Uint8Array(await (await ask(admin, `/api/admin/kyc/documents/${body.id}`)).arrayBuffer())).toEqual(png());
    expect((await trail(vera)).map(({ action, admin }) => [action, admin])).toEqual([
      ["document.view", ann.id],
      ["document.view", bob.id],
    ]);
    const [{ seen = [] } = {}] = (await kyc(vera)).documents;
    expect(seen).toHaveLength(2);
    expect(await (await ask(vera, "/verification")).text()).toContain(`Seen by compliance on ${seen[0]?.slice(0, 10)}`);
  });

  test("the queue begins with who has waited longest, and is searched", async () => {
    const vera = await app.trader({ firstName: "Quentin", lastName: "Queue" });
    const [one, two] = [await send(vera, { kind: "identity" }), await send(vera, { kind: "address" })];
    const list = async (query: string) => (await ann.get<StaffDocument[]>(`/api/admin/kyc?${query}`)).body.map(({ id }) => id);
    expect(await list("q=quentin%20queue")).toEqual([one.body.id, two.body.id]);
    const { headers } = await ann.get("/api/admin/kyc?q=quentin&limit=1");
    expect(await list(`q=quentin&limit=1&cursor=${headers.get("x-next-cursor")}`)).toEqual([two.body.id]);
    expect((await decide(ann, one.body.id, "approve")).body).toMatchObject({ status: "approved", firstName: "Quentin", identity: "verified" });
    expect([await list("q=quentin"), await list("q=quentin&status=approved")]).toEqual([[two.body.id], [one.body.id]]);
    expect((await ann.get("/api/admin/kyc?status=odd")).status).toBe(400);
    const page = await (await ask(ann, "/admin?tab=kyc&q=quentin")).text();
    expect(page).toContain("Proof of address");
    expect(page).toContain("Quentin Queue");
    expect((await ann.get<{ documents: number }>("/api/admin/waiting")).body.documents).toBeGreaterThan(0);
  });

  test("of decisions at one moment one counts, with one line in the book and one letter", async () => {
    const vera = await app.trader();
    const { body } = await send(vera);
    const answers = await times(12, (n) => decide(n % 2 ? ann : bob, body.id, n % 3 ? "approve" : "reject", { reason: "cut_off" }));
    expect(counted(answers)).toEqual({ 200: 1, 409: 11 });
    expect((await trail(vera)).length).toBe(1);
    expect(await app.sql`select from letters where user_id = ${vera.id} and kind = 'document_decided'`).toHaveLength(1);
  });

  test("identity counts once no side is open, and no more once one was refused or asked for again", async () => {
    const vera = await app.trader();
    const [front, back] = [await send(vera, { side: "front" }), await send(vera, { side: "back" })];
    await decide(ann, front.body.id, "approve");
    expect(await kyc(vera)).toMatchObject({ level: 0, identity: "pending" });
    await decide(ann, back.body.id, "reject", { reason: "unreadable", note: "The left half is dark." });
    expect(await kyc(vera)).toMatchObject({ level: 0, identity: "rejected" });
    expect((await kyc(vera)).documents[0]).toMatchObject({ side: "back", status: "rejected", reason: "unreadable", note: "The left half is dark." });
    const again = await send(vera, { side: "back" });
    await decide(ann, again.body.id, "approve");
    expect(await kyc(vera)).toMatchObject({ level: 2, identity: "verified" });
    const home = await send(vera, { kind: "address" });
    await decide(ann, home.body.id, "approve");
    expect((await kyc(vera)).level).toBe(3);
    expect((await decide(ann, home.body.id, "approve")).status).toBe(409);
    expect((await decide(bob, again.body.id, "ask", { reason: "expired" })).body).toMatchObject({ status: "asked", identity: "pending" });
    expect((await decide(bob, again.body.id, "ask", { reason: "expired" })).status).toBe(409);
    expect((await kyc(vera)).level).toBe(0);
  });

  test("a reason is one of the list, and an end a day to come", async () => {
    const { body } = await send(tess);
    expect((await decide(ann, body.id, "reject", {})).status).toBe(400);
    expect((await decide(ann, body.id, "reject", { reason: "his nose" })).status).toBe(400);
    for (const expiresOn of ["2020-01-01", "yesterday", "2026-02-31", "9999-01-01"])
      expect((await decide(ann, body.id, "approve", { expiresOn })).status).toBe(400);
    expect((await decide(ann, body.id, "approve", { expiresOn: "2031-05-06" })).body.expiresOn).toBe("2031-05-06");
  });

  test("a decision is taken back by who made it, within twelve seconds, with what followed from it", async () => {
    const vera = await app.trader();
    const { body } = await send(vera);
    await decide(ann, body.id, "approve");
    // Decided just now, however long the test takes over it.
    await app.sql`update documents set decided_at = decided_at + interval '1 hour' where id = ${body.id}`;
    expect((await decide(bob, body.id, "undo")).status).toBe(409);
    expect((await decide(ann, body.id, "undo")).body).toMatchObject({ status: "pending", identity: "pending", decidedAt: null });
    expect((await app.sql`select status from letters where user_id = ${vera.id} and kind = 'document_decided'`).map(({ status }) => status)).toEqual([
      "recalled",
    ]);
    await decide(ann, body.id, "reject", { reason: "other", note: "Ask us." });
    await app.sql`update documents set decided_at = decided_at - interval '13 seconds' where id = ${body.id}`;
    expect((await decide(ann, body.id, "undo")).status).toBe(409);
    // Without the guard it would be taken back: the line above can fail.
    const putBack = await withoutGuard(app.sql, "document_undo", " or d.decided_at < clock_timestamp() - interval '12 seconds'");
    expect((await decide(ann, body.id, "undo").finally(putBack)).status).toBe(200);
  });

  test("nobody decides about one's own document", async () => {
    const { body } = await send(ann);
    expect((await decide(ann, body.id, "approve")).status).toBe(403);
    expect((await decide(bob, body.id, "approve")).status).toBe(200);
  });
});

test("a document that ends is told of once, thirty days before, and once more when it has ended: then the identity is open again", async () => {
  const vera = await app.trader();
  const { body } = await send(vera);
  await decide(ann, body.id, "approve", { expiresOn: new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10) });
  const ends = (days: number) => app.sql`update documents set expires_on = current_date + ${days}::integer where id = ${body.id}`;
  const letters = async () => (await app.sql`select from letters where user_id = ${vera.id} and kind = 'document_ends'`).length;
  const seen: [number, number][] = [];
  for (const days of [31, 30, 5, 0, -1, -2]) {
    await ends(days);
    await Promise.all([endDocuments(app.context.sql), endDocuments(app.context.sql)]);
    seen.push([await letters(), (await kyc(vera)).level]);
  }
  expect(seen).toEqual([
    [0, 2],
    [1, 2],
    [1, 2],
    [1, 2],
    [2, 0],
    [2, 0],
  ]);
  expect((await kyc(vera)).identity).toBe("pending");
});
