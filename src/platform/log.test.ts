import { expect, test } from "bun:test";
import { createLog, seldom } from "./log";

function logged(level: Parameters<typeof createLog>[0], say: (log: ReturnType<typeof createLog>) => void): string[] {
  const written: string[] = [];
  say(createLog(level, (line) => void written.push(line)));
  return written;
}

test("an entry is one line of JSON, whatever people wrote", () => {
  const forged = 'line1\nline2\r\n{"level":"info","msg":"forged"}\u2028\u0000';
  const [line = "", ...more] = logged("info", (log) => log.info(forged, { name: forged, nested: { name: forged } }));
  expect(more).toEqual([]);
  expect(line.endsWith("\n")).toBe(true);
  expect(line.slice(0, -1)).not.toMatch(/[\u0000-\u001f]/);
  expect(JSON.parse(line)).toMatchObject({ level: "info", msg: forged, name: forged, nested: { name: forged } });
});

test("what is said can't be overwritten by what it is said of", () => {
  const [line = ""] = logged("info", (log) => log.warn("real", { level: "debug", msg: "forged", time: "never" }));
  expect(JSON.parse(line)).toMatchObject({ level: "warn", msg: "real", time: expect.stringMatching(/^\d{4}-/) as string });
});

test("only what is of this level or above is written", () => {
  const written = logged("warn", (log) => {
    for (const level of ["debug", "info", "warn", "error"] as const) log[level](level);
  });
  expect(written.map((line) => (JSON.parse(line) as { level: string }).level)).toEqual(["warn", "error"]);
});

test("an error is told without what it carried", () => {
  const error = Object.assign(new Error("boom"), { code: "23505", query: "select secret", parameters: ["secret"], detail: "Key (email)=(secret)" });
  const [line = ""] = logged("info", (log) => log.error("failed", { error }));
  expect(JSON.parse(line)).toMatchObject({ error: { name: "Error", message: "boom", code: "23505" } });
  expect(line).not.toContain("secret");
});

test("what JSON can't hold does not break the speaker", () => {
  const loop: Record<string, unknown> = {};
  loop.self = loop;
  for (const value of [10n, loop, () => 1, Symbol("x")]) expect(logged("info", (log) => log.info("said", { value }))).toHaveLength(1);
});

test("what is said seldom is said at first, and again when the time is over", () => {
  let now = 0;
  const said: unknown[] = [];
  const say = seldom(
    60_000,
    ({ n }) => void said.push(n),
    () => now,
  );
  for (let n = 0; n < 5; n++, now += 30_000) say({ n });
  expect(said).toEqual([0, 2, 4]);
});
