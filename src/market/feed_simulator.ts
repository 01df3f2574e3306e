import { PRICE_SCALE } from "../lib/money";
import { DAY, MINUTE, SECOND } from "../lib/time";
import { type Tick, midOf } from "./board";
import { type Feed, FEEDS } from "./feed";
import type { MarketHours } from "./hours";
import { randomFrom } from "./random";
import { type Instrument, instruments, isForex } from "./schema";

/** How far apart two steps of the simulated market are. */
export const STEP = 250;
const YEAR = 365 * DAY;

/** Where an asset starts, in US dollars, and its yearly volatility. */
type Asset = { usd: number; volatility: number };
const asset = (usd: number, volatility: number): Asset => ({ usd, volatility });

/**
 * Pairs are quotients of these, so that EUR/GBP always agrees with EUR/USD and GBP/USD. Levels and volatilities are
 * of the order seen in 2025.
 */
const ASSETS = new Map([
  ["EUR", asset(1.0842, 0.07)],
  ["GBP", asset(1.2715, 0.08)],
  ["JPY", asset(1 / 151.2, 0.1)],
  ["AUD", asset(0.6584, 0.1)],
  ["CHF", asset(1 / 0.8826, 0.08)],
  ["CAD", asset(1 / 1.3645, 0.065)],
  ["NZD", asset(0.6012, 0.105)],
  ["BTC", asset(97_250, 0.5)],
  ["ETH", asset(3_420, 0.65)],
  ["LTC", asset(92.4, 0.75)],
  ["XRP", asset(2.18, 0.8)],
  ["ADA", asset(0.742, 0.85)],
  ["DOT", asset(6.35, 0.85)],
  ["LINK", asset(18.4, 0.85)],
  ["AVAX", asset(31.2, 0.9)],
  ["SOL", asset(188.5, 0.8)],
  ["MATIC", asset(0.485, 0.9)],
  ["BNB", asset(642, 0.55)],
  ["DOGE", asset(0.2145, 0.95)],
  ["SHIB", asset(0.00001834, 0.95)],
  ["TRX", asset(0.2462, 0.6)],
  ["ATOM", asset(6.12, 0.85)],
  ["UNI", asset(9.85, 0.9)],
  ["FIL", asset(4.75, 0.9)],
  ["ALGO", asset(0.2815, 0.9)],
  ["VET", asset(0.0384, 0.95)],
  ["ICP", asset(9.64, 0.9)],
]);

/** How much of a move is the whole market's: currencies against the dollar, coins with Bitcoin. */
const SHARED = { currency: 0.55, coin: 0.6 };
/** The pull back to the starting level, so that months of simulation stay plausible. */
const PULL = 1 / (30 * DAY);

/** Typical spread in pips; coins quote theirs as a share of the price. */
const SPREADS = new Map([
  ["EUR/USD", 0.6],
  ["GBP/USD", 0.9],
  ["USD/JPY", 0.8],
  ["AUD/USD", 0.8],
  ["USD/CHF", 1.1],
  ["USD/CAD", 1.1],
  ["NZD/USD", 1.2],
  ["EUR/GBP", 1.0],
  ["EUR/JPY", 1.3],
  ["GBP/JPY", 2.0],
  ["AUD/JPY", 1.6],
  ["EUR/CHF", 1.4],
  ["EUR/AUD", 1.9],
  ["GBP/CHF", 2.1],
  ["CAD/JPY", 1.8],
]);
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
  private readonly lines: Line[];

  /** `last`: the ticks to go on from, in any order; none at the very start. */
  constructor(seed: number | null, last: readonly Tick[] = []) {
    const mids = new Map(last.map((tick) => [tick.symbol, midOf(tick) / PRICE_SCALE]));
    this.random = randomFrom(seed, `prices after ${[...mids.entries()].sort().join()}`);
    for (const [name, { usd, volatility }] of ASSETS) {
      const inverse = mids.get(`USD/${name}`);
      const value = mids.get(`${name}/USD`) ?? (inverse === undefined ? usd : 1 / inverse);
      this.walkers.set(name, { value, anchor: usd, volatility, group: isCurrency(name) ? "currency" : "coin" });
    }
    this.lines = instruments.map((instrument) => ({ instrument, spreadFactor: 1, quietSteps: QUIET_STEPS }));
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
    const point = instrument.pipSize / 10;
    const typical = (SPREADS.get(instrument.symbol) ?? 0) * instrument.pipSize || mid * (isMajorCoin(instrument) ? MAJOR_COIN_SPREAD : COIN_SPREAD);
    const spread = Math.max(point, onGrid(typical * spreadFactor, instrument));
    const bid = Math.max(point, onGrid(mid - spread / 2, instrument));
    return { symbol: instrument.symbol, bid, ask: bid + spread, at };
  }

  /** A standard normal number (Box and Muller, 1958). */
  private normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.random())) * Math.cos(2 * Math.PI * this.random());
  }
}

const CURRENCIES = new Set(instruments.filter(isForex).flatMap(({ base, quote }) => [base, quote]));
const isCurrency = (name: string) => CURRENCIES.has(name);
const isMajorCoin = ({ base }: Instrument) => base === "BTC" || base === "ETH";
const onGrid = (units: number, { pipSize }: Instrument) => Math.round(units / (pipSize / 10)) * (pipSize / 10);

export type MinuteBar = { symbol: string; time: number; open: number; high: number; low: number; close: number };

const SAMPLES_PER_MINUTE = 4;

/** Minute bars for each full minute of [from, to), which move `simulation` on; the market goes on where the last bar closed. */
export function simulateHistory(simulation: Simulation, from: number, to: number, hours: MarketHours): MinuteBar[] {
  const bars: MinuteBar[] = [];
  const last = new Map(instruments.map((instrument) => [instrument.symbol, simulation.mid(instrument)]));
  for (let time = Math.ceil(from / MINUTE) * MINUTE; time + MINUTE <= to; time += MINUTE) {
    const samples: number[][] = [];
    for (let sample = 0; sample < SAMPLES_PER_MINUTE; sample++) {
      simulation.advance(MINUTE / SAMPLES_PER_MINUTE);
      samples.push(instruments.map((instrument) => simulation.mid(instrument)));
    }
    instruments.forEach((instrument, index) => {
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
  return {
    ...FEEDS.simulator,
    symbols: instruments.map(({ symbol }) => symbol),
    start(sink) {
      const step = () => {
        const at = clock();
        for (const tick of simulation.step(at, (instrument) => hours(instrument, at))) void sink.tick(tick);
      };
      step();
      timer = setInterval(step, STEP);
    },
    async stop() {
      clearInterval(timer);
    },
  };
}
