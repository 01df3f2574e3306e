import type { Db, Tx } from "./db";

/** Bytes sent to the database at once: to write a whole file into one message would delay everybody meanwhile. */
const PART = 128 * 1024;

/**
 * Runs a command that keeps a file, in one transaction: the file goes to the database in parts, as a large object, and is
 * whole for the command's statement as `lo_get(oid)`. Of the object nothing stays, however the command ends.
 */
export async function inParts<T>(sql: Db, file: Uint8Array, command: (tx: Tx, oid: number) => Promise<T>): Promise<T> {
  const result = await sql.begin(async (tx) => {
    const [made] = await tx<{ oid: number }[]>`select lo_create(0) as oid`;
    const oid = made?.oid ?? 0;
    for (let at = 0; at < file.length; at += PART) await tx`select lo_put(${oid}, ${at}, ${Buffer.from(file.subarray(at, at + PART))})`;
    const done = { value: await command(tx, oid) };
    await tx`select lo_unlink(${oid})`;
    return done;
  });
  return result.value;
}
