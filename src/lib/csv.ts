/** Files from spreadsheets, read as RFC 4180 has them. */

/** What a spreadsheet would take for a formula is written behind an apostrophe, which is no part of the value. */
const GUARDED = /^'(?=[=+\-@\t\r\n])/;

/** The lines of a file, each its cells; empty lines are left out. Commas part the cells, quotation marks may hold them together. */
export function csvLines(text: string): string[][] {
  const lines: string[][] = [];
  let line: string[] = [];
  let cell = "";
  let isQuoted = false;
  const endCell = () => {
    line.push(cell.replace(GUARDED, "").trim());
    cell = "";
  };
  const endLine = () => {
    endCell();
    if (line.some((each) => each !== "")) lines.push(line);
    line = [];
  };
  const plain = text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
  for (let at = 0; at < plain.length; at++) {
    const char = plain.charAt(at);
    if (isQuoted && char === '"' && plain.charAt(at + 1) === '"') cell += plain.charAt(at++);
    else if (char === '"') isQuoted = !isQuoted;
    else if (!isQuoted && char === ",") endCell();
    else if (!isQuoted && char === "\n") endLine();
    else cell += char;
  }
  endLine();
  return lines;
}
