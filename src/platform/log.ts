export type Level = "debug" | "info" | "warn" | "error";
type Fields = Record<string, unknown>;
export type Log = Record<Level, (msg: string, fields?: Fields) => void>;

const ORDER: Record<Level, number> = { debug: 10, info: 20, warn: 30, error: 40 };

/** What of an error is fit for a log: enough to repair it; never query parameters, which may hold a person's data. */
const plain = (value: unknown) =>
  value instanceof Error
    ? { name: value.name, message: value.message, code: (value as { code?: unknown }).code, stack: value.stack?.split("\n").slice(1, 6).join("\n") }
    : value;

/** One JSON object a line. JSON escapes newlines, so text from people cannot forge a line. */
export function createLog(level: Level, write: (line: string) => void = (line) => void process.stdout.write(line)): Log {
  const at =
    (own: Level) =>
    (msg: string, fields: Fields = {}) => {
      if (ORDER[own] < ORDER[level]) return;
      const rest = Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, plain(value)]));
      write(`${JSON.stringify({ time: new Date().toISOString(), level: own, msg, ...rest })}\n`);
    };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}
