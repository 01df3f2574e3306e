/**
 * Debian's own mail server for the tests, unpacked below .build: nothing is installed but the libraries that it asks for, no account is made,
 * nothing is started, and a mail server that the machine has stays what it is. Plain JavaScript, as scripts/setup.mjs.
 *
 *   node scripts/exim.mjs    fetches it where it is missing
 */
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root } from "./setup.mjs";

const folder = join(root, ".build", "exim");
/** The server, and what lets it run under an account of its own that only it knows. */
const PACKAGES = ["exim4-daemon-light", "libnss-wrapper"];

/** The unpacked packages' folder; null, and a word why, where they can't be had. */
export function ensureExim() {
  if (existsSync(join(folder, "usr", "sbin", "exim4"))) return folder;
  const fresh = `${folder}.${process.pid}`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true });
  const run = (command, ...args) => spawnSync(command, args, { cwd: fresh, stdio: ["ignore", "inherit", "inherit"] }).status === 0;
  const sudo = process.getuid() === 0 ? [] : ["sudo", "-n"];
  const apt = (...args) => run("env", "DEBIAN_FRONTEND=noninteractive", ...sudo, "apt-get", "-qq", "-o", "Acquire::Retries=3", ...args);
  const download = () => run("apt-get", "-qq", "-o", "Acquire::Retries=3", "download", ...PACKAGES);
  const got =
    existsSync("/usr/bin/apt-get") &&
    (download() || (apt("update") && download())) &&
    apt("install", "-y", "--no-install-recommends", "--no-upgrade", ...libraries());
  const whole = got && readdirSync(fresh).every((name) => !name.endsWith(".deb") || run("dpkg", "-x", name, "."));
  if (!whole) {
    rmSync(fresh, { recursive: true, force: true });
    console.error("Debian's mail server could not be fetched: 'apt-get download exim4-daemon-light' must work here.");
    return null;
  }
  // It comes with the right to become root, which it has no use for here.
  chmodSync(join(fresh, "usr", "sbin", "exim4"), 0o755);
  rmSync(folder, { recursive: true, force: true });
  renameSync(fresh, folder);
  return folder;
}

/** The shared libraries among what the server depends on. */
function libraries() {
  const { stdout } = spawnSync("apt-cache", ["depends", PACKAGES[0]], { encoding: "utf8" });
  return [...stdout.matchAll(/^ +Depends: (lib\S+)$/gm)].map(([, name]) => name);
}

if (process.argv[1] === import.meta.filename && !ensureExim()) process.exit(1);
