import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { lackOfVerifier, VERIFIER } from "../../scripts/reports.mjs";
import { leadAlone } from "../platform/cluster/leader";
import { type Person, type TestApp, testApp } from "../testing/app";
import { type TestDatabase, testDatabase } from "../testing/database";
import { appending, drain, leaveNotes } from "../testing/log_notes";
import { nightsIn, rule } from "../testing/nights";
import { until } from "../testing/scenarios";
import type { PositionFile } from "./rules_files";
import type { Proof } from "./schema";
import { hashesAt, TILE_WIDTH, tilePath } from "./rules_tiles";

/** A verifier that we did not write, Go's, reads a log of 100,000 entries as it is served, and a position's file with its nights. */

const ENTRIES = 101_000;
const [GO = ""] = VERIFIER.paths;
const PACKAGES = "/usr/share/gocode";
/** Only where it can't be had: scripts/test.mjs installs it wherever it can, and counts what was skipped by itself. */
const lack = lackOfVerifier(existsSync);
if (lack !== null) console.warn(`skipped: ${lack}`);
const folder = mkdtempSync("/tmp/halyard-log-");
let db: TestDatabase;
let app: TestApp;

beforeAll(async () => {
  if (lack === null) db = await testDatabase();
});
afterAll(async () => {
  await app?.end();
  rmSync(folder, { recursive: true, force: true });
});

/** Keeps what the log serves under a path as a file of the same name. */
async function keep(path: string, name = path): Promise<void> {
  const response = await app.stranger().fetch("GET", `/log/${path}`);
  if (response.status !== 200) throw new Error(`/log/${path} answered ${response.status}`);
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), await response.bytes());
}

const { groupWith, holder, sleptSince, isCharged } = nightsIn(() => app);

/** A position that was held over three nights and closed; answers with its file. */
async function heldOverNights(): Promise<string> {
  await app.quote("EUR/USD", "1.10000", "1.10002");
  const { tess, open } = await holder(await groupWith({ swaps: [rule({ long: "-0.85", tripleDay: 3 })] }));
  const { id } = await open({ amount: 11_000.2 });
  await sleptSince("2026-11-16", { [id]: "2026-11-16T12:00:00Z" });
  await until("all nights are charged", isCharged);
  expect((await tess.post(`/api/trading/positions/${id}/close`)).status).toBe(200);
  const text = await fileOf(tess, id);
  expect(text).toContain('"kind":"swap"');
  return text;
}

/** A position whose margin goes by its size, beside what was held, and by where its owner lives: 1,000 at 1:30 and 2,000 at 10 % are 1:12. */
async function geared(): Promise<string> {
  await app.quote("GBP/USD", "1.27000", "1.27002");
  const { tess, open } = await holder(await groupWith({}), { country: "DE" });
  // Without the staff's book, whose numbers the made-up records took.
  await app.sql`insert into jurisdictions (country, is_served, leverage_major, has_promotions) values ('DE', true, 30, true)`;
  await app.sql`
    insert into instrument_terms (symbol, version, state, margin_percent, margin_steps, effective_at, applies_at, changed_by, change_reason)
    values ('GBP/USD', 1, 'tradable', 1, '[{"above": "5000.00", "percent": "10.00"}]', now(), now(), ${tess.id}, 'A test')`;
  await app.sql`select instruments_come_due()`;
  await open({ symbol: "GBP/USD", amount: 4000 });
  return fileOf(tess, (await open({ symbol: "GBP/USD", amount: 3000 })).id);
}

/** A position's file, once the log has all of it. */
async function fileOf(tess: Person, id: string): Promise<string> {
  const path = `/api/trading/positions/${id}/proof`;
  await until("the log has it", async () => {
    await app.logbook.wake();
    return (await tess.fetch("GET", path)).status === 200;
  });
  return (await tess.get(path)).text;
}

/** How many proofs there are of each kind, in the order of the kinds. */
const countsOf = (proofs: readonly Proof[]): Record<string, number> => {
  const kinds = proofs.map(({ record }) => record.kind).toSorted();
  return Object.fromEntries([...new Set(kinds)].map((kind) => [kind, kinds.filter((each) => each === kind).length]));
};

function verify(indexes: readonly number[]) {
  const { exitCode, stdout, stderr } = Bun.spawnSync([join(folder, "verify"), folder, ...indexes.map(String)], { stdout: "pipe", stderr: "pipe" });
  return { exitCode, said: stdout.toString() + stderr.toString() };
}

test.skipIf(lack !== null)("checkpoint, inclusion and consistency hold by golang.org/x/mod/sumdb, and nothing does with a byte changed", async () => {
  const built = Bun.spawnSync([GO, "build", "-o", join(folder, "verify"), join(import.meta.dir, "../testing/verifier/verify.go")], {
    env: { ...process.env, GO111MODULE: "off", GOPATH: PACKAGES, GOFLAGS: "", GOCACHE: join(folder, "cache"), HOME: folder },
    stderr: "pipe",
  });
  expect([built.exitCode, built.stderr.toString()]).toEqual([0, ""]);

  const given = appending(db.sql, await leadAlone(db.sql));
  mkdirSync(join(folder, "kept"));
  let state = await drain(given);
  for (let from = 1; from <= ENTRIES; from += 20_000) {
    writeFileSync(join(folder, "kept", `${from}`), state.log.note ?? "");
    await leaveNotes(db.sql, from, Math.min(from + 19_999, ENTRIES) - (from === 1 ? 777 : 0));
    state = await drain(given, state);
  }
  app = await testApp({ PUBLIC_URL: "https://made.example" }, db);
  await app.logbook.wake();
  mkdirSync(join(folder, "files"));
  const files = { position: await heldOverNights(), margin: await geared() };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, "files", name), text);
  const proofs = Object.values(files).flatMap((text) => {
    const { opening, closing, others } = JSON.parse(text) as PositionFile;
    return [...others, ...[opening, closing].flatMap((dealt) => (dealt ? [dealt.proof, dealt.quote.batch] : []))];
  });
  await keep("key");
  await keep("checkpoint");
  const size = Number(readFileSync(join(folder, "checkpoint"), "utf8").split("\n")[1]);
  expect(size).toBeGreaterThan(100_000);
  const keepTile = (level: number | "entries", n: number) =>
    keep(`tile/${tilePath({ level, n, width: Math.min(TILE_WIDTH, hashesAt(size, level) - n * TILE_WIDTH) })}`);
  for (const level of [0, 1, 2]) for (let n = 0; n * TILE_WIDTH < hashesAt(size, level); n++) await keepTile(level, n);
  const indexes = [0, 1, 2, 255, 256, 257, 65_535, 65_536, size - 257, size - 2, size - 1, ...Array.from({ length: 40 }, (_, n) => (n * 7_919 + 13) % size)];
  for (const n of new Set([...indexes, ...proofs.map(({ index }) => index)].map((index) => Math.floor(index / TILE_WIDTH)))) await keepTile("entries", n);

  const counts = countsOf(proofs);
  expect(Object.keys(counts)).toEqual(["countries", "exit", "fill", "group", "instrument", "swap", "terms", "ticks"]);
  expect(counts.swap).toBeGreaterThan(2);
  const found = Object.entries(counts).map((each) => each.join(":"));
  expect(verify(indexes)).toEqual({
    exitCode: 0,
    said: `${size} entries: ${indexes.length} included, consistent with 6 earlier checkpoints, of files map[${found.join(" ")}]\n`,
  });

  // It is no verifier that finds nothing.
  const spoils: [string, RegExp][] = [
    ["checkpoint", /invalid signature|malformed/],
    ["tile/0/000", /inclusion|consistency/],
    ["tile/entries/000", /inclusion/],
    ["kept/20001", /invalid signature|malformed/],
  ];
  for (const [name, words] of spoils) {
    const path = join(folder, name);
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.with(40, (bytes[40] ?? 0) ^ 1));
    const { exitCode, said } = verify([0, 1, 2]);
    expect([name, exitCode, said]).toEqual([name, 1, expect.stringMatching(words)]);
    writeFileSync(path, bytes);
  }
  const other = (text: string) => text.replace(/.$/, (last) => (last === "A" ? "B" : "A"));
  const lies: [keyof typeof files, RegExp, string | ((found: string) => string), RegExp][] = [
    ["position", /"booked":"[^"]+"(?=[^}]+"kind":"swap")/, '"booked":"-9999.99"', /booked is more/],
    ["position", /"due":"[^"]+"/, '"due":"-9999.99"', /was due, not -9999.99/],
    ["position", /"night":"2026/, '"night":"2025', /another entry/],
    ["position", /"salt":"./, other, /another entry/],
    ["position", /"inclusion":\["./, other, /invalid transparency proof/],
    ["position", /"checkpoint":"made/, '"checkpoint":"Made', /invalid signature/],
    ["position", /(?<="kind":"exit"[^}]+)"margin":"[^"]+"/, '"margin":"1.00"', /exit \d+: the margin is 110.01, not 1.00/],
    ["position", /"own":100/, '"own":20', /the leverage is 1:20, not 1:100/],
    ["margin", /"margin":"[^"]+"/, '"margin":"1.00"', /the margin is 250.00, not 1.00/],
    ["margin", /"leverage":12/, '"leverage":13', /the margin is 230.77, not 250.00/],
    ["margin", /"cap":30/, '"cap":null', /the leverage is 1:14, not 1:12/],
    ["margin", /"country":"DE"/, '"country":"FR"', /the rules of FR have 1:<nil>, not 1:30/],
    ["margin", /"countryVersion":2/, '"countryVersion":1', /lacks the record of its terms/],
    ["margin", /\\"leverageMajor\\": 30/, '\\"leverageMajor\\": 20', /countries \d+: the log has another entry/],
    ["margin", /"own":100/, '"own":10', /the leverage is 1:10, not 1:12/],
    ["margin", /"own":100/, '"own":501', /above the group's/],
    ["margin", /"placed":null/, '"placed":5', /the leverage is 1:5, not 1:12/],
    ["margin", /"held":"4000.00"/, '"held":"0.00"', /the leverage is 1:30, not 1:12/],
    ["margin", /"held":"4000.00"/, '"held":null', /there are 1 steps/],
    ["margin", /"instrumentVersion":1/, '"instrumentVersion":2', /lacks the record of its terms/],
    ["margin", /"percent\\": \\"10/, '"percent\\": \\"90', /instrument \d+: the log has another entry/],
  ];
  for (const [name, part, lie, words] of lies) {
    writeFileSync(join(folder, "files", name), files[name].replace(part, lie as string));
    const answer = verify([0]);
    expect([name, part, answer.exitCode, answer.said]).toEqual([name, part, 1, expect.stringMatching(words)]);
    writeFileSync(join(folder, "files", name), files[name]);
  }
  expect(verify([0]).exitCode).toBe(0);
});
