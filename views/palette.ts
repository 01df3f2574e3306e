/**
 * The colours of the site, by day and by night. Components name a token (`bg-paper`, `text-soft`), never a value;
 * `theme.test.ts` computes the contrast of every pair that is put together.
 */
export const palette = {
  light: {
    paper: "#fbfaf7",
    surface: "#ffffff",
    sunken: "#f3f1eb",
    ink: "#0b1b2b",
    soft: "#4c5b6a",
    line: "#dedad0",
    control: "#7b8793",
    accent: "#0b5fcc",
    "on-accent": "#ffffff",
    "accent-soft": "#e5eefb",
    gain: "#0a7f57",
    "gain-soft": "#ebf7f2",
    loss: "#c42f21",
    "loss-soft": "#fcebe9",
    warn: "#855600",
    "warn-soft": "#fdf2dc",
  },
  dark: {
    paper: "#0a1420",
    surface: "#101d2b",
    sunken: "#060f19",
    ink: "#e8edf2",
    soft: "#a2b0bf",
    line: "#223242",
    control: "#66798c",
    accent: "#6aa9ff",
    "on-accent": "#06121f",
    "accent-soft": "#122a49",
    gain: "#3ecf9a",
    "gain-soft": "#0c2e26",
    loss: "#ff7a6b",
    "loss-soft": "#391a19",
    warn: "#f2b84b",
    "warn-soft": "#32260f",
  },
} as const;

export type Token = keyof typeof palette.light;

/** Which text (or mark) stands on which ground, and the contrast WCAG AA asks of it. */
export const pairs: { text: Token; on: Token[]; least: number }[] = [
  { text: "ink", on: ["paper", "surface", "sunken", "accent-soft", "gain-soft", "loss-soft", "warn-soft"], least: 4.5 },
  { text: "soft", on: ["paper", "surface", "sunken", "accent-soft"], least: 4.5 },
  { text: "accent", on: ["paper", "surface", "sunken", "accent-soft"], least: 4.5 },
  { text: "on-accent", on: ["accent"], least: 4.5 },
  { text: "paper", on: ["ink", "gain", "loss"], least: 4.5 },
  { text: "gain", on: ["paper", "surface", "gain-soft"], least: 4.5 },
  { text: "loss", on: ["paper", "surface", "loss-soft"], least: 4.5 },
  { text: "warn", on: ["paper", "surface", "warn-soft"], least: 4.5 },
  { text: "control", on: ["paper", "surface", "sunken"], least: 3 },
];
