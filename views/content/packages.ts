/** The tiers as the landing page shows them; minimum deposits in whole dollars, spreads in pips. */
export type Package = { tier: string; minimum: string; spread: string; leverage: string; extras: string[]; popular?: boolean };

const ALL = ["Live chart support", "All platforms"];

export const packages: Package[] = [
  { tier: "Starter", minimum: "$1,000", spread: "3.3", leverage: "1:500", extras: ALL },
  { tier: "Bronze", minimum: "$5,000", spread: "2.2", leverage: "1:700", extras: ["Education tools", ...ALL] },
  { tier: "Silver", minimum: "$20,000", spread: "1.5", leverage: "1:1000", extras: ["Technical analysis report", ...ALL] },
  { tier: "Gold", minimum: "$50,000", spread: "1.0", leverage: "1:3000", extras: ["Market update emails", ...ALL], popular: true },
  { tier: "Platinum", minimum: "$75,000", spread: "0.5", leverage: "1:5000", extras: ["Market update emails", ...ALL] },
];

/** What the landing page counts; the signed-in home page shows figures of its own. */
export const figures: { value: string; label: string }[] = [
  { value: "5+", label: "years on the market" },
  { value: "1000+", label: "active clients" },
  { value: "500+", label: "withdrawals" },
  { value: "50+", label: "events" },
  { value: "100+", label: "tradable assets" },
];

/** `planned`: named by us and not connected yet, which the page says. */
export const platforms: { name: string; text: string; planned?: boolean }[] = [
  { name: "MetaTrader 4", text: "The classic, for those who know it by heart.", planned: true },
  { name: "MetaTrader 5", text: "More time frames, more order types, the same hand.", planned: true },
  { name: "WebTrader", text: "In this browser, with nothing to install." },
  { name: "Mobile App", text: "The same accounts in your pocket." },
];

export type Slide = { title: string; highlight: string; subtitle: string; cta: string; link: string };

/** The slides that are always there; an offer comes between them. */
const SLIDES: [Slide, Slide] = [
  {
    title: "Learn to read the market, then",
    highlight: "trade it.",
    subtitle: "Award-winning trading education, live seminars and training, and a demo account with $10,000 of virtual money from the first minute.",
    cta: "Register Now",
    link: "/register",
  },
  {
    title: "Currencies and coins,",
    highlight: "around the clock.",
    subtitle: "150+ active markets and 24/7 trading, with spreads from 0.5 pips and a receipt for every fill.",
    cta: "Register Now",
    link: "/register",
  },
];

export const slidesWith = (offer: Slide | null): Slide[] => (offer ? [SLIDES[0], offer, SLIDES[1]] : SLIDES);
