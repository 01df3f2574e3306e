import { type Position, positionHistory } from "../../src/trading/schema";
import { fetchHistory, HISTORY_PAGE, history } from "../runtime/trading_store";
import { ApiError, call } from "../wire/api";
import { tellRefusal } from "../wire/attempt";
import { newestGap, type Span } from "./fill_spans";

const UNHAD = "Past fills could not be loaded";
/** So many calls at most for what is shown at once; where that is not all of it, a move of the chart goes on from there. */
const MOST_PAGES = 5;
/** Once the chart has rested so long, in ms. */
const REST_MS = 200;
/** Between a failure and the next try; each time twice as long, up to the other. In ms. */
const PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;

/** What is shown, and with what stands to both sides of it, which is fetched along. */
type Wanted = { symbol: string; shown: Span; around: Span };

/** Fetches an account's closed positions that were dealt in the time shown, each stretch of it once; what fails is tried again. */
export class FillPages {
  private of: string | undefined;
  private covered: Span[] = [];
  /** A stretch that was begun: the last one had from it, and when that was closed, in seconds. */
  private begun: { gap: Span; cursor: string; at: number } | null = null;
  private pages = 0;
  private failures = 0;
  private isAsking = false;
  private isOver = false;
  private next: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly accountId: string,
    /** Null while nothing is shown. */
    private readonly wanted: () => Wanted | null,
    private readonly found: (positions: readonly Position[]) => void,
  ) {
    this.moved();
  }

  /** Other candles are shown. */
  moved() {
    this.pages = 0;
    this.lookIn(REST_MS);
  }

  close() {
    this.isOver = true;
    clearTimeout(this.next);
  }

  private lookIn(ms: number) {
    clearTimeout(this.next);
    this.next = setTimeout(() => void this.look(), ms);
  }

  private async look() {
    if (this.isAsking) return;
    this.isAsking = true;
    try {
      // What is closed from now on is told to the store, once it has what was before.
      if (!history.peek()) await fetchHistory(this.accountId);
      while (!this.isOver && this.pages < MOST_PAGES && (await this.fetchNext()));
      this.failures = 0;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // Once, however often it fails.
      if (this.failures === 0) tellRefusal(UNHAD, error);
      if (!this.isOver) this.lookIn(Math.min(PAUSE_MS * 2 ** this.failures, LONGEST_PAUSE_MS));
      this.failures += 1;
    } finally {
      this.isAsking = false;
    }
  }

  /** One page of what is missing, the newest first. False where nothing is. */
  private async fetchNext(): Promise<boolean> {
    const wanted = this.wanted();
    if (!wanted) return false;
    if (this.of !== wanted.symbol) {
      this.of = wanted.symbol;
      this.covered = [];
      this.begun = null;
    }
    const { symbol, shown, around } = wanted;
    const { begun } = this;
    // Another part is shown by now.
    if (begun && (begun.gap.from >= shown.to || Math.min(begun.at, begun.gap.to) < shown.from)) this.leave(begun);
    const gap = this.begun?.gap ?? (newestGap(shown, this.covered) && newestGap(around, this.covered));
    if (!gap) return false;
    const found = await call(positionHistory, undefined, {
      query: {
        ...{ limit: String(HISTORY_PAGE), accountId: this.accountId, symbol, since: String(gap.from) },
        ...(gap.to === Infinity ? {} : { until: String(gap.to) }),
        ...(this.begun ? { cursor: this.begun.cursor } : {}),
      },
    });
    this.pages += 1;
    const last = found.at(-1);
    if (last?.closedAt && found.length === HISTORY_PAGE) this.begun = { gap, cursor: `${last.closedAt}_${last.id}`, at: Date.parse(last.closedAt) / 1000 };
    else {
      this.begun = null;
      this.covered.push(gap);
    }
    if (!this.isOver) this.found(found);
    return true;
  }

  /** Of a stretch that is left, what was closed later than the last one had is there. */
  private leave({ gap, at }: { gap: Span; at: number }) {
    this.begun = null;
    const from = Math.floor(at) + 1;
    if (from < gap.to) this.covered.push({ from: Math.max(from, gap.from), to: gap.to });
  }
}
