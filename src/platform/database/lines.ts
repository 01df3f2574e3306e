import { priceUnits } from "../../lib/money";
import type { Fragment, Sql } from "./db";

/**
 * Columns of a row as one text, each ended by a bar, nothing for null; none of them may hold a bar. Of a row the driver takes for each column as long
 * as PostgreSQL for putting three to others, and the text of a price is read once, to its figure.
 */
export const line = (sql: Sql, columns: readonly Fragment[]): Fragment =>
  columns.map((column) => sql`coalesce((${column})::text, '') || '|'`).reduce((all, next) => sql`${all} || ${next}`);

const BAR = "|".charCodeAt(0);
const POINT = ".".charCodeAt(0);
const ZERO = "0".charCodeAt(0);

/** Reads the columns of a line from left to right. Throws where one is not what is asked for. */
export class Columns {
  private at = 0;

  constructor(private readonly text: string) {}

  /** Holds the text to its end: with fewer or more columns it is not ours. */
  end(): void {
    if (this.at !== this.text.length) throw new RangeError("lines of other columns");
  }

  /** A word. It is a piece of the line, all of which it keeps in memory as long as it is kept itself. */
  word(): string {
    const end = this.text.indexOf("|", this.at);
    if (end < 0) throw new RangeError("a line of fewer columns");
    const found = this.text.slice(this.at, end);
    this.at = end + 1;
    return found;
  }

  /** numeric(20,8) in units of 10⁻⁸, or null. */
  price(): number | null {
    const from = this.at;
    const units = this.figure(8);
    // Beyond that the last digit is rounded, once.
    return units !== null && units > Number.MAX_SAFE_INTEGER ? priceUnits(this.text.slice(from, this.at - 1)) : units;
  }

  /** numeric(15,2) of zero and above in cents. */
  cents(): number {
    return given(this.figure(2));
  }

  /** A whole number of zero and above. */
  whole(): number {
    return given(this.figure(0));
  }
  wholeOrNull(): number | null {
    return this.figure(0);
  }

  /** A number with so many decimals, as a whole number of the last one. */
  private figure(decimals: number): number | null {
    const { text } = this;
    let at = this.at;
    let figure = 0;
    let point = -1;
    for (; ; at++) {
      const code = text.charCodeAt(at);
      if (code >= ZERO && code <= ZERO + 9) figure = figure * 10 + (code - ZERO);
      else if (code === POINT && point < 0) point = at;
      else if (code === BAR) break;
      else throw new RangeError("not a number");
    }
    if (at === this.at) {
      this.at++;
      return null;
    }
    const found = point < 0 ? 0 : at - point - 1;
    if (found !== decimals || point === this.at) throw new RangeError("a number of other decimals");
    this.at = at + 1;
    return figure;
  }
}

export function given<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new RangeError("what must be there is missing");
  return value;
}
