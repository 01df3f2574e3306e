import { join } from "node:path";

const ROOT = join(import.meta.dir, "..");

type Component = { type: string; name: string; version: string; purl?: string; licenses?: unknown[] };
type Sbom = { bomFormat: string; specVersion: string; components: Component[] };

/**
 * Writes what the executable is made of as a CycloneDX list (https://cyclonedx.org): the packages that npm knows as
 * shipped, and Bun, which is in the executable though a build tool to npm. Throws where npm can't tell.
 */
export async function writeSbom(path: string): Promise<void> {
  const { stdout, stderr, exitCode } = Bun.spawnSync(["npm", "sbom", "--omit=dev", "--sbom-format=cyclonedx", "--sbom-type=application"], { cwd: ROOT });
  if (exitCode !== 0) throw new Error(`npm could not list the packages: ${stderr.toString().trim()}`);
  const sbom = JSON.parse(stdout.toString()) as Sbom;
  sbom.components.push({ type: "framework", name: "bun", version: Bun.version, purl: `pkg:npm/bun@${Bun.version}`, licenses: [{ license: { id: "MIT" } }] });
  await Bun.write(path, `${JSON.stringify(sbom, null, 1)}\n`);
}
