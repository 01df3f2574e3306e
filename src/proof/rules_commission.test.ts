import { describe, expect, test } from "bun:test";
import { key, logOf } from "../testing/proofs";
import { written } from "./rules_files";
import { verify } from "./rules_verify";
import type { LogRecord } from "./schema";

/** What was taken of commission is checked against the group's version that a deal names. */

/** The large opening of a group that takes so much, and says that this was taken; null: of a version that says nothing. */
const stepsOf = (rate: string, commission: string | null) => {
  const log = logOf((record) => {
    if (record.kind === "group") return { ...record, commission: rate };
    return record.kind === "fill" && record.v === 5 && commission !== null ? ({ ...record, v: 6, commission } as LogRecord) : record;
  });
  const { reason, steps } = verify(log.texts.margin ?? "", { key });
  return { reason, said: steps.filter(({ what }) => what.includes("commission")).map(({ state, what }) => [state, what]) };
};

describe("what was taken of commission", () => {
  test("is so much for each $100,000, up to the next cent", () => {
    expect(stepsOf("3.33", "5.00")).toEqual({ reason: null, said: [["holds", "The opening’s commission of $5.00 is what version 2 of starter has."]] });
    expect(stepsOf("0.00", "0.00")).toEqual({ reason: null, said: [] });
  });

  test.each([
    ["3.33", "4.99", "$5.00"],
    ["3.33", "5.01", "$5.00"],
    ["3.33", "0.00", "$5.00"],
    ["3.33", "-5.00", "$5.00"],
    ["0.00", "0.01", "$0.00"],
  ])("at %s is not %s", (rate, taken, due) => {
    expect(stepsOf(rate, taken).reason).toContain(`it should be ${due}`);
  });

  test("is not known where a deal is of a version that does not say it", () => {
    expect(stepsOf("0.00", null).said).toEqual([]);
    expect(stepsOf("3.33", null)).toMatchObject({ reason: null, said: [["open", expect.stringContaining("costs $5.00 of commission, at most")]] });
  });
});

describe("a statement", () => {
  const line = (kind: "fill" | "exit", amount: string) => {
    const log = logOf((record) => {
      const more = { fixed: false, group: "starter", groupVersion: 2, instrumentVersion: 0, commission: "0.35" };
      if (record.kind === "exit") return { ...record, ...more, v: 3 } as LogRecord;
      return record.kind === "fill" && record.v === 5 ? ({ ...record, v: 6, commission: "0.35" } as LogRecord) : record;
    });
    const { position, statement, margin } = log.files;
    const proof = kind === "exit" ? position.closing?.proof : margin.opening?.proof;
    if (!proof) throw new Error("there is no such record");
    const closing = statement.lines.find(({ proof: { record } }) => record.kind === "exit");
    if (!closing) throw new Error("there is no closing");
    const more = [...Array(kind === "exit" ? 2 : 1)].map(() => ({ amount, proof }));
    const lines = (count: number) => verify(written({ ...statement, lines: [closing, ...more.slice(0, count)] }), { key });
    return { once: lines(1), twice: verify(written({ ...statement, lines: [closing, ...more, ...more] }), { key }) };
  };

  test.each(["fill", "exit"] as const)("has the commission of a %s as a line of its own, once", (kind) => {
    const { once, twice } = line(kind, "-0.35");
    expect(once.reason).toBeNull();
    expect(once.title).toBe("Statement 2026-11, 1 closings");
    expect(once.steps.some(({ state, what }) => state === "holds" && what.includes(`the commission of ${kind === "fill" ? "opening" : "closing"} `))).toBe(
      true,
    );
    expect(twice.reason).toContain("it stands twice");
    expect(line(kind, "-0.36").once.holds).toBe(false);
  });
});
