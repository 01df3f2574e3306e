/** The processes that the benchmarks measure: started, watched through /proc, ended. */
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { launch, postgresIn } from "../../src/testing/program";
import type { Job, Load } from "./load";

/** A folder that PostgreSQL's own account can reach where the program runs as root. */
export function home(): { path: string; remove(): void } {
  const path = mkdtempSync("/tmp/halyard-bench-");
  chmodSync(path, 0o755);
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

export type Server = { pid: number; port: number };
export type Target = Server & { stop(): Promise<void> };
/** `ready` in seconds since the start of the process. */
export type Program = Server & { ready: number; databaseUrl: string; dataDir: string; /** Resolves to what it logged. */ stop(): Promise<string> };

/** In ms: a benchmark that waits for ever prints nothing of what it has measured. */
const READY_WITHIN = 120_000;

/** All callers come from one network, and each sends as much as the program takes. */
export const CROWDED = { COMMANDS_PER_SECOND: "100000", REGISTRATIONS_PER_NETWORK: "1000" };

/** Waits until the program is ready, and throws with what it says is missing where that takes longer than any start. */
export async function untilReady(origin: string): Promise<void> {
  const began = performance.now();
  for (;;) {
    const answer = await fetch(`${origin}/readyz`);
    if (answer.ok) return;
    if (performance.now() - began > READY_WITHIN) throw new Error(`the program is not ready: ${await answer.text()}`);
    await Bun.sleep(2);
  }
}

/** Starts dist/halyard, or the executable of another version, as an operator would, and waits until /readyz says that database and feed are there. */
export async function startProgram(folder: string, env: Record<string, string> = {}, executable?: string): Promise<Program> {
  const began = performance.now();
  const since = () => (performance.now() - began) / 1000;
  const running = launch(folder, { PORT: "0", HOST: "127.0.0.1", ...CROWDED, ...env }, [], executable);
  const { url = "" } = await running.logged("listening");
  await untilReady(url);
  const dataDir = join(folder, "data");
  return {
    pid: running.pid,
    port: Number(new URL(url).port),
    ready: since(),
    dataDir,
    databaseUrl: `postgres://halyard@localhost/halyard?host=${encodeURIComponent(join(dataDir, "run"))}`,
    stop: async () => {
      running.signal("SIGTERM");
      return (await running.ended).stdout;
    },
  };
}

/** Elysia with nothing around it, or another of the small servers here. */
export async function startBare(file = "bare.ts"): Promise<Target> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, file)], {
    stdin: "pipe",
    stdout: "pipe",
    env: { ...process.env, NODE_ENV: "production" },
  });
  for await (const chunk of child.stdout) {
    return {
      pid: child.pid,
      port: Number(new TextDecoder().decode(chunk)),
      stop: async () => {
        await child.stdin.end();
        await child.exited;
      },
    };
  }
  throw new Error("the bare server did not start");
}

const TICKS_A_SECOND = 100;

/** Seconds of processor time that a process has used. */
function processorTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
}

/** Seconds that each process of a program's PostgreSQL has run, by its number. */
export function postgresTimes({ dataDir }: { dataDir?: string }): Map<number, number> {
  const ran = (pid: number): [number, number][] => {
    try {
      return [[pid, Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0]) / 1e9]];
    } catch {
      return []; // It has ended since it was listed.
    }
  };
  return new Map(dataDir ? postgresIn(dataDir).flatMap(ran) : []);
}

/** Seconds that they have run since; of one that has ended meanwhile, as autovacuum's do, nothing is known. */
export function postgresSince(target: { dataDir?: string }, before: ReadonlyMap<number, number>): number {
  return [...postgresTimes(target)].reduce((sum, [pid, ran]) => sum + ran - (before.get(pid) ?? 0), 0);
}

/**
 * Requests a second by the clock, and for each second of the measured process's own processor time. `callers` and `postgres`: the processor time
 * of the callers, who are a process of their own on the same cores, and of the program's PostgreSQL for one request, in microseconds. What clears up
 * after the requests is in these times, and not in the rate.
 */
export type Rate = { perSecond: number; perCpuSecond: number; busy: number; callers: number; postgres: number };
/** `waits`: ms that each request took. */
export type Measured = Rate & { done: number; waits: number[] };

/** Lets the callers loose on a target. Throws where a request was refused: a refusal is quick and would flatter. */
export async function measure(target: Server & { dataDir?: string }, job: Omit<Job, "port">): Promise<Measured> {
  const [before, postgresBefore] = [processorTime(target.pid), postgresTimes(target)];
  const stdin = new Blob([JSON.stringify({ ...job, port: target.port })]);
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "load.ts")], { stdin, stdout: "pipe" });
  const load = (await new Response(child.stdout).json()) as Load;
  const [used, postgresUsed] = [processorTime(target.pid) - before, postgresSince(target, postgresBefore)];
  await child.exited;
  const callers = Number(child.resourceUsage()?.cpuTime.total ?? 0) / load.done;
  if (load.failed > 0) throw new Error(`${load.failed} of ${load.done} requests failed, the first with: ${load.firstFailure}`);
  return {
    perSecond: load.done / load.seconds,
    perCpuSecond: load.done / used,
    busy: used / load.seconds,
    callers,
    postgres: (1e6 * postgresUsed) / load.done,
    done: load.done,
    waits: load.waits,
  };
}

/** Memory in MiB. `rss` counts pages that PostgreSQL's processes share once for each of them, `pss` once in all. */
/** In MiB. `postgresCache` is the cache of pages within `postgresPss`, which fills up to `shared_buffers`. */
export type Memory = { program: number; postgresRss: number; postgresPss: number; postgresCache: number; postgresProcesses: number };

export function memoryOf({ pid, dataDir }: Program): Memory {
  const servers = postgresIn(dataDir);
  const sum = (field: Field) => servers.reduce((total, each) => total + memoryField(each, field), 0);
  return {
    program: memoryField(pid, "Rss"),
    postgresRss: sum("Rss"),
    postgresPss: sum("Pss"),
    postgresCache: sum("Pss_Shmem"),
    postgresProcesses: servers.length,
  };
}

type Field = "Rss" | "Pss" | "Pss_Shmem";
function memoryField(pid: number, field: Field): number {
  const [, kilobytes] = new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(memoryMap(pid)) ?? [];
  return Number(kilobytes ?? 0) / 1024;
}

/** Empty for a process that has ended since it was listed, as PostgreSQL's cleaners do. */
function memoryMap(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  } catch (error) {
    if (["ENOENT", "ESRCH"].includes((error as NodeJS.ErrnoException).code ?? "")) return "";
    throw error;
  }
}
