import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

const ROOT = join(import.meta.dir, "..");
const PATCHES = join(ROOT, "patches");

type Patch = { type: "unofficial"; diff: { text: { content: string } } };
type Component = { type: string; name: string; version: string; purl?: string; licenses?: unknown[]; pedigree?: { patches: Patch[] } };
type Sbom = { bomFormat: string; specVersion: string; components: Component[] };

/**
 * Writes what the executable is made of as a CycloneDX list (https://cyclonedx.org): npm's non-development packages, each with our patch of
 * it, and Bun, which npm knows as a build tool but the executable contains. Throws where npm can't tell.
 */
export async function writeSbom(path: string): Promise<void> {
  const { stdout, stderr, exitCode } = Bun.spawnSync(["npm", "sbom", "--omit=dev", "--sbom-format=cyclonedx", "--sbom-type=application"], { cwd: ROOT });
  if (exitCode !== 0) throw new Error(`npm could not list the packages: ${stderr.toString().trim()}`);
  const sbom = JSON.parse(stdout.toString()) as Sbom;
  // npm leaves out what a development package needs as well.
  const named = new Set(sbom.components.map(({ name }) => name));
  const { dependencies } = (await Bun.file(join(ROOT, "package.json")).json()) as { dependencies: Record<string, string> };
  for (const [name, version] of Object.entries(dependencies).filter(([each]) => !named.has(each))) {
    const { license } = (await Bun.file(join(ROOT, "node_modules", name, "package.json")).json()) as { license: string };
    sbom.components.push({ type: "library", name, version, purl: `pkg:npm/${name}@${version}`, licenses: [{ license: { id: license } }] });
  }
  sbom.components.push({ type: "framework", name: "bun", version: Bun.version, purl: `pkg:npm/bun@${Bun.version}`, licenses: [{ license: { id: "MIT" } }] });
  for (const file of readdirSync(PATCHES)) {
    const content = readFileSync(join(PATCHES, file), "utf8");
    const component = sbom.components.find(({ name }) => name === basename(file, ".patch"));
    if (component) component.pedigree = { patches: [{ type: "unofficial", diff: { text: { content } } }] };
  }
  await Bun.write(path, `${JSON.stringify(sbom, null, 1)}\n`);
}
