import { readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "..", "..");
export const EXECUTABLE = join(ROOT, "dist", "halyard");

/** Builds dist/halyard where the sources are newer. */
export function buildProgram(): void {
  const { exitCode, stderr } = Bun.spawnSync(["node", join(ROOT, "scripts", "setup.mjs"), "--build"], { stdout: "ignore", stderr: "pipe" });
  if (exitCode !== 0) throw new Error(`the executable does not build:\n${stderr}`);
}

type Entry = { level: string; msg: string; url?: string } & Record<string, unknown>;
export type Running = {
  pid: number;
  /** The first log line with this message; rejects where the program ends without it. */
  logged(msg: string): Promise<Entry>;
  signal(name: NodeJS.Signals): void;
  /** Waits for the end. */
  ended: Promise<{ status: number | null; stdout: string; stderr: string }>;
};

/** Starts the executable, or the one of another version, with this environment and no other. */
export function launch(cwd: string, env: Record<string, string>, args: string[] = [], executable = EXECUTABLE): Running {
  const child = Bun.spawn([executable, ...args], { cwd, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const lines: string[] = [];
  const waiting: { msg: string; found: (entry: Entry) => void; lost: (error: Error) => void }[] = [];
  const entryOf = (line: string): Entry | null => (line.startsWith("{") ? (JSON.parse(line) as Entry) : null);
  const find = (msg: string) => lines.map(entryOf).find((entry) => entry?.msg === msg);
  const read = async () => {
    let rest = "";
    const decoder = new TextDecoder();
    for await (const chunk of child.stdout) {
      const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = parts.pop() ?? "";
      lines.push(...parts);
      for (const wait of waiting) {
        const entry = find(wait.msg);
        if (entry) wait.found(entry);
      }
    }
    return lines.join("\n");
  };
  const ended = (async () => {
    const [stdout, stderr] = await Promise.all([read(), new Response(child.stderr).text()]);
    await child.exited;
    for (const wait of waiting) wait.lost(new Error(`the program ended before it logged '${wait.msg}': ${stdout}\n${stderr}`));
    return { status: child.exitCode, stdout, stderr };
  })();
  return {
    pid: child.pid,
    signal: (name) => child.kill(name),
    ended,
    logged: (msg) =>
      new Promise((found, lost) => {
        const entry = find(msg);
        if (entry) found(entry);
        else if (child.exitCode !== null) lost(new Error(`the program has ended; it never logged '${msg}'`));
        else waiting.push({ msg, found, lost });
      }),
  };
}

/** Runs the executable to its end. */
export const runProgram = (cwd: string, env: Record<string, string>, args: string[] = []) => launch(cwd, env, args).ended;

/** The answer to a deal, asked for again where a machine that stood still had no price young enough for it: what is refused would be waited for in vain. */
export async function dealt(send: () => Promise<Response>): Promise<Response> {
  const answer = await send();
  return answer.status === 503 && (await answer.clone().text()).includes("stale_price") ? dealt(send) : answer;
}

/** Opens a program's figures, where it was started with it. */
export const METRICS_TOKEN = "a-scraper's-own-t0ken";
/** True where the program at this address says that it leads, within so many ms. */
export async function leads(base: string, patience = 1_000): Promise<boolean> {
  const headers = { Authorization: `Bearer ${METRICS_TOKEN}` };
  const told = await fetch(`${base}/metrics`, { headers, signal: AbortSignal.timeout(patience) }).then(
    (response) => response.text(),
    () => "",
  );
  return /^halyard_leads 1$/m.test(told);
}

/** The PostgreSQL processes that work in this data folder. */
export function postgresIn(dataDir: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && workingFolder(name) === join(dataDir, "postgres"))
    .map(Number);
}

/** Kills them all, as a power cut does. */
export function killPostgresIn(dataDir: string): void {
  for (const pid of postgresIn(dataDir)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch (error) {
      // It ended while we looked.
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
}

function workingFolder(pid: string): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return null; // It ended while we looked.
  }
}
