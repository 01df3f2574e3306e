/**
 * Debian's packages for the tests, unpacked below .build: what a machine has installed stays what it is, no account is made and nothing is
 * started. Plain JavaScript, as scripts/setup.mjs.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { root } from "./setup.mjs";

const sudo = process.getuid() === 0 ? [] : ["sudo", "-n"];
const PATIENT = ["-qq", "-o", "Acquire::Retries=3"];
const run = (cwd, command, ...args) => spawnSync(command, args, { cwd, stdio: ["ignore", "inherit", "inherit"] }).status === 0;

/** apt-get with the right to install, which asks nobody. */
export const apt = (...args) => run(root, "env", "DEBIAN_FRONTEND=noninteractive", ...sudo, "apt-get", ...PATIENT, ...args);

/** What the installation of these packages would add to the machine, themselves and all that they ask for; of what is there nothing is renewed. */
export function lacking(...packages) {
  const { status, stdout } = spawnSync("apt-get", ["install", "--simulate", "--no-install-recommends", ...packages], { encoding: "utf8" });
  return status === 0 ? [...stdout.matchAll(/^Inst (\S+) \(/gm)].map(([, name]) => name) : null;
}

/**
 * Fetches the packages that `choose` names (null: it can't tell) and unpacks them into a folder, which is there wholly or not at all; `finish`
 * has the last word. False where they can't be had.
 */
export function unpack(folder, choose, finish = () => true) {
  if (existsSync(folder)) return true;
  const fresh = `${folder}.${process.pid}`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true });
  const download = () => {
    const packages = choose();
    return packages !== null && (packages.length === 0 || run(fresh, "apt-get", ...PATIENT, "download", ...packages));
  };
  const whole =
    existsSync("/usr/bin/apt-get") &&
    (download() || (apt("update") && download())) &&
    readdirSync(fresh).every((name) => run(fresh, "dpkg", "-x", name, ".") && (rmSync(`${fresh}/${name}`), true)) &&
    finish(fresh);
  if (whole) renameSync(fresh, folder);
  else rmSync(fresh, { recursive: true, force: true });
  return whole;
}
