import { availableParallelism } from "node:os";
import { Refusal } from "../lib/refusal";

/** OWASP's second recommendation for Argon2id: 19 MiB, two passes, one lane; about 45 ms here. */
const OPTIONS = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;

const LANES = availableParallelism();
const QUEUE_LIMIT = 200;
let running = 0;
const waiting: (() => void)[] = [];

/** Runs at most one hash per core, so that a flood of sign-ins does not slow the quotes; past the queue's end it refuses. */
async function inLane<T>(work: () => Promise<T>): Promise<T> {
  if (running >= LANES) {
    if (waiting.length >= QUEUE_LIMIT) throw new Refusal("unavailable", "Many people are signing in just now. Please try again in a moment.", undefined, 5);
    await new Promise<void>((go) => waiting.push(go));
  } else running++;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

/** Hashes in line for a free core, for the metrics. */
export const hashesWaiting = (): number => waiting.length;

/** The same characters typed on another keyboard must be the same password. */
const normal = (password: string) => password.normalize("NFC");

export const hashPassword = (password: string) => inLane(() => Bun.password.hash(normal(password), OPTIONS));

let dummy: Promise<string> | undefined;

/** Checks a password; with no hash (an unknown address) it takes the same time and answers no. */
export async function verifyPassword(password: string, hash: string | null): Promise<boolean> {
  dummy ??= hashPassword(crypto.randomUUID());
  const against = hash ?? (await dummy);
  const matches = await inLane(() => Bun.password.verify(normal(password), against).catch(() => false));
  return hash !== null && matches;
}
