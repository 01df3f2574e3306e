import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Db } from "../database/db";
import { baseName, type Manifest, manifestName, partName } from "./archive_layout";
import { seal } from "./archive_seal";
import type { ArchiveStore } from "./archive_store";

/** So many bytes of files go into one object, before compression: what is held in memory at once. */
const PART_BYTES = 16 * 2 ** 20;
/** Read at once. */
const PIECE = 2 ** 20;

/** Not part of a copy, by https://www.postgresql.org/docs/18/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP-DATA */
const EMPTY_FOLDERS = ["pg_wal", "pg_dynshmem", "pg_notify", "pg_serial", "pg_snapshots", "pg_stat_tmp", "pg_subtrans", "pg_replslot"];
const LEFT_OUT = /^(postmaster\.(pid|opts)|backup_label|tablespace_map|backup_manifest)$|(^|\/)(pgsql_tmp[^/]*|pg_internal\.init[^/]*)$/;
/** Read last, as the server's own tool does: it says how far the rest may have come. */
const CONTROL = "global/pg_control";

type Source = { sql: Db; data: string; segmentBytes: number };

/**
 * Copies the files of a running database into the archive, by the server's low-level calls: a copy that is whole together with the log from its
 * start to its stop. Returns the manifest, written last: a copy without one is none.
 */
export async function makeBase({ sql, data, segmentBytes }: Source, store: ArchiveStore, key: string | null, now: Date): Promise<Manifest> {
  const base = baseName(now);
  // The server ends the copy with the session that began it.
  const session = await sql.reserve();
  try {
    const [begun] = await session<{ start: string; timeline: string }[]>`
      select start::text, substr(pg_walfile_name(start), 1, 8) as timeline from pg_backup_start('halyard', true) as start`;
    const { folders, files, bytes } = await copyFiles(data, (part, content) => addPart(store, key, partName(base, part), content));
    const [ended] = await session<{ stop: string; label: string }[]>`select lsn::text as stop, labelfile as label from pg_backup_stop(false)`;
    if (!begun || !ended) throw new Error("the server did not say where the copy begins and ends");
    const manifest: Manifest = {
      timeline: Number.parseInt(begun.timeline, 16),
      start: begun.start,
      stop: ended.stop,
      startedAt: now.toISOString(),
      stoppedAt: new Date().toISOString(),
      segmentBytes,
      folders,
      files,
      label: ended.label,
      bytes,
    };
    await addPart(store, key, manifestName(base), Buffer.from(JSON.stringify(manifest)));
    return manifest;
  } finally {
    session.release();
  }
}

async function addPart(store: ArchiveStore, key: string | null, name: string, content: Buffer<ArrayBuffer>): Promise<void> {
  await store.add(name, await seal(key, { name, at: new Date().toISOString() }, content));
}

type Copied = Pick<Manifest, "folders" | "files" | "bytes">;

/** Every file as it is found; one that goes meanwhile, grows or changes is put right by the log. Holds one part in memory. */
async function copyFiles(data: string, add: (part: number, content: Buffer<ArrayBuffer>) => Promise<void>): Promise<Copied> {
  const { folders, paths } = await listFiles(data);
  const files: Manifest["files"] = [];
  let [part, filled, bytes] = [1, 0, 0];
  const room = Buffer.alloc(PART_BYTES);
  const flush = async () => {
    if (filled === 0) return;
    await add(part, Buffer.from(room.subarray(0, filled)));
    [part, filled] = [part + 1, 0];
  };
  for (const path of paths) {
    const file = await open(join(data, path), "r").catch(unlessGone);
    if (!file) continue;
    const pieces: [number, number, number][] = [];
    try {
      for (;;) {
        if (filled === PART_BYTES) await flush();
        const { bytesRead } = await file.read(room, filled, Math.min(PIECE, PART_BYTES - filled));
        if (bytesRead === 0) break;
        const last = pieces.at(-1);
        if (last?.[0] === part) last[2] += bytesRead;
        else pieces.push([part, filled, bytesRead]);
        filled += bytesRead;
        bytes += bytesRead;
      }
    } finally {
      await file.close();
    }
    files.push({ path, pieces });
  }
  await flush();
  return { folders, files, bytes };
}

async function listFiles(data: string): Promise<{ folders: string[]; paths: string[] }> {
  const entries = await readdir(data, { recursive: true, withFileTypes: true });
  const named = entries.map((entry) => ({ path: join(entry.parentPath, entry.name).slice(data.length + 1), isFolder: entry.isDirectory() }));
  const isEmptied = (path: string) => EMPTY_FOLDERS.some((folder) => path.startsWith(`${folder}/`));
  const kept = named.filter(({ path }) => !isEmptied(path) && !LEFT_OUT.test(path));
  const paths = kept.filter(({ path, isFolder }) => !isFolder && path !== CONTROL).map(({ path }) => path);
  return {
    folders: kept
      .filter(({ isFolder }) => isFolder)
      .map(({ path }) => path)
      .sort(),
    paths: [...paths.sort(), CONTROL],
  };
}

/** A table that is dropped takes its file with it. */
function unlessGone(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
