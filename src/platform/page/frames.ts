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
  for (const [at, part] of parts.entries()) html += at % 2 === 0 ? part : (own[part] ?? "");
  return html;
}
