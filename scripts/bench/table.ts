/** The table that the benchmarks print: rows in sections, figures with their aims. */

/** The middle of several runs, with the lowest and the highest. */
export type Spread = { median: number; min: number; max: number };
export function spread(values: number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const median = sorted.length % 2 ? (sorted[Math.floor(middle)] as number) : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
  return { median, min: sorted[0] as number, max: sorted.at(-1) as number };
}

export type Row = { what: string; figure: string; aim?: string; met?: boolean };
export const rows: Row[] = [];
export const section = (what: string) => rows.push({ what: "", figure: "" }, { what: what.toUpperCase(), figure: "" });
export const whole = (value: number) => Math.round(value).toLocaleString("en-US");
export const shown = ({ median, min, max }: Spread, text: (value: number) => string) => `${text(median)} (${text(min)}–${text(max)})`;
export const seconds = (value: number) => `${value.toFixed(2)} s`;
export const kilobytes = (value: number) => (value / 1000).toFixed(1);

export function print(): void {
  const width = Math.max(...rows.map(({ what, figure }) => (figure ? what.length : 0)));
  for (const { what, figure, aim, met } of rows)
    console.log(`${what.padEnd(figure ? width : 0)}  ${figure}${aim === undefined ? "" : `   aim ${aim}: ${met ? "met" : "not met"}`}`.trimEnd());
}
