import type { Market } from "../market/market";
import type { AppContext } from "../platform/app_context";
import { AlertEngine } from "./engine";

/** The alerts' engine, which runs where this program leads. */
export class Alerts {
  private engine: AlertEngine | null = null;

  constructor(
    private readonly app: AppContext,
    private readonly market: Market,
  ) {}

  /** How many are watched here: none where another program leads. */
  get watched(): number {
    return this.engine?.watched ?? 0;
  }

  /** Runs the engine from here on, as the leader in this epoch. Call it before the feed starts. */
  async lead(epoch: number, onDeposed: () => void): Promise<void> {
    const { engineSql: sql, bus, log } = this.app;
    const engine = new AlertEngine({ sql, market: this.market, bus, log, epoch, onDeposed });
    this.engine = engine;
    await engine.start();
  }

  /** Lets the engine rest: what is being written is finished. */
  async rest(): Promise<void> {
    const ended = this.engine;
    this.engine = null;
    await ended?.stop();
  }

  /** Resolves when nothing that fired waits to be written. */
  async idle(): Promise<void> {
    await this.engine?.idle();
  }
}
