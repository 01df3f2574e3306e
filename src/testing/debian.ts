import { join } from "node:path";

/** Servers of Debian's that tests start by themselves, under an account without rights. */

const ROOT = join(import.meta.dir, "..", "..");
const NOBODY = 65_534;

const isRoot = process.getuid?.() === 0;
/** Nobody where the tests run as root, else who runs them. */
export const POWERLESS = isRoot ? { uid: NOBODY, gid: NOBODY } : { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
/** What a command begins with to run as that account. */
export const AS_POWERLESS = isRoot ? ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"] : [];

/** The folder where scripts/NAME.mjs has unpacked Debian's packages; it does so where they are missing. */
export function unpackedBy(name: string): string {
  const { exitCode } = Bun.spawnSync(["node", join(ROOT, "scripts", `${name}.mjs`)], { stdout: "inherit", stderr: "inherit" });
  if (exitCode !== 0) throw new Error(`scripts/${name}.mjs could not fetch what is missing`);
  return join(ROOT, ".build", name);
}
