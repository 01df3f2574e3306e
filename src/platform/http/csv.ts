/** Lists as files for spreadsheets (RFC 4180). */

const PAGE = 500;

/** Says that it is UTF-8: without it Excel reads "Zoë" as "ZoÃ«". */
const MARK = "\ufeff";
const NUMBER = /^-?\d+(\.\d+)?$/;
/** A spreadsheet takes a cell that begins like this for a formula; an apostrophe makes it text. A plain number stays one. */
const FORMULA = /^[=+\-@\t\r\n]/;

/** One cell: quoted, and never a formula. */
export function cell(value: string): string {
  const safe = FORMULA.test(value) && !NUMBER.test(value) ? `'${value}` : value;
  return `"${safe.replaceAll('"', '""')}"`;
}
const line = (cells: readonly string[]) => `${cells.map(cell).join(",")}\r\n`;

export type Sheet<Row> = {
  /** The file's name without its ending. */
  name: string;
  /** Lines at most, the heading apart. */
  most: number;
  columns: readonly (readonly [title: string, text: (row: Row) => string | null])[];
  /** The rows after this one (from the first for undefined), at most `limit`. */
  rowsAfter: (last: Row | undefined, limit: number) => Promise<Row[]>;
};

/** Reads page after page as the reader takes them, so that neither memory nor a database connection waits for a slow one. */
export function csvFile<Row>({ name, most, columns, rowsAfter }: Sheet<Row>): Response {
  let last: Row | undefined;
  let lines = 0;
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      start: (stream) => stream.enqueue(encoder.encode(`${MARK}${line(columns.map(([title]) => title))}`)),
      async pull(stream) {
        const limit = Math.min(PAGE, most - lines);
        const rows = await rowsAfter(last, limit);
        if (rows.length > 0) stream.enqueue(encoder.encode(rows.map((row) => line(columns.map(([, text]) => text(row) ?? ""))).join("")));
        lines += rows.length;
        last = rows.at(-1);
        if (rows.length < limit || lines >= most) stream.close();
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers: { "Content-Type": "text/csv; charset=utf-8", "Content-Disposition": `attachment; filename="${name}.csv"` } });
}
