import { readFileSync } from "node:fs";
import { join } from "node:path";
import { folders } from "../files";

/** A rule of the sheet, or a group (`@media`, `@supports`) of them. */
type Rule = {
  /** The selector, or what opens the group. */
  head: string;
  /** What each selector of the list needs: classes by their name, elements as `<name`; `*` needs nothing. */
  needs: string[][];
  /** Declarations; null for a group. */
  body: string | null;
  rules: Rule[];
};

const GROUP = /^@(media|supports|layer|container)\b/;
const CUSTOM = /(?:^|;)\s*(--[\w-]+)\s*:[^;]*/g;

/** A selector list in its parts; a comma inside parentheses or behind a backslash divides nothing. */
const selectors = (list: string) => list.split(/,(?![^(]*\))(?<!\\,)/);
/** The classes that a selector, or a whole sheet, names. */
export const classesIn = (selector: string) =>
  [...selector.replace(/:not\([^)]*\)/g, "").matchAll(/(?<!\\)\.((?:\\[0-9a-f]{1,6} ?|\\.|[\w-])+)/g)].map(([, name = ""]) =>
    name.replace(/\\([0-9a-f]{1,6}) ?|\\(.)/g, (_, code: string | undefined, char: string) => (code ? String.fromCodePoint(Number.parseInt(code, 16)) : char)),
  );

/** Parts that only a field has. */
const FIELD_PART = /::(placeholder|file-selector|-webkit-(search|date|calendar|inner|outer))/;

/** The elements that a selector names outside of parentheses, as `<name`. */
function elementsIn(selector: string): string[] {
  let bare = selector.replace(/\.(?:\\[0-9a-f]{1,6} ?|\\.|[\w-])+/g, "").replace(/\[[^\]]*\]/g, "");
  for (let before = ""; before !== bare;) {
    before = bare;
    bare = bare.replace(/\([^()]*\)/g, "");
  }
  const names = bare.replace(/::?[\w-]+/g, "").match(/[a-z][\w-]*/gi) ?? [];
  return [...names, ...(FIELD_PART.test(selector) ? ["input"] : [])].map((name) => `<${name}`);
}

/** Where the block that opens at `from` closes. Our sheet's strings hold no braces. */
function closing(css: string, from: number): number {
  for (let at = from, depth = 0; at < css.length; at++) {
    if (css[at] === "{") depth++;
    else if (css[at] === "}" && --depth === 0) return at;
  }
  throw new Error("the style sheet has a block without an end");
}

function parse(css: string): Rule[] {
  const rules: Rule[] = [];
  for (let at = 0; at < css.length;) {
    const open = css.indexOf("{", at);
    if (open < 0) break;
    const end = closing(css, open);
    const head = css.slice(at, open).trim();
    const inside = css.slice(open + 1, end);
    const group = GROUP.test(head);
    const needs = head.startsWith("@") ? [[]] : selectors(head).map((selector) => [...classesIn(selector), ...elementsIn(selector)]);
    rules.push({ head, needs, body: group ? null : inside.trim(), rules: group ? parse(inside) : [] });
    at = end + 1;
  }
  return rules;
}

function keep(rules: Rule[], used: ReadonlySet<string>): Rule[] {
  return rules.flatMap((rule) => {
    if (rule.body === null) {
      const inner = keep(rule.rules, used);
      return inner.length ? [{ ...rule, rules: inner }] : [];
    }
    return rule.needs.some((needed) => needed.every((name) => used.has(name))) ? [rule] : [];
  });
}

const write = (rules: Rule[]): string => rules.map(({ head, body, rules: inner }) => `${head}{${body ?? write(inner)}}`).join("");
/** Leaves out custom properties that nothing reads. Their values may read others, so this repeats until nothing changes. */
function withoutUnread(css: string): string {
  const read = new Set([...css.matchAll(/var\(\s*(--[\w-]+)/g)].map(([, name]) => name as string));
  const properties = css.replace(/@property (--[\w-]+)\{[^}]*\}/g, (text, name: string) => (read.has(name) ? text : ""));
  const rest = properties.replace(/(\{)((?:[^{}]*;)?\s*--[^{}]*)(\})/g, (_, open: string, body: string, close: string) => {
    return open + body.replace(CUSTOM, (text, name: string) => (read.has(name) ? text : "")).replace(/^\s*;\s*/, "") + close;
  });
  return rest === css ? css : withoutUnread(rest);
}

const ENTITIES: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#x27;": "'" };

/** The classes and, as `<name`, the elements that a page's HTML uses. */
export function usedIn(html: string): Set<string> {
  const found = new Set<string>(["<html", "<body"]);
  for (const [opened] of html.matchAll(/<[a-z][a-z0-9]*/gi)) found.add(opened);
  if (found.has("<textarea") || found.has("<select")) found.add("<input");
  for (const [, list = ""] of html.matchAll(/\sclass="([^"]*)"/g))
    for (const name of list.replace(/&(amp|lt|gt|quot|#x27);/g, (entity) => ENTITIES[entity] ?? entity).split(/\s+/)) found.add(name);
  return found;
}

/** Whatever could be a class or an element among a script's strings: too much does no harm, too little would show. */
const tokensOf = (script: string) => script.split(/[\s'"`]+/);

/** The rules of a sheet that can apply to what is used, in their order. */
export const rulesFor = (sheet: string, used: ReadonlySet<string>): string => withoutUnread(write(keep(parse(sheet), used)));

const files = new Map<string, string>();
function builtText(name: string): string {
  const known = files.get(name) ?? readFileSync(join(folders.client, name), "utf8");
  files.set(name, known);
  return known;
}
const parsed = new Map<string, Rule[]>();
function rulesOf(name: string): Rule[] {
  const known = parsed.get(name) ?? parse(builtText(name));
  parsed.set(name, known);
  return known;
}

/** Pages that use the same classes share their rules; more kinds than this there are not, unless someone makes them up. */
const written = new Map<string, string>();
const MOST_WRITTEN = 64;

/** A built script as text, to stand in a page. */
export const inlineScript = builtText;

/**
 * The part of the built sheet that this page can use, to stand in it: the classes and elements of its own HTML and of the scripts it loads,
 * read from them, so that none can be missed.
 */
export function inlineStyle(sheet: string, html: string, scripts: readonly string[]): string {
  const used = usedIn(html);
  for (const script of scripts) for (const token of tokensOf(builtText(script))) used.add(token).add(`<${token}`);
  const key = [...used].sort().join(" ");
  const known = written.get(key);
  if (known !== undefined) return known;
  if (written.size >= MOST_WRITTEN) written.clear();
  const style = withoutUnread(write(keep(rulesOf(sheet), used)));
  written.set(key, style);
  return style;
}

/** As a content security policy names an inline script or style. */
export const policyHash = (text: string) => `'sha256-${new Bun.CryptoHasher("sha256").update(text).digest("base64")}'`;
