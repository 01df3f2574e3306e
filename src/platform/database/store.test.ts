import { afterAll, beforeAll, expect, test } from "bun:test";
import { readConfig } from "../../config";
import { type TestDatabase, testDatabase } from "../../testing/database";
import { createLog } from "../log";
import { StartError } from "../start_error";
import { openStoreForCommand } from "./store";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.drop());

const quiet = createLog("error", () => {});
const open = (url: string) => openStoreForCommand(readConfig({ DATABASE_URL: url }), quiet);

test("an error that lies in the database is told in words, a migration's too, and no other", async () => {
  const store = await open(db.url);
  const full = Object.assign(new Error("could not extend file: No space left on device"), { code: "53100" });
  const gone = Object.assign(new Error("write CONNECTION_CLOSED db"), { code: "CONNECTION_CLOSED" });
  const at = `The database at ${new URL(db.url).searchParams.get("host") ?? new URL(db.url).host} can't be used: `;
  expect(await store.fault(full)).toEqual(new StartError(at + full.message));
  expect(await store.fault(gone)).toEqual(new StartError(at + gone.message));
  const within = new Error("Migration 003_market.sql failed: could not extend file", { cause: full });
  expect(await store.fault(within)).toEqual(new StartError(at + within.message));
  const missing = Object.assign(new Error("no such file"), { code: "ENOENT", syscall: "open" });
  for (const other of [new TypeError("ours"), new StartError("told already"), missing]) expect(await store.fault(other)).toBe(other);
  await store.close();
});

test("a server's socket that is not there is named, and who signs in is not", async () => {
  const refused = open("postgres://halyard:secret-word@localhost/halyard?host=/nonesuch");
  await expect(refused).rejects.toThrow("The database at /nonesuch can't be used: ");
  await expect(refused).rejects.not.toThrow("secret-word");
});
