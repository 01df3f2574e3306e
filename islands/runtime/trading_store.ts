import "./trading_store_base";
import { batch, type Signal, signal } from "@preact/signals-react";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { type Financials, getFinancials, listAccounts, type TradingAccount } from "../../src/accounts/schema";
import { myStream } from "../../src/portal/schema";
import { type ClosedPosition, openPositions, type OrderType, type Position, positionHistory } from "../../src/trading/schema";
import { isWithin, type LeverageBounds, type Quote, type Side, stampOf } from "../../src/trading/rules_prices";
import { ApiError, call } from "../wire/api";
import { relisted, takeInstruments } from "./listed";
import { selectedSymbol } from "./selection";
import { listen, type StreamState } from "../wire/stream";
import { toast } from "../wire/toasts";

/** What the islands of a trading screen share, kept current by the person's stream. Null until the browser has taken over. */
export const positions = signal<Position[] | null>(null);
export const history = signal<ClosedPosition[] | null>(null);
export const accounts = signal<TradingAccount[] | null>(null);
export const financials = signal<Financials | null>(null);
/** The side that the order panel is set to. */
export const selectedSide = signal<Side>("buy");
/** An order that somebody asks the order panel to begin: from a price of the chart, say. Null once the panel has it. */
export const draftAsked = signal<{ orderType: OrderType; triggerPrice: string; side: Side } | null>(null);
/** Fills the order panel with an order that waits for `triggerPrice`, a decimal string; it is sent by its own button. */
export const draftOrder = (draft: { orderType: OrderType; triggerPrice: string; side: Side }) => void (draftAsked.value = draft);
/** On a phone: the order is written in a sheet over the page, which is open. */
export const sheetOpen = signal(false);
/** False while the stream is away: prices on the screen are then old. */
export const connected = signal(true);

/** As many closed positions as the server lists at once. */
export const HISTORY_PAGE = 100;

const quotes = new Map<string, Signal<Quote | null>>();
/** The newest quote of a symbol; its own signal, so that a tick touches only what shows that symbol. */
export function quoteOf(symbol: string): Signal<Quote | null> {
  const known = quotes.get(symbol);
  if (known) return known;
  const made = signal<Quote | null>(null);
  quotes.set(symbol, made);
  return made;
}

export type Start = {
  symbol?: string;
  positions?: Position[];
  history?: ClosedPosition[];
  accounts?: TradingAccount[];
  financials?: Financials;
  quotes?: (Quote | null)[];
};

type Notice = { title: string; message: string; kind: "info" | "warning" };
type Events = {
  snapshot: Quote[];
  quotes: Quote[];
  instruments: { lines: string };
  groups: Record<string, string>;
  leverage: LeverageBounds;
  position: Position;
  account: TradingAccount;
  purse: Financials;
  notice: Notice;
};

let members = 0;
let stop: (() => void) | null = null;
/** What the page knew is in the signals. */
const begun = signal(false);
let symbolGiven = false;
const never = () => () => {};

/**
 * Joins the store with what the page already knows, and follows the stream for as long as an island is there. False for the
 * first drawing, which must be the server's: draw from the props then, from the signals after. The component itself calls
 * `useSignals()`.
 */
export function useTradingStore(start: Start): boolean {
  const first = useRef(start);
  const inBrowser = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  useEffect(() => {
    begin(first.current);
    members += 1;
    stop ??= listen<Events>(
      myStream.path,
      {
        snapshot: renew,
        quotes: takeQuotes,
        instruments: takeInstruments,
        groups: takeGroups,
        leverage: takeLeverage,
        position: takePosition,
        account: takeAccount,
        purse: takeWallet,
        notice: tell,
      },
      watch,
    );
    return () => {
      members -= 1;
      if (members > 0) return;
      stop?.();
      stop = null;
    };
  }, []);
  // Whoever shows instruments is drawn anew when they are others.
  return relisted.value >= 0 && inBrowser && begun.value;
}

/** The first to know something sets it; what the stream said since is newer. */
export function begin(start: Start) {
  batch(() => {
    if (start.symbol && !symbolGiven) selectedSymbol.value = start.symbol;
    symbolGiven ||= start.symbol !== undefined;
    begun.value = true;
    if (start.positions) positions.value ??= start.positions;
    if (start.history) {
      historyOf = start.history[0]?.accountId ?? null;
      history.value ??= start.history;
    }
    if (start.accounts) accounts.value ??= start.accounts;
    if (start.financials) financials.value ??= start.financials;
    for (const quote of start.quotes ?? []) if (quote) quoteOf(quote.symbol).value ??= quote;
  });
}

/** An account of the page as it is by now: its group's terms may be others since it came. For a component that calls `useSignals()`. */
export const accountNow = <A extends { id: string }>(given: A, here: boolean): A | TradingAccount =>
  (here && accounts.value?.find(({ id }) => id === given.id)) || given;

/** Forgets everything; for tests. */
export function clearTradingStore() {
  batch(() => {
    for (const each of [positions, history, accounts, financials]) each.value = null;
    for (const quote of quotes.values()) quote.value = null;
    selectedSide.value = "buy";
    sheetOpen.value = false;
    connected.value = true;
    begun.value = false;
    symbolGiven = false;
    wasOpen = false;
  });
}

/** So many quotes are taken at once, and so long, in ms, is left between: on a weak phone all in one go would hold up the finger. */
const SLICE = 3;
const BETWEEN_MS = 32;
const untaken = new Map<string, Quote>();
let taking = false;

/** Takes the newest quote of each symbol, a few at a time, the chosen one first; never within a frame, which has enough to do. */
function takeQuotes(news: Quote[]) {
  for (const quote of news) untaken.set(quote.symbol, quote);
  if (!taking) takeSlice();
}

function takeSlice() {
  const first = untaken.get(selectedSymbol.peek());
  const slice = [...(first ? [first] : []), ...untaken.values()].slice(0, SLICE);
  batch(() => {
    for (const quote of slice) {
      untaken.delete(quote.symbol);
      quoteOf(quote.symbol).value = quote;
    }
  });
  taking = untaken.size > 0;
  if (taking) setTimeout(takeSlice, BETWEEN_MS);
}

/** So many changes were heard of: what was asked for before one of them may be older than it. */
let heard = 0;
/** A stream begins with every quote. The stream does not tell what happened before it connected, so that is fetched. */
function renew(news: Quote[]) {
  takeQuotes(news);
  if (positions.value) void refetch();
}

async function refetch() {
  const before = heard;
  try {
    const [open, own] = await Promise.all([call(openPositions), call(listAccounts)]);
    if (heard !== before) return void refetch();
    batch(() => {
      positions.value = open;
      accounts.value = own;
    });
    if (history.value) await fetchHistory();
  } catch (error) {
    report("positions could not be brought up to date", error);
  }
}

/** The account that the page trades on, whose history it shows. */
let historyOf: string | null = null;
/** Brings the closed positions of the page's account, where the page was made without them. Throws ApiError. */
export async function fetchHistory(accountId: string | null = historyOf): Promise<void> {
  historyOf = accountId;
  const before = heard;
  const found = await call(positionHistory, undefined, { query: { limit: String(HISTORY_PAGE), ...(accountId ? { accountId } : {}) } });
  if (heard !== before) return fetchHistory();
  history.value = found;
}

const isLive = (position: Position) => position.status === "open" || position.status === "pending";

/** Takes a position after a change, from the stream or as the answer to one's own action: whichever comes first. */
export function takePosition(news: Position) {
  heard += 1;
  batch(() => {
    const list = positions.value ?? [];
    const at = list.findIndex(({ id }) => id === news.id);
    if (!isLive(news)) positions.value = list.filter(({ id }) => id !== news.id);
    else if (at < 0) positions.value = [news, ...list];
    else positions.value = list.map((each) => (each.id === news.id ? news : each));
    if (news.status === "closed") takeClosed({ correction: null, ...news });
  });
}

function takeClosed(news: ClosedPosition) {
  if (!history.value) return;
  history.value = [news, ...history.value.filter(({ id }) => id !== news.id)];
}

/** Takes an account after a change, from the stream or as the answer to one's own action. */
export function takeAccount(news: TradingAccount) {
  heard += 1;
  const list = accounts.value ?? [];
  accounts.value = list.some(({ id }) => id === news.id) ? list.map((each) => (each.id === news.id ? news : each)) : [...list, news];
  if (!news.isDemo && financials.value) void refetchFinancials();
}

/** So long, in ms, do pages take at most to ask for other terms: all of a group hear of them at once. */
const APART_MS = 2_000;
/** The stamps of all groups' terms, by group: what an account is dealt at is asked for anew where its group's are others. */
function takeGroups(stamps: Record<string, string>) {
  renewAccounts((account) => stamps[account.accountTypeId] !== stampOf(account));
}

/** The leverage that one's country allows: what an account is dealt at is asked for anew where it says another. */
const takeLeverage = (bounds: LeverageBounds) => renewAccounts((account) => !isWithin(account, bounds));

function renewAccounts(isOld: (account: TradingAccount) => boolean) {
  if (accounts.value?.some((account) => account.status === "active" && isOld(account))) setTimeout(() => void refetch(), Math.random() * APART_MS);
}

/** The wallet moved, and with it perhaps a live account. */
function takeWallet(news: Financials) {
  heard += 1;
  balancesAsked += 1;
  financials.value = news;
  if (accounts.value ?? positions.value) void refetch();
}

/** How often the balances were asked for or told: an answer that was overtaken is older than what is shown. */
let balancesAsked = 0;
/** Reads the balances anew. Throws ApiError. */
export async function fetchFinancials(): Promise<void> {
  const turn = ++balancesAsked;
  const found = await call(getFinancials);
  if (turn === balancesAsked) financials.value = found;
}

async function refetchFinancials() {
  try {
    await fetchFinancials();
  } catch (error) {
    report("balances could not be brought up to date", error);
  }
}

/** Logs a failure, except a lost session, which the stream handles, and a lost connection, after which everything is fetched again. */
function report(what: string, error: unknown) {
  if (!(error instanceof ApiError && (error.status === 401 || error.status === 0))) console.error(what, error);
}

const tell = ({ title, message, kind }: Notice) => void toast({ title, description: message, variant: kind === "warning" ? "destructive" : "default" });

let wasOpen = false;
function watch(state: StreamState) {
  wasOpen ||= state === "open";
  connected.value = state === "open" || (state === "connecting" && !wasOpen);
}
