/** Flags that stripes, a cross or a disc can draw, by country: colours of the stripes from the top, or from the staff. Others show their code alone. */
type FlagDrawing = {
  stripes: "across" | "down";
  colours: string[];
  cross?: string[];
  disc?: string;
  /** What lies on it: a colour and the path it fills, on 20 × 14. */
  over?: [colour: string, path: string][];
};

const across = (...colours: string[]): FlagDrawing => ({ stripes: "across", colours });
const down = (...colours: string[]): FlagDrawing => ({ stripes: "down", colours });
/** Nordic: the field, the cross, and the cross within it. */
const nordic = (field: string, ...cross: string[]): FlagDrawing => ({ stripes: "across", colours: [field], cross });
const disc = (field: string[], colour: string): FlagDrawing => ({ stripes: "across", colours: field, disc: colour });

const over = (field: FlagDrawing, ...parts: [string, string][]): FlagDrawing => ({ ...field, over: parts });

export const flags: Record<string, FlagDrawing> = {
  AM: across("#d90012", "#0033a0", "#f2a800"),
  AR: disc(["#74acdf", "#ffffff", "#74acdf"], "#f6b40e"),
  AT: across("#c8102e", "#ffffff", "#c8102e"),
  BD: disc(["#006a4e"], "#f42a41"),
  BE: down("#000000", "#fdda24", "#ef3340"),
  BG: across("#ffffff", "#00966e", "#d62612"),
  BR: over(across("#009739"), ["#fedd00", "M10 1.5 18 7l-8 5.5L2 7z"], ["#012169", "M10 4a3 3 0 1 1 0 6 3 3 0 0 1 0-6z"]),
  BO: across("#d52b1e", "#f9e300", "#007934"),
  CA: over(down("#d80621", "#ffffff", "#ffffff", "#d80621"), [
    "#d80621",
    "M10 2.5l1.2 2.2 2-.4-.6 2.4 1.6 1.1-3.4 1.5V12h-1.6V9.3L5.8 7.8l1.6-1.1-.6-2.4 2 .4z",
  ]),
  CH: over(across("#da291c"), ["#ffffff", "M8.5 3h3v2.5H14v3h-2.5V11h-3V8.5H6v-3h2.5z"]),
  CN: over(across("#ee1c25"), ["#ffff00", "M4.5 2l.8 2.3h2.4l-2 1.4.8 2.3-2-1.4-2 1.4.8-2.3-2-1.4h2.4z"]),
  CI: down("#ff8200", "#ffffff", "#009a44"),
  CO: across("#fcd116", "#fcd116", "#003893", "#ce1126"),
  CZ: over(across("#ffffff", "#d7141a"), ["#11457e", "M0 0l10 7-10 7z"]),
  DE: across("#000000", "#dd0000", "#ffce00"),
  DK: nordic("#c8102e", "#ffffff"),
  EG: across("#ce1126", "#ffffff", "#000000"),
  EE: across("#0072ce", "#000000", "#ffffff"),
  ES: across("#aa151b", "#f1bf00", "#f1bf00", "#aa151b"),
  FI: nordic("#ffffff", "#002f6c"),
  FR: down("#002654", "#ffffff", "#ce1126"),
  GB: over(
    across("#012169"),
    ["#ffffff", "M0 0h2.5L20 12.25V14h-2.5L0 1.75zM20 0h-2.5L0 12.25V14h2.5L20 1.75zM8 0h4v14H8zM0 5h20v4H0z"],
    ["#c8102e", "M8.8 0h2.4v14H8.8zM0 5.8h20v2.4H0z"],
  ),
  GR: over(across("#0d5eaf", "#ffffff", "#0d5eaf", "#ffffff", "#0d5eaf"), ["#0d5eaf", "M0 0h8v8.4H0z"], ["#ffffff", "M3.2 0h1.6v8.4H3.2zM0 3.4h8V5H0z"]),
  GN: down("#ce1126", "#fcd116", "#009460"),
  HU: across("#ce2939", "#ffffff", "#477050"),
  ID: across("#ce1126", "#ffffff"),
  IE: down("#169b62", "#ffffff", "#ff883e"),
  IN: disc(["#ff9933", "#ffffff", "#138808"], "#000080"),
  IS: nordic("#02529c", "#ffffff", "#dc1e35"),
  IT: down("#009246", "#ffffff", "#ce2b37"),
  JP: disc(["#ffffff"], "#bc002d"),
  LT: across("#fdb913", "#006a44", "#c1272d"),
  LU: across("#ed2939", "#ffffff", "#00a1de"),
  LV: across("#9e3039", "#9e3039", "#ffffff", "#9e3039", "#9e3039"),
  MC: across("#ce1126", "#ffffff"),
  ML: down("#14b53a", "#fcd116", "#ce1126"),
  MU: across("#ea2839", "#1a206d", "#ffd500", "#00a551"),
  MX: over(down("#006341", "#ffffff", "#c8102e"), ["#8c6239", "M10 5a2 2 0 1 1 0 4 2 2 0 0 1 0-4z"]),
  NG: down("#008751", "#ffffff", "#008751"),
  NL: across("#ae1c28", "#ffffff", "#21468b"),
  NO: nordic("#ba0c2f", "#ffffff", "#00205b"),
  PE: down("#d91023", "#ffffff", "#d91023"),
  PL: across("#ffffff", "#dc143c"),
  PT: over(down("#006600", "#006600", "#ff0000", "#ff0000", "#ff0000"), ["#ffcc00", "M8 4.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5z"]),
  RO: down("#002b7f", "#fcd116", "#ce1126"),
  RU: across("#ffffff", "#0039a6", "#d52b1e"),
  SE: nordic("#006aa7", "#fecc00"),
  SG: across("#ee2536", "#ffffff"),
  SK: across("#ffffff", "#0b4ea2", "#ee1c25"),
  TD: down("#002664", "#fecb00", "#c60c30"),
  TH: across("#a51931", "#f4f5f8", "#2d2a4a", "#2d2a4a", "#f4f5f8", "#a51931"),
  TR: over(across("#e30a17"), [
    "#ffffff",
    "M8 3.5a3.5 3.5 0 1 0 2.6 5.8A2.8 2.8 0 1 1 10.6 4.7 3.5 3.5 0 0 0 8 3.5zM12.5 5.7l.4 1 1 .1-.8.7.3 1-.9-.6-.9.6.3-1-.8-.7 1-.1z",
  ]),
  UA: across("#0057b7", "#ffd700"),
  US: over(
    across("#b22234", "#ffffff", "#b22234", "#ffffff", "#b22234", "#ffffff", "#b22234"),
    ["#3c3b6e", "M0 0h9v8H0z"],
    ["#ffffff", "M1.5 1.5h1v1h-1zM4 1.5h1v1H4zM6.5 1.5h1v1h-1zM2.75 3.5h1v1h-1zM5.25 3.5h1v1h-1zM1.5 5.5h1v1h-1zM4 5.5h1v1H4zM6.5 5.5h1v1h-1z"],
  ),
  VN: over(across("#da251d"), ["#ffff00", "M10 3l1 2.8h3l-2.4 1.8.9 2.9L10 8.8l-2.5 1.7.9-2.9L6 5.8h3z"]),
  YE: across("#ce1126", "#ffffff", "#000000"),
};
