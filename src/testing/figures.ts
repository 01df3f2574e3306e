import { unoConfig } from "../../views/theme";

/** How figures are written, wherever they are shown: on a page, in a dialog, in a toast. */

const named: Partial<Record<string, string>> = unoConfig.shortcuts;
/** A tag's own word on line breaks, or that of a name which stands for several, else its parent's. */
function keepsLine(element: Element | null): boolean {
  for (let at = element; at; at = at.parentElement) {
    const own = (at.getAttribute("class") ?? "").split(/\s+/);
    const words = [...own, ...own.flatMap((name) => named[name]?.split(" ") ?? [])];
    const word = words.find((each) => /^whitespace-(nowrap|normal|pre-line|pre)$/.test(each));
    if (word) return word === "whitespace-nowrap" || word === "whitespace-pre";
  }
  return false;
}

/** What is wrong with a text; `line`: whether the page keeps it on one line. */
export function faultsOf(text: string, line: boolean): string[] {
  const found: string[] = [];
  // Between '−' and '$' a browser breaks the line; between a sign and a digit it does not.
  if (/−\$/.test(text) && !line) found.push("a minus that parts from its number");
  if (/(^|[\s(])-[$\d]/.test(text)) found.push("a hyphen for a minus");
  if (/(^|[\s($+−])\d{4,}\.\d/.test(text)) found.push("thousands that are not grouped");
  return found;
}

/** Each text that is read under `root`, with what is wrong with it. */
export function* textsUnder(root: Element): Generator<{ text: string; faults: string[] }> {
  for (const element of root.querySelectorAll("*")) {
    // What stands in a field is as its person writes it.
    if (/^(script|style|template|noscript|textarea)$/i.test(element.tagName)) continue;
    for (const { nodeType, textContent } of element.childNodes)
      if (nodeType === 3) yield { text: textContent ?? "", faults: faultsOf(textContent ?? "", keepsLine(element)) };
  }
}
