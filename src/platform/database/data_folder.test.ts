import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileFault, lockFault, requireDatabase } from "./data_folder";
import { unpackPostgres } from "./postgres_unpack";
import { InUseError, StartError } from "../start_error";

const above = mkdtempSync("/tmp/halyard-folder-");
afterAll(() => rmSync(above, { recursive: true, force: true }));

const failing = (code: string) => Object.assign(new Error("no luck"), { code });

test("a lock that is not had is told in words: another has it, the disk is full, or the folder can't be written", () => {
  expect(lockFault("/data", failing("SQLITE_BUSY"))).toEqual(new InUseError("DATA_DIR /data is in use by another running Halyard."));
  const full = lockFault("/data", failing("SQLITE_FULL"));
  expect(full).toEqual(new StartError("DATA_DIR /data can't be written (its disk is full)."));
  expect(full).not.toBeInstanceOf(InUseError);
  expect(lockFault("/data", failing("SQLITE_IOERR_WRITE"))).toEqual(new StartError("DATA_DIR /data can't be written (SQLITE_IOERR_WRITE)."));
});

test("a file that the disk does not take is told in words, and a fault of ours is not hidden", () => {
  expect(fileFault("/data", failing("ENOSPC"))).toEqual(new StartError("DATA_DIR /data can't be written (its disk is full)."));
  expect(fileFault("/data", failing("EROFS"))).toEqual(new StartError("DATA_DIR /data can't be written (EROFS)."));
  const own = new TypeError("undefined is not an object");
  expect(fileFault("/data", own)).toBe(own);
});

test("programs that can't be unpacked leave nothing behind, and the operator knows what they take", async () => {
  const source = (error: Error) => ({
    version: "18.0.0",
    unpack: async (to: string) => {
      mkdirSync(join(to, "bin"), { recursive: true });
      writeFileSync(join(to, "bin", "postgres"), "half");
      throw error;
    },
  });
  const unpacked = (error: Error) => unpackPostgres(above, null, source(error));
  const told = (reason: string) => `PostgreSQL's programs could not be written to ${above} (${reason}). They take some 60 MB: is the disk full?`;
  await expect(unpacked(failing("ENOSPC"))).rejects.toEqual(new StartError(told("ENOSPC")));
  await expect(unpacked(new Error("ReadError"))).rejects.toEqual(new StartError(told("ReadError")));
  expect(readdirSync(above)).toEqual([]);
});

test("a folder without a database is refused and not made", () => {
  const missing = join(above, "missing");
  expect(() => requireDatabase(missing)).toThrow(new StartError(`There is no Halyard in ${missing}. Set DATA_DIR to the folder of one.`));
  expect(existsSync(missing)).toBe(false);
  const there = join(above, "there");
  mkdirSync(join(there, "postgres"), { recursive: true });
  expect(() => requireDatabase(there)).not.toThrow();
  expect(() => requireDatabase(join(there, "postgres", "file"))).toThrow(StartError);
});
