import { afterAll, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { connect } from "./db";
import { openDataFolder } from "./data_folder";
import { memorySettings, usableMemory } from "./memory";
import { startPostgres } from "./postgres";
import { createLog } from "../log";

const above = mkdtempSync("/tmp/halyard-memory-");
chmodSync(above, 0o755);
afterAll(() => rmSync(above, { recursive: true, force: true }));

const GIBI = 2 ** 30;
let kernels = 0;
/** A kernel that shows these files; the machine has 64 GiB. */
function usable(files: Record<string, string>): number {
  const root = join(above, String(kernels++));
  for (const [path, text] of Object.entries({ "proc/self/cgroup": "", ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), `${text}\n`);
  }
  return usableMemory(root, 64 * GIBI);
}

test("a machine without limits is used whole", () => {
  expect(usable({})).toBe(64 * GIBI);
  expect(usable({ "proc/self/cgroup": "0::/", "sys/fs/cgroup/memory.max": "max" })).toBe(64 * GIBI);
  expect(usableMemory(join(above, "no kernel at all"), GIBI)).toBe(GIBI);
});

test("a container's limit counts, by either version of control groups", () => {
  expect(usable({ "proc/self/cgroup": "0::/", "sys/fs/cgroup/memory.max": String(GIBI) })).toBe(GIBI);
  const host = "4:memory:/docker/0123\n3:cpuset:/docker/0123\n0::/";
  expect(usable({ "proc/self/cgroup": host, "sys/fs/cgroup/memory/memory.limit_in_bytes": String(2 * GIBI) })).toBe(2 * GIBI);
  expect(usable({ "proc/self/cgroup": "4:memory:/", "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712" })).toBe(64 * GIBI);
});

test("the narrowest of a service's group and those above it counts", () => {
  const service = "sys/fs/cgroup/system.slice/halyard.service/memory.max";
  const slice = "sys/fs/cgroup/system.slice/memory.max";
  const at = "0::/system.slice/halyard.service";
  expect(usable({ "proc/self/cgroup": at, [service]: String(GIBI), [slice]: String(8 * GIBI) })).toBe(GIBI);
  expect(usable({ "proc/self/cgroup": at, [service]: "max", [slice]: String(8 * GIBI) })).toBe(8 * GIBI);
});

test("a quarter is PostgreSQL's cache, within bounds", () => {
  const cache = (bytes: number) => memorySettings(bytes).shared_buffers;
  expect([GIBI / 8, GIBI / 2, 2 * GIBI, 8 * GIBI, 256 * GIBI].map(cache)).toEqual(["64MB", "128MB", "512MB", "1024MB", "1024MB"]);
  expect(memorySettings(2 * GIBI)).toEqual({ shared_buffers: "512MB", effective_cache_size: "1024MB", maintenance_work_mem: "64MB" });
});

test("the server that is started has what its memory gives it", async () => {
  const log = createLog("error", () => {});
  const folder = openDataFolder(join(above, "data"), log);
  const server = await startPostgres(folder, log, { durable: false, memory: 3 * GIBI });
  const sql = connect(server.url, { max: 1 });
  try {
    const [row] = await sql`select current_setting('shared_buffers') as cache, current_setting('effective_cache_size') as counted`;
    expect(row).toEqual({ cache: "768MB", counted: "1536MB" });
  } finally {
    await sql.end();
    await server.stop();
    folder.release();
  }
});
