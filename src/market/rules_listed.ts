/** How an instrument is dealt now, as far as pages and forms say it before an order; the database decides at the deal. Money is USD as decimal text. */
export type InstrumentTerms = {
  state: "tradable" | "close_only" | "shown" | "hidden";
  minimum: string | null;
  step: string | null;
  maximum: string | null;
  /** The most leverage, n of 1:n. */
  leverage: number | null;
  /** What an order asks for by its size, where that is more than one figure: above so many cents of it, hundredths of a per cent; from zero on. */
  steps: readonly { above: number; percent: number }[] | null;
  /** The side that can't be opened on live accounts, since the house takes no more of it. */
  barred: "buy" | "sell" | null;
  /** Pips that it adds to every account's spread. */
  markup: number | null;
  /** While a notice runs: what it added by earlier versions, by which what was opened on them is closed. */
  held: Readonly<Record<string, number>> | null;
};

export const instrumentGroups = ["forex-major", "forex-minor", "crypto"] as const;
export type InstrumentGroup = (typeof instrumentGroups)[number];
export type Instrument = {
  readonly symbol: string;
  readonly name: string;
  readonly group: InstrumentGroup;
  /** Currency bought and currency paid. */
  readonly base: string;
  readonly quote: string;
  /** Decimals of a quoted price. */
  readonly digits: number;
  /** One pip in whole units of 10⁻⁸. */
  readonly pipSize: number;
  /** Undefined where it is dealt as instruments are. */
  readonly terms: InstrumentTerms | undefined;
};

/** Every instrument, in the order in which lists show them: as the database has them, from which a program keeps them, and a browser from its page. */
export let instruments: readonly Instrument[] = [];
let bySymbol: ReadonlyMap<string, Instrument> = new Map();
let text = "";

/** Takes these in the place of those before, written by `lineOf`. */
export function holdInstruments(lines: string): void {
  if (lines === text) return;
  text = lines;
  instruments = lines === "" ? [] : lines.split("\n").map(instrumentIn);
  bySymbol = new Map(instruments.map((each) => [each.symbol, each]));
}
/** The same lines, for the first element of a page, from which its islands read them. */
export const heldInstruments = (): string => text;

/** A pip is ten of the last digit, where nothing else is said. */
const usualPip = (digits: number) => 10 ** (9 - digits);

/**
 * An instrument in a line: no quotation marks, of which each would be six letters in a page, but in terms, which few have; the group by its place,
 * and of pips the unusual alone, since a page has to travel in few packets.
 */
export const lineOf = ({ symbol, digits, pipSize, group, name, terms }: Omit<Instrument, "base" | "quote">): string =>
  [
    symbol,
    digits,
    instrumentGroups.indexOf(group),
    name,
    ...(pipSize !== usualPip(digits) || terms ? [pipSize] : []),
    ...(terms ? [JSON.stringify(terms)] : []),
  ].join("|");

function instrumentIn(line: string): Instrument {
  const [symbol = "", written, group, name = "", pip, terms] = line.split("|");
  const digits = Number(written);
  const [base = "", quote = ""] = symbol.split("/");
  return {
    ...{ symbol, name, base, quote },
    group: instrumentGroups[Number(group)] ?? "crypto",
    digits,
    pipSize: pip === undefined ? usualPip(digits) : Number(pip),
    terms: terms === undefined ? undefined : (JSON.parse(terms) as InstrumentTerms),
  };
}

if (typeof document !== "undefined") holdInstruments(document.documentElement.dataset.instruments ?? "");

/** The instrument of that symbol, or undefined: a symbol comes from people. */
export const instrumentOf = (symbol: string): Instrument | undefined => bySymbol.get(symbol);
export const isForex = (each: Instrument): boolean => each.group !== "crypto";

/** The pip that a tier's spread counts in, in units of 10⁻⁸; 0 where none applies: for coins. */
export function pipOf(symbol: string): number {
  const instrument = instrumentOf(symbol);
  return instrument && isForex(instrument) ? instrument.pipSize : 0;
}

/** The coins, which the signed-in home lists. */
export const isListedCoin = (symbol: string): boolean => instrumentOf(symbol)?.group === "crypto";

const AMONG_PAIRS = "BNB DOGE SHIB TRX ATOM UNI FIL ALGO VET ICP".split(" ");

/** The portal's Cryptocurrency list; these coins and every other instrument stand in its Forex Watchlist. */
export const inCryptoGroup = (symbol: string): boolean => isListedCoin(symbol) && !AMONG_PAIRS.includes(symbol.split("/")[0] ?? "");
