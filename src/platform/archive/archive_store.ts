import { link, mkdir, open, readdir, readFile, rename, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { S3Client } from "bun";
import type { Config } from "../../config";

/**
 * Where an archive lies: objects by name, `wal/…` and `base/…`. An object that was added is never written over: what is in the
 * archive was there when it was acknowledged, and stays what it was.
 */
export type ArchiveStore = {
  /** Adds an object that outlives a power cut once this resolves; false where that name is taken already. */
  add(name: string, content: Uint8Array): Promise<boolean>;
  /** Writes an object anew; for the one that says who writes the archive. */
  replace(name: string, content: Uint8Array): Promise<void>;
  /** Null where there is none. */
  read(name: string): Promise<Uint8Array | null>;
  /** The names below a folder, sorted. */
  list(folder: string): Promise<string[]>;
  remove(name: string): Promise<void>;
  /** The archive in words, without secrets. */
  readonly place: string;
};

/** `file:///folder`, or `s3://bucket/prefix` with its keys. */
export function openArchiveStore(url: string, s3: Config["s3"] = null): ArchiveStore {
  const { protocol, hostname, pathname } = new URL(url);
  return protocol === "file:" ? new FolderStore(fileURLToPath(url)) : new BucketStore(hostname, pathname.replace(/^\/|\/$/g, ""), s3);
}

const PART = ".part";

/** Resolves to `otherwise` where there is no such file. */
const orElse =
  <T>(otherwise: T, ...codes: string[]) =>
  (error: unknown): T => {
    if (codes.includes((error as NodeJS.ErrnoException).code ?? "")) return otherwise;
    throw error;
  };

class FolderStore implements ArchiveStore {
  constructor(readonly place: string) {}

  async add(name: string, content: Uint8Array): Promise<boolean> {
    const path = join(this.place, name);
    const half = await this.write(path, content);
    // A link, unlike a renaming, fails where the name is taken.
    const isNew = await link(half, path)
      .then(() => true)
      .catch(orElse(false, "EEXIST"))
      .finally(() => rm(half, { force: true }));
    await sync(dirname(path));
    return isNew;
  }

  async replace(name: string, content: Uint8Array): Promise<void> {
    const path = join(this.place, name);
    await rename(await this.write(path, content), path);
    await sync(dirname(path));
  }

  read(name: string): Promise<Uint8Array | null> {
    return readFile(join(this.place, name)).catch(orElse(null, "ENOENT"));
  }

  async list(folder: string): Promise<string[]> {
    const entries = await readdir(join(this.place, folder), { recursive: true, withFileTypes: true }).catch(orElse([], "ENOENT"));
    return entries
      .filter((entry) => entry.isFile() && !entry.name.endsWith(PART))
      .map((entry) => join(entry.parentPath, entry.name).slice(join(this.place, "/").length))
      .sort();
  }

  async remove(name: string): Promise<void> {
    const path = join(this.place, name);
    await rm(path, { force: true });
    await rmdir(dirname(path)).catch(orElse(undefined, "ENOTEMPTY", "EEXIST", "ENOENT"));
  }

  /** The whole content on disk under a name that nobody else uses. */
  private async write(path: string, content: Uint8Array): Promise<string> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const half = `${path}.${crypto.randomUUID().slice(0, 8)}${PART}`;
    const file = await open(half, "wx", 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } catch (error) {
      await rm(half, { force: true });
      throw error;
    } finally {
      await file.close();
    }
    return half;
  }
}

/** Until a folder's new name would survive a power cut. */
async function sync(path: string): Promise<void> {
  const folder = await open(path, "r");
  await folder.sync().finally(() => folder.close());
}

class BucketStore implements ArchiveStore {
  readonly place: string;
  private readonly client: S3Client;
  private readonly prefix: string;

  constructor(bucket: string, prefix: string, s3: Config["s3"]) {
    this.client = new S3Client({ bucket, ...s3 });
    this.prefix = prefix ? `${prefix}/` : "";
    this.place = `s3://${bucket}/${prefix}`;
  }

  async add(name: string, content: Uint8Array): Promise<boolean> {
    if (await this.client.exists(this.prefix + name)) return false;
    await this.client.write(this.prefix + name, content);
    return true;
  }
  async replace(name: string, content: Uint8Array): Promise<void> {
    await this.client.write(this.prefix + name, content);
  }
  async read(name: string): Promise<Uint8Array | null> {
    try {
      return await this.client.file(this.prefix + name).bytes();
    } catch (error) {
      if ((error as { code?: string }).code === "NoSuchKey") return null;
      throw error;
    }
  }
  async list(folder: string): Promise<string[]> {
    const names: string[] = [];
    for (let token: string | undefined; ;) {
      const page = await this.client.list({ prefix: `${this.prefix}${folder}/`, maxKeys: 1000, ...(token ? { continuationToken: token } : {}) });
      for (const { key } of page.contents ?? []) names.push(key.slice(this.prefix.length));
      if (!page.isTruncated) return names.sort();
      token = page.nextContinuationToken;
    }
  }
  async remove(name: string): Promise<void> {
    await this.client.delete(this.prefix + name);
  }
}
