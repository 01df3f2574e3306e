/**
 * Frames of pages: what is the same on every page of a kind is drawn once and kept as text, with holes for what is one page's or one person's own.
 * So a page costs the drawing of what it alone shows.
 */

/** So many are kept; addresses without number, as each receipt has one, would fill the memory. */
const MOST = 300;
/** Texts by key; every other one is the name of a hole. */
const drawn = new Map<string, string[]>();
const HOLE = /\u0001(\w+)\u0001/;

/** What is drawn in the place of something that is filled in for each page. Without letters that HTML would escape. */
export const hole = (name: string) => `\u0001${name}\u0001`;

/** The frame of this key, drawn where it has not been yet, with its holes filled: `own` are HTML by name. */
export function framed(key: string, draw: () => string, own: Record<string, string>): string {
  let parts = drawn.get(key);
  if (!parts) {
    parts = draw().split(HOLE);
    if (drawn.size >= MOST) drawn.clear();
    drawn.set(key, parts);
  }
  let html = "";
  for (let at = 0; at < parts.length; at++) html += at % 2 === 0 ? parts[at] : (own[parts[at] ?? ""] ?? "");
  return html;
}

/** Parts of islands that are the same for all who see them, drawn once: their HTML by numbers, and the numbers by component and what it shows. */
let parts: string[] = [];
let numbers = new Map<object, Map<string, number>>();
const MOST_PARTS = 2000;
/** The island that is being drawn has such a place. */
let isPlaced = false;
/** How the place of one begins until its island is drawn, so that nobody can write it; its number follows, and an END. */
const BEGIN = `\u0001part${crypto.randomUUID().slice(0, 8)}_`;
const END = "\u0001";
/** What React sets between two, which are texts to it. */
const BETWEEN = "<!-- -->";

/** Islands that draw the same for the same props: their HTML by component and these, in parts between which each reader's own stands. */
let wholes = new Map<object, Map<string, readonly string[]>>();
let wholesLength = 0;
/** So many characters are kept; who has other money than anybody else would fill the memory. */
const MOST_LETTERS = 4_000_000;

/** As the islands of the page to come see the instruments: what was drawn of others is forgotten. */
export function showInstruments(lines: string | undefined) {
  if (lines === seenInstruments) return;
  seenInstruments = lines;
  [wholes, wholesLength] = [new Map(), 0];
}
let seenInstruments: string | undefined;

/** What `draw` draws where it has not been drawn yet for this component and `seen`. */
export function keptWhole(component: object, seen: string, draw: () => readonly string[]): readonly string[] {
  const known = wholes.get(component)?.get(seen);
  if (known !== undefined) return known;
  const html = draw();
  const letters = html.reduce((sum, part) => sum + part.length, seen.length);
  wholesLength += letters;
  if (wholesLength > MOST_LETTERS) [wholes, wholesLength] = [new Map(), letters];
  const own = wholes.get(component) ?? new Map<string, readonly string[]>();
  wholes.set(component, own.set(seen, html));
  return html;
}

/** What stands in the place of a part that `draw` draws where it has not been yet. `seen` is all that it shows; beside it stand elements or its like. */
export function keptPart(component: object, seen: unknown, draw: () => string): string {
  let own = numbers.get(component);
  if (!own) numbers.set(component, (own = new Map()));
  const key = JSON.stringify(seen);
  let number = own.get(key);
  if (number === undefined) own.set(key, (number = parts.push(draw()) - 1));
  isPlaced = true;
  return BEGIN + number + END;
}

/** An island's HTML with the parts in their places. Prices move: from time to time all are forgotten, never while an island is being drawn. */
export function withParts(html: string): string {
  if (!isPlaced) return html;
  isPlaced = false;
  const [first = "", ...places] = html.split(BEGIN);
  let whole = first;
  for (const place of places) {
    const end = place.indexOf(END);
    const next = place.startsWith(BETWEEN, end + END.length) ? end + END.length + BETWEEN.length : end + END.length;
    whole += (parts[Number(place.slice(0, end))] ?? "") + place.slice(next);
  }
  if (parts.length > MOST_PARTS) [parts, numbers] = [[], new Map()];
  return whole;
}
