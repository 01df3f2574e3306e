import { priceText } from "../lib/money";
import { instrumentOf, instruments, isForex } from "../market/rules_listed";
import { digitsOf } from "../trading/rules_prices";
import { refusalOf } from "../platform/database/db";
import type { AppContext } from "../platform/app_context";
import { closeByEngine, closePosition, type DealQuote, openPosition } from "../trading/commands";
import { callMargin, stopOut } from "../trading/commands_margin";
import type { Position } from "../trading/schema";
import { pick, type Dice, between } from "./dice";
import type { ToldMarket } from "./market";
import type { Account, Trader } from "./people";
import { accountBalance } from "./queries";

type Held = { position: Position; trader: Trader };
const FAVOURITES = ["EUR/USD", "GBP/USD", "USD/JPY", "AUD/USD", "BTC/USD", "ETH/USD", "SOL/USD", "EUR/JPY"];

/** The deals of the months: opened by the traders, closed by them, by their stops and targets, or by their margin. */
export class Dealing {
  readonly open: Held[] = [];
  private readonly app: AppContext;
  private readonly market: ToldMarket;
  private readonly dice: Dice;
  deals = 0;

  constructor({ app, market, dice }: { app: AppContext; market: ToldMarket; dice: Dice }) {
    this.app = app;
    this.market = market;
    this.dice = dice;
  }

  /** The newest price of a symbol; null where its market is closed. */
  fresh = (symbol: string): DealQuote | null => {
    const quote = this.market.board.get(symbol);
    return quote && this.market.board.isOpen(symbol, this.market.clock()) ? { ...quote, ageMs: Math.floor(this.dice() * 400), chosenAt: Date.now() } : null;
  };

  /** Opens a position of a size that the account bears, most with a stop, many with a target. */
  async enter(trader: Trader, account: Account): Promise<void> {
    const { sql } = this.app;
    const symbol = this.dice() < 0.85 ? pick(this.dice, FAVOURITES) : pick(this.dice, instruments).symbol;
    const quote = this.fresh(symbol);
    const balance = await accountBalance(sql, account.id);
    if (!quote || balance < 50) return;
    const type = this.dice() < 0.55 ? "buy" : "sell";
    const amount = Math.max(100, Math.round((balance * between(this.dice, 0.5, 6)) / 100) * 100);
    const stop = this.dice() < 0.7 ? this.away(quote, type === "buy" ? -1 : 1) : null;
    const target = this.dice() < 0.5 ? this.away(quote, type === "buy" ? 1 : -1) : null;
    const order = {
      accountId: account.id,
      symbol,
      type,
      amount: amount.toFixed(2),
      stopLoss: stop,
      takeProfit: target,
      currentPrice: null,
      maxSlippage: null,
    } as const;
    const done = await unlessRefused(() => openPosition(sql, trader, order, true, quote, this.market.board.arrays(), null));
    if (!done || done.answer.status !== "open") return;
    this.deals++;
    this.open.push({ position: done.answer, trader });
  }

  /** What the new prices close by themselves, then what traders close of their own mind. */
  async settle(): Promise<void> {
    for (const held of [...this.open]) {
      const { position, trader } = held;
      const quote = this.fresh(position.symbol);
      if (!quote) continue;
      const reason = reached(position, quote);
      const closed = reason
        ? await unlessRefused(() => closeByEngine(this.app.sql, { positionId: position.id, reason, quote }))
        : this.dice() < 0.06
          ? await unlessRefused(() => closePosition(this.app.sql, trader.id, position.id, null, null, quote, null))
          : null;
      if (closed) this.drop(position.id);
    }
  }

  /** Margin calls and stop-outs, as they stand now. */
  async judge(): Promise<void> {
    const { sql } = this.app;
    for (const accountId of new Set(this.open.map(({ position }) => position.accountId))) {
      const own = this.open.filter(({ position }) => position.accountId === accountId);
      const quotes = own.flatMap(({ position }) => this.fresh(position.symbol) ?? []);
      const seq = this.market.board.newest;
      await callMargin(sql, accountId, { board: this.market.board.arrays(), seq });
      for (let n = 0; n < own.length; n++) {
        const out = await stopOut(sql, accountId, { board: this.market.board.arrays(), seq, quotes });
        if (!out) break;
        this.drop(out.closed.id);
      }
    }
  }

  /** No longer this engine's to close: somebody settled it. */
  drop(positionId: string): void {
    const at = this.open.findIndex(({ position }) => position.id === positionId);
    if (at >= 0) this.open.splice(at, 1);
  }

  /** A price so far off that days may pass before it comes. */
  private away({ symbol, bid, ask }: DealQuote, direction: 1 | -1): string {
    const instrument = instrumentOf(symbol);
    const share = instrument && isForex(instrument) ? between(this.dice, 0.003, 0.012) : between(this.dice, 0.02, 0.08);
    const point = 10 ** (8 - digitsOf(symbol));
    return priceText(Math.round((((bid + ask) / 2) * (1 + direction * share)) / point) * point);
  }
}

function reached({ type, stopLoss, takeProfit }: Position, { bid, ask }: DealQuote): "stop_loss" | "take_profit" | null {
  const buys = type === "buy";
  const price = Number(priceText(buys ? bid : ask));
  if (stopLoss !== null && (buys ? price <= Number(stopLoss) : price >= Number(stopLoss))) return "stop_loss";
  if (takeProfit !== null && (buys ? price >= Number(takeProfit) : price <= Number(takeProfit))) return "take_profit";
  return null;
}

/** What a rule refuses does not happen, here as in life: null then. */
export async function unlessRefused<T>(attempt: () => Promise<T>): Promise<T | null> {
  try {
    return await attempt();
  } catch (error) {
    if (refusalOf(error)) return null;
    throw error;
  }
}
