import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { toBase64 } from "../../lib/bytes";
import { connect } from "../../platform/database/db";
import { runningPostgres } from "../../platform/database/postgres";
import { consistencyProof, isConsistent } from "../../proof/rules_merkle";
import { openCheckpoint, parseVerifier, type Verifier } from "../../proof/rules_note";
import { hashesAt, readerOfTiles, TILE_WIDTH, tilePath } from "../../proof/rules_tiles";
import type { LogRecord } from "../../proof/schema";
import { buildProgram, launch, type Running, runProgram } from "../program";
import { until } from "../scenarios";

/** The operator's commands for the public log, on a program with its own database: its key shown, changed, saved, brought back and lost. */

const above = mkdtempSync("/tmp/halyard-logcommands-");
chmodSync(above, 0o755);
const env = { PORT: "0", HOST: "127.0.0.1" };
const running = new Set<Running>();
const folder = (name: string) => {
  const path = join(above, name);
  mkdirSync(path);
  return path;
};
beforeAll(buildProgram);
afterAll(async () => {
  for (const program of running) program.signal("SIGKILL");
  await Promise.all([...running].map(({ ended }) => ended));
  rmSync(above, { recursive: true, force: true });
});

/** A program in a folder, and what it serves of its log. */
async function start(home: string) {
  const program = launch(home, env);
  running.add(program);
  const base = String((await program.logged("listening")).url);
  const text = async (path: string) => {
    const answer = await fetch(base + path);
    return answer.ok ? answer.text() : null;
  };
  const key = async () => (await text("/log/key"))?.trim() ?? "";
  const checkpoint = async () => openCheckpoint((await text("/log/checkpoint")) ?? "", [parseVerifier(await key()) as Verifier].filter(Boolean));
  return {
    ...{ key, checkpoint },
    missing: async () => ((await (await fetch(`${base}/readyz`)).json()) as { missing: string[] }).missing.join(),
    /** The tiles of a log of this size, by level and number. */
    tiles: async (size: number) => {
      const tiles = new Map<string, Uint8Array>();
      for (let level = 0; hashesAt(size, level) > 0; level++)
        for (let n = 0; n * TILE_WIDTH < hashesAt(size, level); n++) {
          const width = Math.min(TILE_WIDTH, hashesAt(size, level) - n * TILE_WIDTH);
          tiles.set(`${level}/${n}`, await (await fetch(`${base}/log/tile/${tilePath({ level, n, width })}`)).bytes());
        }
      return tiles;
    },
    stop: async () => {
      running.delete(program);
      program.signal("SIGTERM");
      expect((await program.ended).status).toBe(0);
    },
  };
}
type Site = Awaited<ReturnType<typeof start>>;
const begun = (site: Site, log: string) => until(`${log} has begun`, async () => (await site.checkpoint())?.origin.endsWith(log) === true);
const run = async (home: string, ...args: string[]) => {
  const done = await runProgram(home, env, args);
  expect([args.join(" "), done.status, done.stderr]).toEqual([args.join(" "), 0, ""]);
  return done.stdout.trim();
};
const seedIn = (home: string) => readFileSync(join(home, "data", "log.key"), "utf8").trim();
const publicKeyOf = (key: string) => toBase64(parseVerifier(key)?.publicKey ?? new Uint8Array());

/** What a log began with, as the database has it. */
async function beginningOf(home: string, log: number): Promise<LogRecord<"start">> {
  const sql = connect(runningPostgres(join(home, "data")) ?? "", { max: 1 });
  const [entry] = await sql<{ record: string }[]>`select record from proof_entries where log = ${log} and index = 0`;
  await sql.end();
  return JSON.parse(entry?.record ?? "null") as LogRecord<"start">;
}

test("its key is shown, changed while it serves, saved where asked for, and brought back; each log that follows names the one before", async () => {
  const home = folder("home");
  const site = await start(home);
  await begun(site, "/log");
  const first = await site.key();
  const seed = seedIn(home);
  expect(await run(home, "log", "key")).toBe(first);
  const [bare, whole] = [join(above, "bare.backup"), join(above, "whole.backup")];
  await run(home, "backup", bare);
  await run(home, "backup", whole, "--with-log-key");
  const kept = (await site.checkpoint())!;

  expect(await run(home, "log", "renew-key")).toContain("logs the change");
  await until("the other key signs", async () => ![first, ""].includes(await site.key()));
  const later = (await site.checkpoint())!;
  expect(await run(home, "log", "key")).toBe(await site.key());
  // The checkpoint of before is one of the same log still.
  const tiles = await site.tiles(later.size);
  const read = readerOfTiles((level, n) => tiles.get(`${level}/${n}`));
  expect(later.size).toBeGreaterThan(kept.size);
  expect(isConsistent(kept.size, kept.root, later.size, later.root, consistencyProof(kept.size, later.size, read))).toBe(true);
  await site.stop();

  // Lost, nothing is signed until the operator ends the log; then the next one has a key of its own.
  rmSync(join(home, "data", "log.key"));
  const keyless = await start(home);
  await until("it says what is missing", async () => (await keyless.missing()).includes("the key of the public log is missing"));
  await run(home, "log", "end", "--reason", "The disk with its key is gone");
  await begun(keyless, "/log/2");
  expect(await beginningOf(home, 2)).toMatchObject({ previousOrigin: later.origin, why: "The disk with its key is gone" });
  expect(publicKeyOf(await keyless.key())).not.toBe(publicKeyOf(first));
  await until("nothing is missing", async () => (await keyless.missing()) === "");
  await keyless.stop();

  // From a backup: with its key where that was asked for, and with another where it was not.
  for (const [file, hasKey] of [
    [whole, true],
    [bare, false],
  ] as const) {
    const elsewhere = folder(hasKey ? "with" : "without");
    expect((await run(elsewhere, "restore", file)).includes("private key")).toBe(hasKey);
    expect(existsSync(join(elsewhere, "data", "log.key"))).toBe(hasKey);
    const again = await start(elsewhere);
    await begun(again, "/log/2");
    expect([seedIn(elsewhere) === seed, publicKeyOf(await again.key()) === publicKeyOf(first)]).toEqual([hasKey, hasKey]);
    const start2 = await beginningOf(elsewhere, 2);
    expect(start2).toMatchObject({ previousOrigin: kept.origin, why: "the database was restored as it was at an earlier moment" });
    expect(start2.previousSize).toBeLessThanOrEqual(later.size);
    const root = read !== undefined && start2.previousSize === kept.size ? toBase64(kept.root) : start2.previousRoot;
    expect(start2.previousRoot).toBe(root);
    expect(await run(elsewhere, "verify")).toContain("ok public_log_2");
    await again.stop();
  }
});
