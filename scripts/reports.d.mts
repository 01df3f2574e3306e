/** The shapes of reports.mjs, for the tests that use it. */
type Reasons = Record<string, string>;
type Counts = { passed: number; failed: number; skipped: number };
export const VERIFIER: { test: string; paths: string[] };
export function lackOfVerifier(isThere: (path: string) => boolean): string | null;
export function countReport(report: string, ended: boolean, reasons?: Reasons): Counts;
export function summaryOf(counts: Counts, reasons?: Reasons): string;
export function withoutPassed(printed: string): string;
export function failedTests(printed: string): string[];
