import { expect, test } from "bun:test";
import { createLog } from "./platform/log";
import { hearWarnings, isInTheClear, putAway } from "./serve";

test("what can't be put away is logged, and whoever asked goes on", async () => {
  const lines: string[] = [];
  const log = createLog("info", (line) => void lines.push(line));
  expect(await putAway(async () => {}, log)).toBe(true);
  expect(lines).toEqual([]);
  expect(await putAway(() => Promise.reject(new Error("write CONNECTION_CLOSED")), log)).toBe(false);
  expect(await putAway(() => JSON.parse("{"), log)).toBe(false);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: "error", msg: "something could not be put away", error: { message: "write CONNECTION_CLOSED" } },
    { level: "error", msg: "something could not be put away", error: { name: "SyntaxError" } },
  ]);
});

test("what travels in the clear is known by the address listened on and the site's own", () => {
  const at = (host: string, publicUrl: string | null = null) => isInTheClear({ host, publicUrl });
  expect(["127.0.0.1", "127.0.0.53", "::1", "localhost"].map((host) => at(host))).toEqual([false, false, false, false]);
  expect(["0.0.0.0", "::", "192.0.2.1", "halyard"].map((host) => at(host))).toEqual([true, true, true, true]);
  expect([at("0.0.0.0", "https://trade.example"), at("0.0.0.0", "http://trade.example")]).toEqual([false, true]);
});

test("what the runtime warns of is a line of the log, and nothing else", async () => {
  const lines: string[] = [];
  const before = process.listeners("warning");
  hearWarnings(createLog("info", (line) => void lines.push(line)));
  process.emitWarning("too many listeners");
  while (lines.length === 0) await Bun.sleep(1);
  expect(process.listeners("warning")).toHaveLength(1);
  process.removeAllListeners("warning");
  for (const listener of before) process.on("warning", listener);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: "warn", msg: "the runtime warns", error: { message: "too many listeners" } }]);
});
