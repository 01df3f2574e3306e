import { expect, test } from "bun:test";
import { renderToStaticMarkup } from "react-dom/server";
import type { TradingAccount } from "../../src/accounts/schema";
import { dealPrice, pricesFor, type Quote, type Side } from "../../src/trading/rules_prices";
import { priceText } from "../../src/lib/money";
import { PriceBar } from "../../views/trading/PriceBar";
import { OrderPanel } from "./OrderPanel";
import { PlatformOrderPanel } from "./PlatformOrderPanel";

/** What every order panel has in common, as the server draws it: the prices, the order of the sides, the colours, and whose money it says it is. */

const quote: Quote = { symbol: "EUR/USD", bid: "1.08420000", ask: "1.08425000", time: "2026-01-05T10:00:00.000Z", stale: false, open: true };
const accountOf = (isDemo: boolean) =>
  ({
    id: "6d9c3f0a-7a53-4f0e-9a55-0d9f3b7f2a11",
    accountType: "Starter",
    accountTypeId: "starter",
    balance: "10000.00",
    isDemo,
    leverage: "1:100",
    spreadsFrom: "3.3",
  }) as TradingAccount;
const OWN = pricesFor(accountOf(true), quote);

const PANELS: [name: string, draw: (isDemo: boolean, side: Side) => string][] = [
  ["portal", (isDemo) => renderToStaticMarkup(<OrderPanel account={accountOf(isDemo)} symbol="EUR/USD" quote={quote} blocked={null} />)],
  [
    "platform",
    (isDemo, side) => renderToStaticMarkup(<PlatformOrderPanel account={accountOf(isDemo)} symbol="EUR/USD" quote={quote} blocked={null} side={side} />),
  ],
];

/** The words of a piece of HTML. */
const words = (html: string) => html.replace(/<[^>]*>/g, "");
const priceOf = (html: string, side: Side) => words(new RegExp(`data-price="${side}"[^>]*>(.*?)</span></button>`).exec(html)?.[1] ?? "");
const executeOf = (html: string) => /<button type="submit"[^>]*class="([^"]*)"[^>]*>(Execute[^<]*)</.exec(html) ?? [];

for (const [name, draw] of PANELS) {
  test(`${name}: the account's own prices, SELL before BUY, and no other`, () => {
    const html = draw(true, "buy");
    expect([priceOf(html, "sell"), priceOf(html, "buy")]).toEqual([dealPrice(priceText(OWN.bid), "EUR/USD"), dealPrice(priceText(OWN.ask), "EUR/USD")]);
    expect(html.indexOf('data-price="sell"')).toBeLessThan(html.indexOf('data-price="buy"'));
    expect(html.match(/data-price=/g)).toHaveLength(2);
  });

  test(`${name}: live money is told by the frame, its words and the button; demo money by others`, () => {
    const [live, demo] = [draw(false, "buy"), draw(true, "buy")];
    expect(executeOf(live)[2]).toEndWith(" (live)");
    expect(executeOf(demo)[2]).not.toContain("live");
    expect(words(live)).toContain("Live account: real money");
    expect(words(demo)).toContain("Demo account: virtual money");
    expect([/<section[^>]*border-accent/.test(live), /<section[^>]*border-dashed border-warn/.test(demo)]).toEqual([true, true]);
  });

  test(`${name}: the button has its side's colour`, () => expect(executeOf(draw(false, "buy"))[1]).toContain("bg-gain"));
}

test("a platform's SELL is the other colour", () => {
  const colours = executeOf(PANELS[1]?.[1](false, "sell") ?? "")[1];
  expect(colours).toContain("bg-loss");
  expect(colours).not.toContain("bg-gain");
});

test("the bar under the thumb has the same prices in the same order", () => {
  const text = words(renderToStaticMarkup(<PriceBar accountId="a1" symbol="EUR/USD" prices={OWN} stale={false} onPick={() => {}} />));
  expect(text).toContain(`SELL ${dealPrice(priceText(OWN.bid), "EUR/USD")}BUY ${dealPrice(priceText(OWN.ask), "EUR/USD")}`);
});
