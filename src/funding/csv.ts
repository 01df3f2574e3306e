import type { Transaction } from "./schema";

/** Transactions as a file for spreadsheets (RFC 4180). */

const HEAD = ["Date (UTC)", "Type", "Account", "Description", "Amount", "Currency", "Status", "Balance after"];
const PAGE = 500;
const MOST_LINES = 10_000;

const NUMBER = /^-?\d+(\.\d+)?$/;
/** A spreadsheet takes a cell that begins like this for a formula; an apostrophe makes it text. A plain number stays one. */
const FORMULA = /^[=+\-@\t\r\n]/;

/** One cell: quoted, and never a formula. */
export function cell(value: string): string {
  const safe = FORMULA.test(value) && !NUMBER.test(value) ? `'${value}` : value;
  return `"${safe.replaceAll('"', '""')}"`;
}
const line = (cells: readonly string[]) => `${cells.map(cell).join(",")}\r\n`;
const lineOf = (t: Transaction) => line([t.createdAt, t.type, t.account, t.description, t.amount, t.currency, t.status, t.balanceAfter]);

/** Reads page after page as the reader takes them, so that neither memory nor a database connection waits for a slow one. */
export function csvOf(pageAfter: (cursor: string | undefined, limit: number) => Promise<Transaction[]>): Response {
  let cursor: string | undefined;
  let lines = 0;
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      start: (stream) => stream.enqueue(encoder.encode(line(HEAD))),
      async pull(stream) {
        const page = await pageAfter(cursor, Math.min(PAGE, MOST_LINES - lines));
        if (page.length > 0) stream.enqueue(encoder.encode(page.map(lineOf).join("")));
        lines += page.length;
        cursor = page.at(-1)?.id;
        if (page.length < PAGE || lines >= MOST_LINES) stream.close();
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers: { "Content-Type": "text/csv; charset=utf-8", "Content-Disposition": 'attachment; filename="transactions.csv"' } });
}
