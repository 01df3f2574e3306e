import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { totalmem } from "node:os";

const MEBI = 2 ** 20;
/**
 * The least and the most that PostgreSQL's own cache of pages is given, in bytes. Past the most the kernel's cache does as well, while each GiB
 * is 15 MiB more that a start has to write before anybody is served.
 */
const LEAST = 64 * MEBI;
const MOST = 1024 * MEBI;

/**
 * The bytes of memory that this process may use: the machine's, or less where a control group of its own (a container's, a service's) says so.
 * `root` is where the files of the kernel are, `machine` what the machine has.
 */
export function usableMemory(root = "/", machine: number = totalmem()): number {
  const limits = (read(join(root, "proc/self/cgroup")) ?? "").split("\n").flatMap((line) => {
    const [, controllers, path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
    if (path === undefined) return [];
    if (controllers === "") return limitsAbove(join(root, "sys/fs/cgroup"), path, "memory.max");
    return controllers?.split(",").includes("memory") ? limitsAbove(join(root, "sys/fs/cgroup/memory"), path, "memory.limit_in_bytes") : [];
  });
  return Math.min(machine, ...limits);
}

/** What a group and each above it allow. In a container the path may be the host's, of which only the topmost folder is seen here. */
function limitsAbove(mount: string, path: string, file: string): number[] {
  const found = Number(read(join(mount, path, file)) ?? Number.NaN);
  const limits = found > 0 ? [found] : [];
  return path === "/" ? limits : [...limits, ...limitsAbove(mount, dirname(path), file)];
}

function read(path: string): string | null {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return null; // Not this kernel's way, or not in sight: then it bounds nothing.
  }
}

/** PostgreSQL's settings that follow from the memory there is, in bytes: a quarter is its own cache of pages, half what it may count on being cached. */
export function memorySettings(bytes: number): Record<string, string> {
  const cache = Math.min(MOST, Math.max(LEAST, bytes / 4));
  const megabytes = (value: number) => `${Math.floor(value / MEBI)}MB`;
  return {
    shared_buffers: megabytes(cache),
    effective_cache_size: megabytes(Math.max(cache, bytes / 2)),
    maintenance_work_mem: megabytes(Math.min(512 * MEBI, Math.max(64 * MEBI, bytes / 32))),
  };
}
