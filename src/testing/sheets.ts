import { expect } from "bun:test";
import { csvLines } from "../lib/csv";
import type { SheetPreview } from "../lib/sheet";
import { cell } from "../platform/http/csv";
import type { Answer, TestApp } from "./app";

/** Lists that go out as a file and come back in changed (`platform/sheets`), as tests do it. */

type Staff = Awaited<ReturnType<TestApp["admin"]>>;
type Refused = { message?: string; fields?: Record<string, string> };

/** The ways of a list that stands at this path. */
export const sheetOf = (staff: Staff, path: string) => ({
  file: async () => (await staff.get(`${path}?format=csv`)).text,
  preview: async (csv: string, more: object = {}) => (await staff.post<SheetPreview>(`${path}/preview`, { csv, ...more })).body,
  take: (csv: string, more: object = {}) => staff.post<SheetPreview & Refused>(`${path}/import`, { csv, reason: "A test", ...more }),
});

/** The file with one cell otherwise; a row is named by its first cell. */
export function withCell(text: string, id: string, column: string, value: string): string {
  const [head = [], ...lines] = csvLines(text);
  return [head, ...lines.map((line) => (line[0] === id ? line.map((each, at) => (head[at] === column ? value : each)) : line))]
    .map((line) => line.map(cell).join(","))
    .join("\r\n");
}

/** Where each fault stands and what it says. */
export const faultsSaid = ({ faults }: SheetPreview): string[] => faults.map(({ row, column, message }) => `${row} ${column}: ${message}`);

/** Of those who took one file at once: how many changed something. Others are refused, or read the list when there was nothing left to change. */
export function changedBy(answers: readonly Answer<SheetPreview & Refused>[]): number {
  const changed = answers.filter(({ status, body }) => status === 200 && body.changes.length > 0);
  const others = answers.filter((each) => !changed.includes(each));
  expect(others.filter(({ status, body }) => !(status === 400 || (status === 200 && body.changes.length === 0)))).toEqual([]);
  return changed.length;
}
