import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fromBase64 } from "../lib/bytes";
import { readConfig } from "../config";
import { type TestApp, testApp } from "../testing/app";
import { currentLog } from "./queries";
import { isConsistent } from "./rules_merkle";
import { openCheckpoint, openNote, parseVerifier, signatureLine, signerOf, type Signer, verifierText } from "./rules_note";
import { witnessesOf } from "./witnesses";

/** Witnesses as the standard has them: each keeps the newest checkpoint, signs what only grew from it, and says what it has where it is told otherwise. */

const folder = mkdtempSync("/tmp/halyard-witness-");
const seed = (n: number) => new Uint8Array(32).fill(n);
const good = signerOf("good.example/w", seed(1), "cosignature");
const lying = signerOf("lying.example/w", seed(2), "cosignature");
const stranger = signerOf("lying.example/w", seed(3), "cosignature");
const states = new Map<string, { size: number; root: Uint8Array }>();
const asked: string[] = [];
let app: TestApp;

/** What a witness does with one call. */
function witness(signer: Signer, body: string): Response {
  const at = body.indexOf("\n\n");
  const [first = "", ...proof] = body.slice(0, at).split("\n");
  const log = parseVerifier(logKey());
  const checkpoint = log && openCheckpoint(body.slice(at + 2), [log]);
  if (!checkpoint) return new Response("", { status: 403 });
  const known = states.get(signer.name) ?? { size: 0, root: new Uint8Array() };
  const old = Number(first.slice(4));
  asked.push(`${signer.name} ${old}`);
  if (old !== known.size) return new Response(`${known.size}\n`, { status: 409, headers: { "Content-Type": "text/x.tlog.size" } });
  const hashes = proof.map((hash) => fromBase64(hash) as Uint8Array);
  if (old > 0 && !isConsistent(old, known.root, checkpoint.size, checkpoint.root, hashes)) return new Response("", { status: 422 });
  states.set(signer.name, { size: checkpoint.size, root: checkpoint.root });
  return new Response(signatureLine(checkpoint.text, signer, 1_800_000_000));
}
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: async (request) => {
    const body = await request.text();
    const { pathname } = new URL(request.url);
    if (pathname === "/good/add-checkpoint") return witness(good, body);
    if (pathname === "/lying/add-checkpoint")
      return new Response(signatureLine("something else\n1\nAA==\n", stranger, 1).replaceAll(stranger.keyId, lying.keyId));
    return new Response("", { status: 404 });
  },
});
let key = "";
const logKey = () => key;

beforeAll(async () => {
  const at = (path: string) => `http://127.0.0.1:${server.port}/${path}`;
  const WITNESS_URLS = `${at("good")}/ ${verifierText(good)}, ${at("lying")} ${verifierText(lying)}, ${at("gone")} ${verifierText(signerOf("gone.example", seed(4), "cosignature"))}`;
  app = await testApp({ PUBLIC_URL: "https://trade.example", WITNESS_URLS, WITNESS_FILE: join(folder, "checkpoints"), WITNESS_EMAIL: "auditor@example.test" });
  await app.logbook.wake();
  key = (await app.stranger().get("/log/key")).text.trim();
});
afterAll(async () => {
  await app.end();
  await server.stop(true);
  rmSync(folder, { recursive: true, force: true });
});

const grow = async () => {
  await app.sql`select audit_append(null, null, 'books.release', '{}', '{}', '{}', '', '', '')`;
  await app.logbook.wake();
  await app.witnesses.wake();
};
const rows = () => app.sql<{ name: string; size: number; fault: string | null; signature: string | null }[]>`
  select name, size, fault, signature from proof_witnesses where name <> '(letters)' order by name`;

test("checkpoints are signed by witnesses, whose signatures are checked and kept; one that has another size is asked from there", async () => {
  const sizeOf = () => states.get(good.name)?.size ?? 0;
  await grow();
  expect(asked).toEqual(["good.example/w 0"]);
  const first = sizeOf();
  await grow();
  expect(asked.slice(1)).toEqual([`good.example/w ${first}`]);
  const second = sizeOf();
  // The database was brought back, say: the witness knows more of it than is known here.
  await app.sql`update proof_witnesses set size = 1 where name = ${good.name}`;
  await grow();
  expect(asked.slice(2)).toEqual(["good.example/w 1", `good.example/w ${second}`]);
  expect([0 < first, first < second, second < sizeOf()]).toEqual([true, true, true]);
  expect((await rows()).map(({ name, size, fault, signature }) => [name, size, fault, signature !== null])).toEqual([
    ["gone.example", 0, "it answered 404", false],
    ["good.example/w", sizeOf(), null, true],
    ["lying.example/w", 0, "its signature is wrong, or not there", false],
  ]);
  const witnessed = (await app.stranger().get("/log/witnessed")).text;
  expect(openNote(witnessed, [good])?.signatures[0]?.time).toBe(1_800_000_000);
  // One that knows a longer log than there is shows that this one is another; what it says is said until it accepts.
  const own = states.get(good.name)!;
  states.set(good.name, { size: 9_999, root: new Uint8Array(32) });
  await grow();
  expect((await rows())[1]?.fault).toBe(`has seen 9,999 entries, this log has ${(await currentLog(app.sql))?.size}`);
  states.set(good.name, own);
  await app.witnesses.wake();
  expect((await rows())[1]?.fault).toBeNull();
});

test("each goes to the file once, and one a day by letter to whom the operator names and to who keeps one", async () => {
  expect(existsSync(join(folder, "checkpoints"))).toBe(true);
  const verifier = parseVerifier(key)!;
  const notes = readFileSync(join(folder, "checkpoints"), "utf8")
    .split(/\n\n(?=trade)/)
    .map((each) => `${each.trimEnd()}\n`);
  const sizes = notes.map((note) => openCheckpoint(note, [verifier])?.size ?? 0);
  expect([sizes.length, sizes.every((size, n) => size > (sizes[n - 1] ?? 0))]).toEqual([4, true]);
  await app.witnesses.wake();
  expect(readFileSync(join(folder, "checkpoints"), "utf8").split("trade.example/log\n").length - 1).toBe(4);

  const letters = () =>
    app.sql<
      { address: string; size: number }[]
    >`select address, (facts ->> 'size')::integer as size from letters where kind = 'checkpoint' order by created_at`;
  expect([...(await letters())]).toEqual([{ address: "auditor@example.test", size: sizes[0] ?? 0 }]);
  const [tess, tom] = [await app.trader(), await app.trader()];
  const way = (of: typeof tess, to: string) => of.call("PUT", "/api/profile/checkpoint", { body: { way: to } });
  expect((await tess.get("/api/profile/checkpoint")).body).toEqual({ way: "off" });
  expect((await way(tess, "letter")).body).toEqual({ way: "letter" });
  expect((await way(tom, "push")).body).toEqual({ way: "push" });
  expect((await way(tom, "pigeon")).status).toBe(400);
  expect((await app.stranger().get("/api/profile/checkpoint")).status).toBe(401);
  await app.sql`update proof_witnesses set tried_at = now() - interval '1 day' where name = '(letters)'`;
  await Promise.all([app.witnesses.wake(), app.witnesses.wake()]);
  expect((await letters()).map(({ address }) => address).sort()).toEqual(["auditor@example.test", "auditor@example.test", tess.email].sort());
  await way(tess, "off");
  expect((await tess.get("/api/profile/checkpoint")).body).toEqual({ way: "off" });
});

test("a setting that names no witness, file or address stops the start", () => {
  const config = (WITNESS_URLS: string) => () => readConfig({ WITNESS_URLS });
  const bad = ["https://w.example", "https://w.example x", "ftp://w.example a+00000000+AA==", `https://w.example ${verifierText(good)} more`];
  const files = ["file:checkpoints", "file://host/checkpoints", "file:///", "file:///folder/", "file:///a b", "file:///a?x", "file:///a%2Fb", "file:///%00"];
  const addresses = ["mailto:", "mailto:nobody", "mailto:a@example.test?subject=x", "mailto:a@example.test b"];
  for (const each of [...bad, ...files, ...addresses]) expect(config(each)).toThrow(/^WITNESS_URLS must be /);
  expect(() => witnessesOf(config(`https://w.example ${verifierText(signerOf("a", seed(1)))}`)())).toThrow("not a cosignature key");
});

test("witnesses, a file and an address may all stand in one setting", () => {
  const called = "https://w.example/log w.example+0a1b2c3d+BAUG";
  const own = { WITNESS_FILE: "/other disk/checkpoints", WITNESS_EMAIL: "auditor@example.test" };
  const told = {
    ...{ witnesses: [{ url: "https://w.example/log", key: "w.example+0a1b2c3d+BAUG" }] },
    ...{ witnessFile: own.WITNESS_FILE, witnessEmail: own.WITNESS_EMAIL },
  };
  const [file, address] = ["file:///other%20disk/checkpoints", "mailto:auditor@example.test"];
  expect(readConfig({ WITNESS_URLS: `${file}, ${called} ,${address}` })).toMatchObject(told);
  expect(readConfig({ ...own, WITNESS_URLS: called })).toMatchObject(told);
  // Said twice it is one; another one besides would be left out.
  expect(readConfig({ ...own, WITNESS_URLS: `${file},${called},${address}` })).toMatchObject(told);
  for (const url of ["file:///elsewhere", "mailto:else@example.test"])
    expect(() => readConfig({ ...own, WITNESS_URLS: url })).toThrow(/^WITNESS_URLS and WITNESS_(FILE|EMAIL) must name one/);
  expect(() => readConfig({ WITNESS_URLS: "file:///one,file:///two" })).toThrow("WITNESS_URLS and WITNESS_FILE must name one");
});
