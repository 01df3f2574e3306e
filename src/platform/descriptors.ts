import { readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { MINUTE, SECOND } from "../lib/time";
import { type Log, seldom } from "./log";

/** The files, sockets and pipes that this process has open. Where none is left, no connection is taken any more, and nothing in the program hears of it. */
export const openDescriptors = async (): Promise<number> => (await readdir("/proc/self/fd")).length;

/** How many it may have open (`ulimit -n`); Infinity where the system sets no bound, or does not tell. */
export function mostDescriptors(read: () => string = () => readFileSync("/proc/self/limits", "utf8")): number {
  try {
    const [, most] = /^Max open files\s+(\d+)/m.exec(read()) ?? [];
    return Number(most ?? Number.POSITIVE_INFINITY);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** How many streams may be open at once: some descriptors are left for what else there is, requests, the database, files. */
export const mostStreams = (): number => Math.min(20_000, Math.floor(mostDescriptors() * 0.7));

const ASK_EVERY = 10 * SECOND;
const NEAR_THE_END = 0.8;

/** Says in the log, at most once a minute, when descriptors run out. Returns the way to stop. */
export function watchDescriptors(log: Log): () => void {
  const most = mostDescriptors();
  const tell = seldom(MINUTE, (fields) => log.warn("descriptors are running out: raise ulimit -n or add an instance", fields));
  const timer = setInterval(() => void lookAtDescriptors(openDescriptors, most, tell), ASK_EVERY);
  timer.unref();
  return () => clearInterval(timer);
}

/** One look; where the system does not tell, there is nothing to say. */
export async function lookAtDescriptors(count: () => Promise<number>, most: number, tell: (fields: { open: number; most: number }) => void): Promise<void> {
  const open = await count().catch(() => 0);
  if (open > most * NEAR_THE_END) tell({ open, most });
}
