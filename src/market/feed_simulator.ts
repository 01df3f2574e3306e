import { PRICE_SCALE } from "../lib/money";
import { DAY, MINUTE, SECOND } from "../lib/time";
import { type Tick, midOf } from "./board";
import { type Feed, FEEDS } from "./feed";
import type { MarketHours } from "./hours";
import { randomFrom } from "./random";
import { listingOf, onListings } from "./listings";
import { type Instrument, instruments, isForex } from "./rules_listed";
import type { Listing } from "./schema_listings";

/** How far apart two steps of the simulated market are. */
export const STEP = 250;
const YEAR = 365 * DAY;

/** How much of a move is the whole market's: currencies against the dollar, coins with Bitcoin. */
const SHARED = { currency: 0.55, coin: 0.6 };
/** The pull back to the starting level, so that months of simulation stay plausible. */
const PULL = 1 / (30 * DAY);

/** Typical spreads of what has none of its own in pips, as a share of the price. */
const COIN_SPREAD = 0.0004;
const MAJOR_COIN_SPREAD = 0.0001;

/** The chance that an instrument ticks in a step, and the steps after which it ticks anyway, well before its quote turns stale. */
const CHANCE = { "forex-major": 0.35, "forex-minor": 0.15, crypto: 0.12 };
const QUIET_STEPS = (3 * SECOND) / STEP;

type Walker = { value: number; anchor: number; volatility: number; group: "currency" | "coin" };
type Line = { instrument: Instrument; spreadFactor: number; quietSteps: number };

/**
 * A market that never was: asset values walk geometrically with a shared factor, spreads breathe around their typical width. The same seed and
 * the same starting prices give the same prices. Without a seed each simulation takes a path of its own; neither its earlier prices nor
 * another run's reveal it.
 */
export class Simulation {
  private readonly random: () => number;
  private readonly walkers = new Map<string, Walker>();
  private lines: Line[] = [];

  /** `last`: the ticks to go on from, in any order; none at the very start. */
  constructor(seed: number | null, last: readonly Tick[] = []) {
    const mids = new Map(last.map((tick) => [tick.symbol, midOf(tick) / PRICE_SCALE]));
    this.random = randomFrom(seed, `prices after ${[...mids.entries()].sort().join()}`);
    this.relist(mids);
  }

  /** The instruments that it quotes: the listed ones whose currencies it knows. */
  get quoted(): Instrument[] {
    return this.lines.map(({ instrument }) => instrument);
  }

  /** Takes the instruments that are listed by now. What one of them brings begins at its last mid price, else where its listing says. */
  relist(mids: ReadonlyMap<string, number> = new Map()): void {
    const before = new Map(this.lines.map((line) => [line.instrument.symbol, line]));
    this.lines = [];
    for (const instrument of instruments) {
      const line = before.get(instrument.symbol) ?? { spreadFactor: 1, quietSteps: QUIET_STEPS };
      if (this.knows(instrument, mids.get(instrument.symbol))) this.lines.push({ ...line, instrument });
    }
  }

  /**
   * Whether both currencies are known; the one that is not comes with what the listing says of it. Pairs are quotients of currencies, so that
   * EUR/GBP always agrees with EUR/USD and GBP/USD.
   */
  private knows(instrument: Instrument, mid: number | undefined): boolean {
    const { symbol, base, quote } = instrument;
    const { start, volatility } = listingOf(symbol)?.simulator ?? {};
    const missing = [base, quote].filter((name) => name !== "USD" && !this.walkers.has(name));
    if (missing.length === 0) return listingOf(symbol)?.simulator !== null;
    const [name = ""] = missing;
    if (missing.length > 1 || start === undefined || volatility === undefined) return false;
    const usd = (price: number) => (name === base ? price * this.usd(quote) : this.usd(base) / price);
    this.walkers.set(name, { value: usd(mid ?? start), anchor: usd(start), volatility, group: isForex(instrument) ? "currency" : "coin" });
    return true;
  }

  /** Moves every asset on by `elapsed` milliseconds. */
  advance(elapsed: number): void {
    const shared = { currency: this.normal(), coin: this.normal() };
    for (const walker of this.walkers.values()) {
      const common = SHARED[walker.group];
      const shock = Math.sqrt(common) * shared[walker.group] + Math.sqrt(1 - common) * this.normal();
      const deviation = walker.volatility * Math.sqrt(elapsed / YEAR);
      const pull = Math.log(walker.anchor / walker.value) * PULL * elapsed;
      walker.value *= Math.exp(pull - deviation ** 2 / 2 + deviation * shock);
    }
  }

  /** One step of the market: the ticks that come of it, stamped `at`. Instruments for which `open` is false rest. */
  step(at: number, open: (instrument: Instrument) => boolean = () => true): Tick[] {
    this.advance(STEP);
    const ticks: Tick[] = [];
    for (const line of this.lines) {
      line.spreadFactor = Math.min(2.5, Math.max(0.6, line.spreadFactor + 0.02 * (1 - line.spreadFactor) + 0.04 * this.normal()));
      const drawn = this.random() < CHANCE[line.instrument.group];
      if (!open(line.instrument)) continue;
      if (!drawn && ++line.quietSteps < QUIET_STEPS) continue;
      line.quietSteps = 0;
      ticks.push(this.around(line.instrument, this.exactMid(line.instrument), at, line.spreadFactor));
    }
    return ticks;
  }

  /** The mid price in whole units of 10⁻⁸, on the instrument's last digit. */
  mid(instrument: Instrument): number {
    return onGrid(this.exactMid(instrument), instrument);
  }

  private exactMid({ base, quote }: Instrument): number {
    return (this.usd(base) / this.usd(quote)) * PRICE_SCALE;
  }

  private usd(name: string): number {
    return this.walkers.get(name)?.value ?? 1;
  }

  /** A tick of ordinary width around a mid price in whole units of 10⁻⁸. */
  around(instrument: Instrument, mid: number, at: number, spreadFactor = 1): Tick {
    const point = pointOf(instrument);
    const pips = listingOf(instrument.symbol)?.simulator?.spread ?? 0;
    const typical = pips * instrument.pipSize || mid * (isMajorCoin(instrument) ? MAJOR_COIN_SPREAD : COIN_SPREAD);
    const spread = Math.max(point, onGrid(typical * spreadFactor, instrument));
    const bid = Math.max(point, onGrid(mid - spread / 2, instrument));
    return { symbol: instrument.symbol, bid, ask: bid + spread, at };
  }

  /** A standard normal number (Box and Muller, 1958). */
  private normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.random())) * Math.cos(2 * Math.PI * this.random());
  }
}

/** Why the simulator could not quote what would be listed so, in a sentence; null where it can. */
export function simulatorLacks(symbol: string, { simulator }: Listing): string | null {
  if (simulator === null) return "It is the feed in use: say how the simulator begins.";
  const known = new Set(["USD"]);
  for (const each of instruments) if (each.symbol !== symbol && listingOf(each.symbol)?.simulator) known.add(each.base).add(each.quote);
  const missing = symbol.split("/").filter((name) => !known.has(name));
  if (missing.length > 1) return `The simulator knows neither ${missing.join(" nor ")}: list one of them against USD first.`;
  const begins = simulator.start !== undefined && simulator.volatility !== undefined;
  return missing.length === 0 || begins ? null : `The simulator does not know ${missing[0]} yet: say the first price, and the volatility of a year.`;
}

const isMajorCoin = ({ base }: Instrument) => base === "BTC" || base === "ETH";
/** One of the last quoted digit. */
const pointOf = ({ digits }: Instrument) => 10 ** (8 - digits);
const onGrid = (units: number, instrument: Instrument) => Math.round(units / pointOf(instrument)) * pointOf(instrument);

export type MinuteBar = { symbol: string; time: number; open: number; high: number; low: number; close: number };

const SAMPLES_PER_MINUTE = 4;

/** Minute bars for each full minute of [from, to), which move `simulation` on; the market goes on where the last bar closed. */
export function simulateHistory(simulation: Simulation, from: number, to: number, hours: MarketHours): MinuteBar[] {
  const bars: MinuteBar[] = [];
  const { quoted } = simulation;
  const last = new Map(quoted.map((instrument) => [instrument.symbol, simulation.mid(instrument)]));
  for (let time = Math.ceil(from / MINUTE) * MINUTE; time + MINUTE <= to; time += MINUTE) {
    const samples: number[][] = [];
    for (let sample = 0; sample < SAMPLES_PER_MINUTE; sample++) {
      simulation.advance(MINUTE / SAMPLES_PER_MINUTE);
      samples.push(quoted.map((instrument) => simulation.mid(instrument)));
    }
    quoted.forEach((instrument, index) => {
      const open = last.get(instrument.symbol) ?? simulation.mid(instrument);
      const path = [open, ...samples.map((mids) => mids[index] ?? open)];
      const close = path.at(-1) ?? open;
      last.set(instrument.symbol, close);
      if (hours(instrument, time)) bars.push({ symbol: instrument.symbol, time, open, high: Math.max(...path), low: Math.min(...path), close });
    });
  }
  return bars;
}

/** Simulated prices, labelled as such. */
export function simulatorFeed(simulation: Simulation, hours: MarketHours, clock: () => number): Feed {
  let timer: Timer | undefined;
  let unlisten = () => {};
  return {
    ...FEEDS.simulator,
    start(sink) {
      unlisten = onListings(() => simulation.relist());
      const step = () => {
        const at = clock();
        for (const tick of simulation.step(at, (instrument) => hours(instrument, at))) void sink.tick(tick);
      };
      step();
      timer = setInterval(step, STEP);
    },
    async stop() {
      unlisten();
      clearInterval(timer);
    },
  };
}
