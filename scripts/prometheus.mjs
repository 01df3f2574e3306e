/**
 * Debian's Prometheus for the tests, of which they run `promtool` alone, unpacked below .build: nothing is installed or started. Plain JavaScript,
 * as scripts/setup.mjs.
 *
 *   node scripts/prometheus.mjs    fetches it where it is missing
 */
import { join } from "node:path";
import { unpack } from "./debian.mjs";
import { root } from "./setup.mjs";

const folder = join(root, ".build", "prometheus");

/** The unpacked package's folder; null, and a word why, where it can't be had. */
export function ensurePrometheus() {
  if (unpack(folder, () => ["prometheus"])) return folder;
  console.error("Debian's Prometheus could not be fetched: 'apt-get download prometheus' must work here.");
  return null;
}

if (process.argv[1] === import.meta.filename && !ensurePrometheus()) process.exit(1);
