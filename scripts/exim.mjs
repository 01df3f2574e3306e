/**
 * Debian's own mail server for the tests, unpacked below .build: nothing is installed but the libraries that it asks for, no account is made,
 * nothing is started, and a mail server that the machine has stays what it is. Plain JavaScript, as scripts/setup.mjs.
 *
 *   node scripts/exim.mjs    fetches it where it is missing
 */
import { spawnSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { apt, unpack } from "./debian.mjs";
import { root } from "./setup.mjs";

const folder = join(root, ".build", "exim");
/** The server, and what lets it run under an account of its own that only it knows. */
const PACKAGES = ["exim4-daemon-light", "libnss-wrapper"];

/** The unpacked packages' folder; null, and a word why, where they can't be had. */
export function ensureExim() {
  if (unpack(folder, () => PACKAGES, finish)) return folder;
  console.error("Debian's mail server could not be fetched: 'apt-get download exim4-daemon-light' must work here.");
  return null;
}

function finish(fresh) {
  // It comes with the right to become root, which it has no use for here.
  chmodSync(join(fresh, "usr", "sbin", "exim4"), 0o755);
  return apt("install", "-y", "--no-install-recommends", "--no-upgrade", ...libraries());
}

/** The shared libraries among what the server depends on. */
function libraries() {
  const { stdout } = spawnSync("apt-cache", ["depends", PACKAGES[0]], { encoding: "utf8" });
  return [...stdout.matchAll(/^ +Depends: (lib\S+)$/gm)].map(([, name]) => name);
}

if (process.argv[1] === import.meta.filename && !ensureExim()) process.exit(1);
