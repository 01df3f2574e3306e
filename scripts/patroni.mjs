/**
 * Debian's Patroni, etcd and PostgreSQL for the tests, unpacked below .build with all that they ask for and the machine lacks: nothing is
 * installed, and no server is made or started. Plain JavaScript, as scripts/setup.mjs.
 *
 *   node scripts/patroni.mjs    fetches them where they are missing
 */
import { join } from "node:path";
import { lacking, unpack } from "./debian.mjs";
import { root } from "./setup.mjs";

const folder = join(root, ".build", "patroni");

/** The unpacked packages' folder; null, and a word why, where they can't be had. */
export function ensurePatroni() {
  if (unpack(folder, () => lacking("patroni", "etcd-server", "postgresql"))) return folder;
  console.error("Debian's Patroni could not be fetched: 'apt-get download patroni etcd-server postgresql' must work here.");
  return null;
}

if (process.argv[1] === import.meta.filename && !ensurePatroni()) process.exit(1);
