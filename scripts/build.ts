/** Makes `dist/halyard`: the program, its SQL, its public files, the browser's files and PostgreSQL, in one file. */
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { postgresFiles } from "../src/platform/database/postgres_unpack";
import { buildClient } from "./build_client";
import { writeSbom } from "./sbom";

const ROOT = join(import.meta.dir, "..");
const OUTFILE = join(ROOT, "dist", "halyard");
const POSTGRES = join(ROOT, ".build", "postgres");

/** Packs what a server needs into one archive, named by version and content; a second build keeps it. */
async function packPostgres(): Promise<void> {
  const { version, files } = postgresFiles();
  const entries = await Promise.all([...files].map(async ([name, path]) => [name, await Bun.file(path).bytes()] as const));
  const hash = new Bun.CryptoHasher("sha256");
  for (const [name, bytes] of entries) hash.update(name).update(bytes);
  const name = `${version}-${hash.digest("hex").slice(0, 8)}.tar.gz`;
  if (existsSync(join(POSTGRES, name))) return;
  rmSync(POSTGRES, { recursive: true, force: true });
  mkdirSync(POSTGRES, { recursive: true });
  await Bun.Archive.write(join(POSTGRES, name), Object.fromEntries(entries), { compress: "gzip", level: 9 });
}

async function compile(): Promise<void> {
  mkdirSync(join(ROOT, "dist"), { recursive: true });
  const assets = ["sql", "public", ".build/client", ".build/postgres"]
    .map((path) => join(ROOT, path))
    .filter((path) => existsSync(path) && readdirSync(path).length > 0);
  await Bun.build({
    // A worker is an entry point of its own; it is named as if it lay beside the program, which is where the program looks.
    entrypoints: [join(ROOT, "src", "main.ts"), join(ROOT, "src/platform/http/media_worker.ts")],
    naming: { entry: "[name].[ext]" },
    target: "bun",
    format: "esm",
    minify: true,
    bytecode: true,
    sourcemap: "none",
    define: { "process.env.NODE_ENV": '"production"' },
    compile: { outfile: OUTFILE, assets, autoloadDotenv: false, autoloadBunfig: false },
  });
}

const start = performance.now();
await Promise.all([buildClient(), packPostgres()]);
await Promise.all([compile(), writeSbom(`${OUTFILE}.sbom.json`)]);
const size = (Bun.file(OUTFILE).size / 2 ** 20).toFixed(0);
console.log(`dist/halyard: ${size} MB, built in ${((performance.now() - start) / 1000).toFixed(1)} s`);
