import { contrast } from "./contrast";
import { pairs, palette, type Token } from "./palette";

/** The colours of a house: its accent by day and by night (`#rrggbb`), and what follows from them. Null: the program's own. */
export type Accents = { accentLight: string | null; accentDark: string | null };
type Mode = keyof typeof palette;
type Own = Record<"accent" | "on-accent" | "accent-soft", string>;

/** How much of the accent its soft ground has. */
const SOFT = { light: 0.1, dark: 0.2 } as const;
const NAMES = { light: "by day", dark: "by night" } as const;
/** What the tokens are called that a person reads. */
const GROUNDS: Partial<Record<Token, string>> = { paper: "the page", surface: "cards", sunken: "sunken parts", "accent-soft": "its own soft ground" };

function mix(a: string, b: string, part: number): string {
  const channel = (at: number) => Math.round(Number.parseInt(a.slice(at, at + 2), 16) * part + Number.parseInt(b.slice(at, at + 2), 16) * (1 - part));
  return `#${[1, 3, 5].map((at) => channel(at).toString(16).padStart(2, "0")).join("")}`;
}

/** An accent's own tokens: what is written on it is white or the night's ink, whichever stands out more; its soft ground is a tint of the card. */
export function accentTokens(accent: string, mode: Mode): Own {
  const [white, ink] = [palette.light["on-accent"], palette.dark["on-accent"]];
  return {
    accent,
    "on-accent": contrast(white, accent) >= contrast(ink, accent) ? white : ink,
    "accent-soft": mix(accent, palette[mode].surface, SOFT[mode]),
  };
}

/** Why an accent can't be read in a theme, by the pairs of `palette.ts` that it is a part of; null where it can. */
export function accentFault(accent: string, mode: Mode): string | null {
  const own: Partial<Record<Token, string>> = accentTokens(accent, mode);
  const colours: Record<Token, string> = { ...palette[mode], ...own };
  for (const { text, on, least } of pairs)
    for (const ground of on) {
      if (!(text in own) && !(ground in own)) continue;
      const found = contrast(colours[text], colours[ground]);
      if (found >= least) continue;
      const what = text === "accent" ? `on ${GROUNDS[ground] ?? ground}` : `with text on ${ground === "accent" ? "it" : "its soft ground"}`;
      return `${NAMES[mode]} this has a contrast of ${found.toFixed(1)} ${what}; ${least} is needed`;
    }
  return null;
}

/** The rules that put a house's accents in the place of the program's; "" where it has none. */
export function brandCss({ accentLight, accentDark }: Accents): string {
  const rules = (accent: string, mode: Mode) =>
    Object.entries(accentTokens(accent, mode))
      .map(([name, value]) => `--c-${name}:${value}`)
      .join(";");
  const day = accentLight ? `:root,[data-theme=light]{${rules(accentLight, "light")}}` : "";
  const night = rules(accentDark ?? palette.dark.accent, "dark");
  if (!accentLight && !accentDark) return "";
  return `${day}@media (prefers-color-scheme:dark){:root:not([data-theme=light]){${night}}}[data-theme=dark]{${night}}`;
}
