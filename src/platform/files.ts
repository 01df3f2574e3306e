import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Where the program's own files are: inside the executable (an embedded folder keeps its last name under
 * `import.meta.dir`), or in the checkout.
 */
const checkout = join(import.meta.dir, "..", "..");
const inside = Bun.isStandaloneExecutable;

export const folders = {
  migrations: inside ? join(import.meta.dir, "sql", "migrations") : join(checkout, "sql", "migrations"),
  functions: inside ? join(import.meta.dir, "sql", "functions") : join(checkout, "sql", "functions"),
  checks: inside ? join(import.meta.dir, "sql", "checks") : join(checkout, "sql", "checks"),
  public: inside ? join(import.meta.dir, "public") : join(checkout, "public"),
  client: inside ? join(import.meta.dir, "client") : join(checkout, ".build", "client"),
  /** Holds one `VERSION.tar.gz`: PostgreSQL, packed at build time. Empty in a checkout. */
  postgres: inside ? join(import.meta.dir, "postgres") : null,
  modules: inside ? null : join(checkout, "node_modules"),
};

export type TextFile = { name: string; text: string };
export type SchemaFiles = { migrations: TextFile[]; functions: TextFile[] };

/** The schema that this program works on: what made its tables, and the functions that run on them. */
export const readSchema = (): SchemaFiles => ({ migrations: readTexts(folders.migrations, ".sql"), functions: readTexts(folders.functions, ".sql") });

/** The files of a folder with this ending, in the order of their names; none where the folder is missing. */
export function readTexts(folder: string, ending: string): TextFile[] {
  return fileNames(folder)
    .filter((name) => name.endsWith(ending))
    .map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }));
}

/** The names of a folder's files, sorted; none where the folder is missing. */
export function fileNames(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)
    .sort();
}
