import { homeOf, mayUse } from "./floors";

/** A text that writes tables and calls SQL functions: such a function itself, a view, or a file of TypeScript with SQL in it. */
export type Piece = { home: string; name: string; text: string };

/** The functions and views of a file of sql/functions, without comments and without what stands in quotes. */
export function piecesIn(path: string, text: string): Piece[] {
  const plain = text.replace(/--.*$/gm, "").replace(/'(?:[^']|'')*'/g, "''");
  return [...plain.matchAll(/^create or replace (?:function|view) (\w+)([^]*?)(?=^create or replace|$(?![^]))/gm)].map(([, name = "", body = ""]) => ({
    home: homeOf(path),
    name,
    text: body,
  }));
}

/** In TypeScript SQL begins with a line, a template or a bracket; elsewhere the words are English. */
const SQL_WRITES = /(?<!\b(?:for|do|key) )\b(?:insert into|delete from|truncate|update) ([a-z_]+)/g;
const PROGRAM_WRITES = /(?:^|[`(])\s*(?:insert into|delete from|truncate|update) ([a-z_]+)/gm;

/** Each table that is written, and by which domains. */
export function writersOf(functions: readonly Piece[], program: readonly Piece[]): Map<string, Set<string>> {
  const writers = new Map<string, Set<string>>();
  for (const [pieces, pattern] of [[functions, SQL_WRITES] as const, [program, PROGRAM_WRITES] as const])
    for (const { home, text } of pieces) for (const [, table = ""] of text.matchAll(pattern)) writers.set(table, (writers.get(table) ?? new Set()).add(home));
  return writers;
}

/** Who writes what another domain writes too, but for those named in `shared`, as `home: table`. */
export const strangersIn = (writers: Map<string, Set<string>>, shared: readonly string[]): string[] =>
  [...writers].flatMap(([table, homes]) => {
    const own = [...homes].filter((home) => !shared.includes(`${home}: ${table}`)).sort();
    return own.length > 1 ? [`${table}: ${own.join(", ")}`] : [];
  });

/** Calls of a function of the same floor or a higher one, as `home → function`. */
export function climbsIn(functions: readonly Piece[], program: readonly Piece[]): string[] {
  const homes = new Map(functions.map(({ home, name }) => [name, home]));
  const climbs = (pieces: readonly Piece[], call: RegExp) =>
    pieces.flatMap(({ home, text }) =>
      [...text.matchAll(call)].flatMap(([, name = ""]) => {
        const other = homes.get(name);
        return other === undefined || mayUse(home, other) ? [] : [`${home} → ${name}`];
      }),
    );
  // A name of TypeScript's own has no underscore.
  return [...new Set([...climbs(functions, /\b(\w+)\s*\(/g), ...climbs(program, /\b([a-z]+_[a-z_]+)\(/g)])].sort();
}
