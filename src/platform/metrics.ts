import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { Afterwards } from "./afterwards";

type Read = () => number | Promise<number>;
type ReadMany = () => Iterable<readonly [label: string, value: number]> | Promise<Iterable<readonly [label: string, value: number]>>;

const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const LAG_EVERY_MS = 500;

/**
 * What the program counts of itself, in Prometheus' text form (https://prometheus.io/docs/instrumenting/exposition_formats).
 * Durations are seconds, sizes bytes. What a domain knows anyway is read when somebody asks; only what happens in between
 * is counted as it happens.
 */
export class Metrics {
  private readonly registry = new Registry();
  private readonly requests = new Histogram({
    name: "halyard_http_request_seconds",
    help: "Time to an answer's headers by route and status; kept pages are counted apart.",
    labelNames: ["method", "route", "status"],
    buckets: SECONDS,
    registers: [this.registry],
  });
  private readonly refusals = new Counter({
    name: "halyard_refusals_total",
    help: "Calls that a rule refused, by route and the refusal's code.",
    labelNames: ["route", "code"],
    registers: [this.registry],
  });
  private readonly lag = new Histogram({
    name: "halyard_event_loop_delay_seconds",
    help: "How late a timer rang that is due twice a second: what everything in this process waits.",
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
    registers: [this.registry],
  });
  private readonly timer: Timer;
  /** What was answered, to be counted when the answer has left. */
  private readonly counts = new Afterwards();

  constructor() {
    let due = performance.now() + LAG_EVERY_MS;
    this.timer = setInterval(() => {
      const now = performance.now();
      this.lag.observe(Math.max(0, now - due) / 1000);
      due = now + LAG_EVERY_MS;
    }, LAG_EVERY_MS);
    this.timer.unref();
  }

  answered(method: string, route: string, status: number, seconds: number): void {
    this.counts.add(() => this.requests.observe({ method, route, status }, seconds));
  }
  refused(route: string, code: string): void {
    this.refusals.inc({ route, code });
  }

  /** How many calls were refused with this code so far, at routes that the pattern fits. */
  async refusedAt(code: string, routes: RegExp): Promise<number> {
    const { values } = await this.refusals.get();
    return values.reduce((sum, { labels, value }) => (labels.code === code && routes.test(String(labels.route)) ? sum + value : sum), 0);
  }

  /** A value that is read when somebody asks. */
  gauge(name: string, help: string, read: Read): void {
    this.add(name, help, async (gauge) => gauge.set(await read()));
  }
  /** The same, one value for each label. */
  gauges(name: string, help: string, label: string, read: ReadMany): void {
    this.add(
      name,
      help,
      async (gauge) => {
        gauge.reset();
        for (const [each, value] of await read()) gauge.set({ [label]: each }, value);
      },
      [label],
    );
  }
  /** A count that somebody else keeps and that only grows. */
  count(name: string, help: string, read: () => number): void {
    const counter: Counter = new Counter({
      name,
      help,
      registers: [this.registry],
      collect: () => {
        counter.reset();
        counter.inc(read());
      },
    });
  }

  /** Everything, for a scraper. The library writes `Nan` where the format says `NaN`. */
  async text(): Promise<string> {
    this.counts.catchUp();
    return (await this.registry.metrics()).replaceAll(/ Nan$/gm, " NaN");
  }
  readonly contentType = this.registry.contentType;

  close(): void {
    clearInterval(this.timer);
  }

  /** A source that fails leaves its own value out (as NaN), never the others. */
  private add(name: string, help: string, collect: (gauge: Gauge) => Promise<void>, labelNames: string[] = []): void {
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames,
      registers: [this.registry],
      collect: () =>
        collect(gauge).catch(() => {
          gauge.reset();
          if (labelNames.length === 0) gauge.set(Number.NaN);
        }),
    });
  }
}
