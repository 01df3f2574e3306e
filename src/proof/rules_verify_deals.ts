import { decimal, decimalText, dollars, halfAway, roundedUp, signed } from "./rules_decimals";
import { type Dealt, NoProof, type PositionFile } from "./rules_files";
import { checkTick, included, includedAs, type Known, refuseTwice } from "./rules_verify_log";
import { checkBound, checkLeverage, checkMargin, checkSteps, saidIn } from "./rules_verify_margin";
import { checkNights, checkRates, isTermsOf } from "./rules_verify_nights";
import type { Report } from "./rules_verify_report";
import type { LogRecord, Proof, Tick } from "./schema";

/** Recomputes what a position's records say: its prices from the ticks and the terms, margin, slippage and result from the prices. All in whole numbers. */

type Fill = LogRecord<"fill">;
type Exit = LogRecord<"exit">;

/** Places of prices and of money. */
const PRICE = 8;
const MONEY = 2;
/** A commission is so much for each 100,000 USD of a side: cents times cents, by so many. */
const COMMISSION_PER = 10_000_000n;
const units = (price: string) => decimal(price, PRICE);
const cents = (money: string) => decimal(money, MONEY);

/** Checks a position's file; the words that head what was found. */
export function checkPosition({ opening, closing, others, lost = [] }: PositionFile, known: Known, report: Report): string {
  if (!opening && !closing && others.length === 0) throw new NoProof("The file holds no record.");
  refuseTwice([...[opening, closing].flatMap((dealt) => (dealt ? [dealt.proof] : [])), ...others], report);
  const fill = opening && checkDealt("fill", opening, known, report, "The opening");
  const exit = closing && checkDealt("exit", closing, known, report, "The closing");
  if (fill) checkFill(fill, report);
  if (exit) checkExit(exit, report);
  if (fill && exit) checkTogether(fill, exit, report);
  const told = fill ?? exit;
  const nights = others.flatMap(({ record }) => (record.kind === "swap" ? [record] : []));
  const found = others.map((proof) => checkOther(proof, [fill, exit], nights, known, report));
  for (const deal of [fill, exit]) if (deal) checkNamed(deal, found, report);
  if (exit) checkSettled(exit, found, report);
  const charged = found.filter((record) => record?.kind === "swap");
  checkNights(charged, fill, report);
  checkRates(charged, found, report);
  for (const part of lost) {
    const isHere = part === "opening" ? opening : part === "closing" ? closing : null;
    if (isHere) report.say(false, LOST[part], "the file says that it is lost, and has it");
    else report.skip(`${LOST[part]} can’t be checked as a whole: the file says that the part of the log which held it, or what it needs, is lost`);
  }
  if (!told) return lost.length > 0 ? "What is left of a position" : "An order that was not filled";
  const text = `${told.side.toUpperCase()} ${told.symbol}, ${dollars(told.amount)}`;
  return exit ? `${text}, closed with ${dollars(exit.booked)}` : `${text}, opened at ${told.price}`;
}

const LOST = { opening: "The opening", closing: "The closing", others: "What the log said of it besides" } as const;

/** A deal's record and the tick beneath it, and that the one names the other. */
function checkDealt<K extends "fill" | "exit">(kind: K, { proof, quote }: Dealt, known: Known, report: Report, name: string): LogRecord<K> | null {
  const record = includedAs(kind, proof, known, report, name);
  if (!record || !checkTick(quote, known, report, `${name}’s tick`)) return null;
  const { tick } = quote;
  const deal = record as unknown as Fill | Exit;
  const names = [deal.tick === tick.seq, deal.symbol === tick.symbol, units(deal.bid) === units(tick.bid), units(deal.ask) === units(tick.ask)];
  const isIt = names.every(Boolean) && Date.parse(deal.tickAt) === Date.parse(tick.at);
  report.say(isIt, `${name} was dealt on that tick: bid ${deal.bid}, ask ${deal.ask}`, "its record names another tick, or other prices");
  if (!isIt) return null;
  checkPrice(deal, kind === "fill", report, name);
  return record;
}

/** The account's bid and ask: the market's, or half of the deal's spread each side of the middle where that is wider, or is fixed. */
export function accountPrices({ bid, ask }: Pick<Tick, "bid" | "ask">, deal: Fill | Exit): { bid: bigint; ask: bigint } {
  const { pip, spreadPips } = deal;
  const [low, high] = [units(bid), units(ask)];
  // In tenths of a unit.
  const spread = decimal(spreadPips, 1) * units(pip);
  if (spread === 0n || (spread <= 10n * (high - low) && !isFixed(deal))) return { bid: low, ask: high };
  const [middle, half] = [halfAway(low + high, 2n), halfAway(spread, 20n)];
  return { bid: middle - half, ask: middle + half };
}

const isFixed = (deal: Fill | Exit) => deal.v !== 1 && deal.fixed;

function checkPrice(record: Fill | Exit, opens: boolean, report: Report, name: string): void {
  const prices = accountPrices(record, record);
  const price = (record.side === "buy") === opens ? prices.ask : prices.bid;
  const how =
    units(record.pip) > 0n
      ? `with the account’s ${isFixed(record) ? "fixed " : ""}spread of ${record.spreadPips} pips`
      : "without a spread of the account’s own";
  report.say(price === units(record.price), `${name}’s price ${record.price} follows from the tick, ${how}`, `it should be ${decimalText(price, PRICE)}`);
  checkSlippage(record, opens, report, name);
  checkMargin(record, report, name);
}

function checkSlippage({ side, price, requested, slippage }: Fill | Exit, opens: boolean, report: Report, name: string): void {
  if (requested === null || slippage === null) {
    if (requested !== slippage) report.say(false, `${name}’s slippage`, "it has one without a requested price, or none with one");
    return;
  }
  const away = (units(price) - units(requested)) * ((side === "buy") === opens ? 1n : -1n);
  report.say(
    away === units(slippage),
    `${name}’s slippage from the requested ${requested} is ${signed(slippage)}`,
    `it should be ${signed(decimalText(away, PRICE))}`,
  );
}

/** What an order allowed: its slippage, its limit, its trigger. */
function checkFill(fill: Fill, report: Report): void {
  const { side, price, requested, slippageBound, order, trigger, limit } = fill;
  const at = units(price);
  const isAtMost = (bound: string) => (side === "buy" ? at <= units(bound) : at >= units(bound));
  const isAtLeast = (bound: string) => (side === "buy" ? at >= units(bound) : at <= units(bound));
  if (slippageBound !== null && requested !== null) {
    const away = at > units(requested) ? at - units(requested) : units(requested) - at;
    report.say(away <= units(slippageBound), `The fill lies within the ${slippageBound} that the order allowed`, "it lies further away");
  }
  if (order === "limit" && trigger !== null) report.say(isAtMost(trigger), `The price had reached the order’s limit ${trigger}`, "it had not");
  if (order === "stop" && trigger !== null) report.say(isAtLeast(trigger), `The price had reached the order’s trigger ${trigger}`, "it had not");
  if (order === "stop_limit" && limit !== null) report.say(isAtMost(limit), `The price was within the order’s limit ${limit}`, "it was not");
}

/** The result of a closing in cents: the whole’s result so far, rounded, less that of the parts before, rounded. */
export function resultOf({ side, amount, moved, openPrice, price }: Pick<Exit, "side" | "amount" | "moved" | "openPrice" | "price">): bigint {
  const before = decimal(moved, MONEY + PRICE);
  const after = before + cents(amount) * (units(price) - units(openPrice));
  const result = halfAway(after, units(openPrice)) - halfAway(before, units(openPrice));
  return side === "buy" ? result : -result;
}

function checkExit(exit: Exit, report: Report): void {
  const { side, price, openPrice, amount, profit, booked, covered, reason, stopLoss, takeProfit, watchedFrom, tick } = exit;
  const result = resultOf(exit);
  report.say(
    result === cents(profit),
    `${dollars(amount)} from ${openPrice} to ${price} results in ${dollars(profit)}`,
    `it should be ${dollars(decimalText(result, MONEY))}`,
  );
  if (reason !== "admin") report.say(cents(booked) === cents(profit), `${dollars(booked)} was booked`, `the market’s result was ${dollars(profit)}`);
  if (cents(covered) !== 0n) report.skip(`The house bore ${dollars(covered)} of it or took as much back, which follows from the account’s balance`);
  const bound = reason === "stop_loss" ? stopLoss : reason === "take_profit" ? takeProfit : null;
  if (reason !== "stop_loss" && reason !== "take_profit") return;
  if (bound === null) return report.say(false, "The stop or target", "the record names none");
  const isBelow = (reason === "stop_loss") === (side === "buy");
  const name = reason === "stop_loss" ? "stop" : "target";
  report.say(isBelow ? units(price) <= units(bound) : units(price) >= units(bound), `The price had reached the ${name} ${bound}`, "it had not");
  if (watchedFrom !== null) report.say(tick >= watchedFrom, `The ${name} stood when that tick came`, "it was set later");
}

function checkTogether(fill: Fill, exit: Exit, report: Report): void {
  const same = (["account", "demo", "symbol", "side", "leverage"] as const).filter((name) => fill[name] !== exit[name]);
  const differs = [
    ...same,
    ...(exit.opening === fill.fill ? [] : ["opening"]),
    ...((exit.parent ?? exit.position) === fill.position ? [] : ["position"]),
    ...(units(exit.openPrice) === units(fill.price) ? [] : ["openPrice"]),
    ...(exit.tick >= fill.tick ? [] : ["tick"]),
    ...(cents(exit.amount) <= cents(fill.amount) ? [] : ["amount"]),
  ];
  report.say(differs.length === 0, "The closing is of the position that was opened", `they differ in ${differs.join(", ")}`);
}

/** A record beside the deals: that it is in the log, and of this position. */
function checkOther(proof: Proof, deals: (Fill | Exit | null)[], nights: readonly LogRecord<"swap">[], known: Known, report: Report): LogRecord | null {
  const { kind } = proof.record;
  const record = included(proof, known, report, NAMES[kind] ?? `The record of kind ${kind}`);
  if (!record) return null;
  const found = deals.filter((deal) => deal !== null);
  const positions = found.flatMap((deal) => ("parent" in deal ? [deal.position, deal.parent] : [deal.position]));
  const fits =
    record.kind === "terms"
      ? checkTerms(record, found, report)
      : record.kind === "group" || record.kind === "instrument" || record.kind === "countries"
        ? found.some((deal) => isNamed(record, deal)) || (record.kind === "group" && nights.some((night) => isTermsOf(night, record)))
        : found.length === 0 || !("account" in record) || (record.account === found[0]?.account && (!("position" in record) || isOne(record, positions)));
  if (!fits) report.say(false, NAMES[kind] ?? kind, "it is not of this position");
  return record;
}
/** Of the position, or of the whole that it is a part of. */
const isOne = (record: { position: string | null; parent?: string | null }, positions: readonly (string | null)[]) =>
  record.position === null ||
  positions.includes(record.position) ||
  (record.parent !== undefined && record.parent !== null && positions.includes(record.parent));
const NAMES: Partial<Record<LogRecord["kind"], string>> = {
  terms: "The version of the terms",
  group: "The version of the group’s terms",
  instrument: "The version of the instrument’s terms",
  countries: "The version of the countries’ rules",
  fill: "The opening’s record",
  exit: "The closing’s record",
  correction: "The correction",
  confirmation: "The second administrator’s word on it",
  margin: "The margin event",
  cancellation: "The cancellation",
  swap: "A night",
};

/** Whether a deal names that version of a group's or an instrument's terms, or of the countries' rules. */
function isNamed(record: LogRecord<"group" | "instrument" | "countries">, deal: Fill | Exit): boolean {
  if (deal.v === 1) return false;
  if (record.kind === "group") return record.group === deal.group && record.version === deal.groupVersion;
  if (record.kind === "instrument") return record.symbol === deal.symbol && record.version === deal.instrumentVersion;
  return "countryVersion" in deal && record.version === deal.countryVersion;
}

type Rule = { for?: unknown; spreadPips?: unknown; fixed?: unknown };
/** Whether a deal since version 2 used the spread that the group's version which it names says, with the mark-up of the instrument's. */
export function checkNamed(deal: Fill | Exit, others: readonly (LogRecord | null)[], report: Report): void {
  if (deal.v === 1) return;
  const { symbol, group, groupVersion, instrumentVersion, spreadPips, fixed, terms } = deal;
  const what = `Version ${groupVersion} of ${group} has the ${deal.kind === "fill" ? "opening" : "closing"}’s spread`;
  const own = others.find((record): record is LogRecord<"group"> => record?.kind === "group" && isNamed(record, deal));
  const instrument = others.find((record): record is LogRecord<"instrument"> => record?.kind === "instrument" && isNamed(record, deal));
  const said = others.find((record): record is LogRecord<"terms"> => record?.kind === "terms" && record.version === terms);
  if (!own || !said || (instrumentVersion > 0 && !instrument)) return report.say(false, what, "the file lacks the record of its terms");
  const of = String(saidIn(said.instruments)[symbol]?.class);
  const rules: Rule[] = Object.values(saidIn(own.spreads));
  const rule = rules.find((each) => each.for === symbol) ?? rules.find((each) => each.for === `forex-${of}`);
  const pips = of === "crypto" ? 0n : decimal(String(rule?.spreadPips ?? own.spreadPips), 1) + decimal(instrument?.markup ?? "0", 1);
  const isSaidFixed = of !== "crypto" && rule?.fixed === true;
  const fits = decimal(spreadPips, 1) === pips && fixed === isSaidFixed;
  report.say(fits, what, `it should be ${decimalText(pips, 1)} pips${isSaidFixed ? ", fixed" : ""}`);
  checkCommission(deal, own, report);
  if (deal.kind === "exit" || deal.v === 2) return;
  checkLeverage(deal, own, instrument ?? null, report);
  if (!("countryVersion" in deal)) return;
  const countries = others.find((record): record is LogRecord<"countries"> => record?.kind === "countries" && isNamed(record, deal));
  checkBound(deal, countries ?? null, of, report);
}

/**
 * Whether what was taken of commission is what the group's version has for each 100,000 USD, up to the next cent. An end took no more than its account had
 * left, and one that was settled by an administrator nothing.
 */
function checkCommission(deal: Fill | Exit, { group, version, commission }: LogRecord<"group">, report: Report): void {
  const isFree = deal.kind === "exit" && deal.reason === "admin";
  const due = isFree ? 0n : roundedUp(cents(deal.amount) * cents(commission), COMMISSION_PER);
  const name = deal.kind === "fill" ? "opening" : "closing";
  if (!("commission" in deal)) {
    if (due > 0n)
      report.skip(
        `By version ${version} of ${group} the ${name} costs ${dollars(decimalText(due, MONEY))} of commission, at most; what was taken is on the receipt and not in the log`,
      );
    return;
  }
  const taken = cents(deal.commission);
  if (due === 0n && taken === 0n) return;
  const isLess = deal.kind === "exit" && taken >= 0n && taken < due;
  report.say(
    taken === due || isLess,
    `The ${name}’s commission of ${dollars(deal.commission)} is what version ${version} of ${group} has`,
    `it should be ${dollars(decimalText(due, MONEY))}`,
  );
  if (isLess) report.skip(`It would have been ${dollars(decimalText(due, MONEY))}: that the account had no more left follows from its balance`);
}

/** Whether the deals used the instrument's pip and, of version 1, one of the account types' spreads with the mark-up, as the terms of their version have them. */
function checkTerms({ version, accountTypes, instruments }: LogRecord<"terms">, deals: (Fill | Exit)[], report: Report): boolean {
  const of = deals.filter((deal) => deal.terms === version);
  if (of.length === 0) return false;
  const spreads = Object.values(saidIn(accountTypes)).map(({ spreadPips }) => decimal(String(spreadPips), 1));
  const pips = saidIn(instruments);
  const fits = of.every(({ v, spreadPips, symbol, pip }) => {
    const { pip: said, markup = "0" } = pips[symbol] ?? {};
    const own = decimal(spreadPips, 1) - decimal(String(markup), 1);
    return typeof said === "string" && units(said) === units(pip) && (v !== 1 || units(pip) === 0n || spreads.includes(own));
  });
  for (const deal of of) if (deal.kind === "fill" && (deal.v === 1 || deal.v === 2)) checkSteps(deal, version, pips[deal.symbol], report);
  const what = of.every(({ v }) => v !== 1) ? "that pip" : "that pip and that spread";
  report.say(fits, `The terms of version ${version} have ${what}`, "the spread or the pip is not theirs");
  return true;
}

/** What was settled by an administrator needs the record that says so. */
function checkSettled(exit: Exit, others: (LogRecord | null)[], report: Report): void {
  const correction = others.find((record): record is LogRecord<"correction"> => record?.kind === "correction" && record.position === exit.position);
  if (exit.reason === "stop_out") {
    const event = others.find((record): record is LogRecord<"margin"> => record?.kind === "margin" && record.event === "stop_out");
    if (event)
      report.say(
        cents(event.equity) * 2n < cents(event.used),
        `The equity of ${dollars(event.equity)} was below half of the margin of ${dollars(event.used)}`,
        "it was not",
      );
    else report.skip("The account’s equity when it was closed is not in this file");
  }
  if (exit.reason !== "admin") return;
  if (!correction) return report.say(false, "The correction", "an administrator settled it, and the file lacks the record of that");
  const fits =
    cents(correction.settledProfit) === cents(exit.booked) &&
    cents(correction.marketProfit) === cents(exit.profit) &&
    units(correction.marketPrice) === units(exit.price);
  report.say(
    fits,
    `An administrator settled it with ${dollars(exit.booked)}, the market’s result being ${dollars(exit.profit)}`,
    "the correction’s record says otherwise",
  );
}
