import type { CSSProperties } from "react";
import { accentTokens, type Accents } from "../brand_colours";
import { palette, type Token } from "../palette";

/** What a letter wears: mail programs read styles at the elements, so each element says its own. */

export type Colours = Record<keyof typeof palette, Record<Token, string>>;
/** The site's colours with the house's accents. */
export const coloursOf = ({ accentLight, accentDark }: Accents): Colours => ({
  light: { ...palette.light, ...(accentLight ? accentTokens(accentLight, "light") : {}) },
  dark: { ...palette.dark, ...(accentDark ? accentTokens(accentDark, "dark") : {}) },
});

const SANS = "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif";
const SERIF = "'Iowan Old Style','Palatino Linotype',Palatino,Georgia,serif";
const MONO = "ui-monospace,Menlo,Consolas,monospace";

/** The looks by name, all values as text. */
const looksOf = ({ light }: Colours) => {
  const text = { margin: "0 0 16px", font: `400 16px/24px ${SANS}`, color: light.ink };
  const small = { margin: "0 0 8px", font: `400 13px/20px ${SANS}`, color: light.soft };
  const line = `1px solid ${light.line}`;
  const cell = { padding: "8px 0", borderTop: line, font: `400 15px/22px ${SANS}`, verticalAlign: "top" };
  const heading = { margin: "0 0 12px", font: `600 18px/24px ${SANS}`, color: light.ink };
  return {
    body: { margin: "0", padding: "0", background: light.paper },
    ground: { borderCollapse: "collapse" },
    paper: { padding: "24px 12px", background: light.paper },
    column: { maxWidth: "560px", margin: "0 auto", textAlign: "left" },
    brand: { margin: "0 0 16px 4px", font: `600 18px/24px ${SERIF}`, color: light.ink },
    card: { padding: "24px 24px 12px", background: light.surface, border: line, borderRadius: "10px" },
    title: { margin: "0 0 16px", font: `400 24px/30px ${SERIF}`, color: light.ink },
    text,
    small,
    freeze: { ...small, paddingTop: "12px", borderTop: line },
    /** An address, which may be long. */
    address: { color: light.accent, wordBreak: "break-all" },
    link: { color: light.accent },
    whole: { whiteSpace: "nowrap" },
    facts: { borderCollapse: "collapse", marginBottom: "16px" },
    factName: { ...cell, paddingRight: "16px", whiteSpace: "nowrap", color: light.soft },
    fact: { ...cell, color: light.ink, wordBreak: "break-word" },
    deed: { margin: "0 0 12px" },
    button: {
      ...{ display: "inline-block", padding: "12px 20px", background: light.accent, color: light["on-accent"] },
      ...{ borderRadius: "8px", font: `600 16px/20px ${SANS}`, textDecoration: "none" },
    },
    foot: { padding: "16px 4px 0" },
    key: { wordBreak: "break-all" },
    heading,
    lower: { ...heading, font: `600 16px/24px ${SANS}` },
    list: { ...text, padding: "0 0 0 24px" },
    item: { margin: "0 0 4px" },
    quote: { margin: "0 0 16px", padding: "0 0 0 16px", borderLeft: line },
    rule: { margin: "24px 0", border: "0", borderTop: line },
    table: { borderCollapse: "collapse", margin: "0 0 16px" },
    head: { ...cell, borderTop: "0", padding: "8px 16px 8px 0", fontWeight: "600", textAlign: "left", color: light.ink },
    cell: { ...cell, padding: "8px 16px 8px 0", color: light.ink },
    code: { font: `400 14px/22px ${MONO}`, whiteSpace: "pre-wrap", wordBreak: "break-word" },
    block: { ...text, padding: "12px", background: light.sunken },
  } satisfies Record<string, CSSProperties & Record<string, string>>;
};
export type Look = keyof ReturnType<typeof looksOf>;
/** How an element says what it wears: where letters are read at itself, in a frame of the panel, whose policy lets none, by name. */
export type Wear = (look: Look) => { style: CSSProperties } | { "data-look": Look };

export function wornAtElements(colours: Colours): Wear {
  const looks = looksOf(colours);
  return (look) => ({ style: looks[look] });
}
export const wornByName: Wear = (look) => ({ "data-look": look });

/** Mail programs that know the dark read these, too. */
export const darkCss = ({ dark }: Colours): string => `
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
body,.paper{background:${dark.paper}!important}
.card{background:${dark.surface}!important;border-color:${dark.line}!important}
.sunken{background:${dark.sunken}!important}
.ink{color:${dark.ink}!important}.soft{color:${dark.soft}!important}.link{color:${dark.accent}!important}
.rule{border-color:${dark.line}!important}
.button{background:${dark.accent}!important;color:${dark["on-accent"]}!important}
}`;

/** The whole style of a letter in a frame, where its looks go by name; its links lead nowhere. */
export function framedCss(colours: Colours): string {
  const rules = Object.entries(looksOf(colours)).map(
    ([look, style]) =>
      `[data-look=${look}]{${Object.entries(style)
        .map(([name, value]) => `${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}:${value}`)
        .join(";")}}`,
  );
  return `${rules.join("\n")}${darkCss(colours)}\na{pointer-events:none}`;
}
