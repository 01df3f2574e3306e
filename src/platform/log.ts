import { steadyNow } from "../lib/time";

export type Level = "debug" | "info" | "warn" | "error";
type Fields = Record<string, unknown>;
export type Log = Record<Level, (msg: string, fields?: Fields) => void>;

const ORDER: Record<Level, number> = { debug: 10, info: 20, warn: 30, error: 40 };

/** What of an error is fit for a log: enough to repair it; never query parameters, which may hold a person's data. */
const plain = (value: unknown) =>
  value instanceof Error
    ? { name: value.name, message: value.message, code: (value as { code?: unknown }).code, stack: value.stack?.split("\n").slice(1, 6).join("\n") }
    : value;

/** As JSON; null where it is none (a loop), because a log must not break who speaks. */
function json(entry: Fields): string | null {
  try {
    return JSON.stringify(entry, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value));
  } catch {
    return null;
  }
}

/** One JSON object a line. JSON escapes newlines, so text from people cannot forge a line. */
export function createLog(level: Level, write: (line: string) => void = (line) => void process.stdout.write(line)): Log {
  const at =
    (own: Level) =>
    (msg: string, fields: Fields = {}) => {
      if (ORDER[own] < ORDER[level]) return;
      const head = { time: new Date().toISOString(), level: own, msg };
      const rest = Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, plain(value)]));
      write(`${json({ ...head, ...rest, ...head }) ?? json({ ...head, unreadable: Object.keys(fields) })}\n`);
    };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

/** Says something at most once in `every` ms: the first time, and then what is so when the time is over and it is to be said again. */
export function seldom(every: number, say: (fields: Fields) => void, clock: () => number = steadyNow): (fields: Fields) => void {
  let silentUntil = Number.NEGATIVE_INFINITY;
  return (fields) => {
    const now = clock();
    if (now < silentUntil) return;
    silentUntil = now + every;
    say(fields);
  };
}
