import { readFileSync } from "node:fs";
import type { Sql } from "../platform/database/db";

/** Milliseconds of processor time that this process has used: the cost of a piece of work, however busy the machine is. */
export function workedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** A tick of /proc is 10 ms on every Linux. */
const TICK_MS = 10;

/** Milliseconds of the processors' time that a process of this machine has used; 0 where it has ended. */
function workedBy(pid: number): number {
  try {
    // The name of a process, in brackets, may hold anything.
    const [, times = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(/\) (?=[^)]*$)/);
    const [user, system] = times.split(" ").slice(11, 13).map(Number);
    return ((user ?? 0) + (system ?? 0)) * TICK_MS;
  } catch {
    return 0;
  }
}

/** Like `workedMs`, with what the sessions of this database have used that were there when this was made. */
export async function workMeter(sql: Sql): Promise<() => number> {
  const sessions = await sql<{ pid: number }[]>`select pid from pg_stat_activity where datname = current_database()`;
  return () => sessions.reduce((sum, { pid }) => sum + workedBy(pid), workedMs());
}
