import { expect, test } from "bun:test";
import { createLog } from "./platform/log";
import { putAway } from "./serve";

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
