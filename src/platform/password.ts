import { availableParallelism } from "node:os";
import { Refusal } from "../lib/refusal";

/** OWASP's second recommendation for Argon2id: 19 MiB, two passes, one lane; about 45 ms here. */
const OPTIONS = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;

const LANES = availableParallelism();
const QUEUE_LIMIT = 200;
let running = 0;

/** Passwords that are proved and those of newcomers wait apart, so that neither crowd shuts the other out. */
type Queue = "proofs" | "newcomers";
const queues: Record<Queue, (() => void)[]> = { proofs: [], newcomers: [] };
const FULL: Record<Queue, string> = {
  proofs: "Many people are signing in just now. Please try again in a moment.",
  newcomers: "Many people are registering just now. Please try again in a moment.",
};
let served: Queue = "newcomers";

/** Runs at most one hash per core, so that a flood does not slow the quotes; past its queue's end it refuses. */
async function inLane<T>(queue: Queue, work: () => Promise<T>): Promise<T> {
  if (running >= LANES) {
    if (queues[queue].length >= QUEUE_LIMIT) throw new Refusal("unavailable", FULL[queue], undefined, 5);
    await new Promise<void>((go) => queues[queue].push(go));
  } else running++;
  try {
    return await work();
  } finally {
    const next = nextInTurn();
    if (next) next();
    else running--;
  }
}

/** The two queues take turns at a lane that is free. */
function nextInTurn(): (() => void) | undefined {
  const other = served === "proofs" ? "newcomers" : "proofs";
  if (queues[other].length) served = other;
  return queues[served].shift();
}

/** Hashes in line for a free core, for the metrics. */
export const hashesWaiting = (): number => queues.proofs.length + queues.newcomers.length;

/** The same characters typed on another keyboard must be the same password. */
const normal = (password: string) => password.normalize("NFC");

export const hashPassword = (password: string, queue: Queue = "proofs") => inLane(queue, () => Bun.password.hash(normal(password), OPTIONS));

/** How long the last newcomer's hash took, its waiting included, in ms. */
let lastTook = 45;

/** The hash of somebody who registers. Refuses (unavailable) where too many do. */
export async function hashNewcomer(password: string): Promise<string> {
  const began = performance.now();
  const hash = await hashPassword(password, "newcomers");
  lastTook = performance.now() - began;
  return hash;
}

/** Takes the time of a newcomer's hash and computes nothing, for a registration that is refused anyway: its time must not tell why. */
export const pauseAsIfHashed = (): Promise<void> => Bun.sleep(lastTook);

let dummy: Promise<string> | undefined;

/** Checks a password; with no hash (an unknown address) it takes the same time and answers no. */
export async function verifyPassword(password: string, hash: string | null): Promise<boolean> {
  dummy ??= hashPassword(crypto.randomUUID());
  const against = hash ?? (await dummy.catch(forgetDummy));
  const matches = await inLane("proofs", () => Bun.password.verify(normal(password), against).catch(() => false));
  return hash !== null && matches;
}

/** Where the queue was full when it was first asked for, the next one asks again. */
function forgetDummy(error: unknown): never {
  dummy = undefined;
  throw error;
}
