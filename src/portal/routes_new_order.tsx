import * as v from "valibot";
import { CheckOrderPage, NewOrderPage } from "../../views/trading/NewOrderPage";
import { instantText } from "../../views/ui/instant";
import { accountsOf } from "../accounts/queries";
import { blockOf } from "../accounts/rules";
import { asItCame, fit, UNFIT } from "../lib/fit";
import { priceText } from "../lib/money";
import { notFound, type Refusal } from "../lib/refusal";
import { id } from "../lib/shapes";
import type { Market } from "../market/market";
import { instrumentOf } from "../market/rules_listed";
import type { AppContext, Me } from "../platform/app_context";
import type { FormPlace } from "../platform/http/held_forms";
import { refusedForm } from "../platform/http/refused";
import { redirect, Routes, statusOf } from "../platform/http/routes";
import { openPositionsOf } from "../trading/queries";
import { openingPrice } from "../trading/rules";
import { pricesFor, type Watched } from "../trading/rules_prices";
import { inScreenWords, orderSentence } from "../trading/rules_waiting";
import { bodyOf, checkedOrder, fieldsInWords, orderOf, partnerOf, pricesAt, type WrittenOrder } from "../trading/rules_written";
import { orderTypes } from "../trading/schema";
import { fullOrderBody } from "../trading/schema_orders";
import type { Trading } from "../trading/trading";
import { accountFor } from "./chosen";

const DEFAULT_SYMBOL = "EUR/USD";
const DEFAULT_AMOUNT = "1000";

/** What no field can hold is cut off, so that the rest is not lost. */
const written = v.optional(
  v.pipe(
    v.string(),
    v.trim(),
    v.transform((text) => text.slice(0, 40)),
  ),
  "",
);
const fields = {
  accountId: id,
  symbol: v.pipe(
    v.string(),
    v.check((symbol) => instrumentOf(symbol) !== undefined),
  ),
  side: v.picklist(["buy", "sell"]),
  orderType: v.picklist(orderTypes),
  ...{ amount: written, stopLoss: written, takeProfit: written, triggerPrice: written, limitPrice: written, expiry: written, expiresAt: written },
  ...{ trailingDistance: written, breakEvenAt: written, ocoGroup: written },
};
/** What the preview sends back: the end that it named, the price that it showed, and the key of this one order. */
const shown = { endsAt: written, currentPrice: written, key: v.optional(id) };
const orderForm = v.object({ ...fields, ...shown, step: v.optional(v.picklist(["preview", "place", "change"]), "preview") });

/** What is wrong with an order that was sent, and the status that says so. */
type Fault = { errors: Record<string, string>; message: string; status: number };
const NONE: Fault = { errors: {}, message: "", status: 200 };

/** Placing an order without scripts: a form, what the order will do, and the order. */
export function newOrderRoutes(app: AppContext, market: Market, trading: Trading, watchlist: () => Promise<Watched[]>): Routes {
  const { sql } = app;
  const marketTime = () => market.board.timeAt(market.clock());

  /** The order's account, what else is open, and the account's prices. */
  const seenBy = async (me: Me, { accountId, symbol }: WrittenOrder) => {
    const board = trading.board();
    const [accounts, positions, watched] = await Promise.all([accountsOf(sql, me.id, board), openPositionsOf(sql, me.id, board), watchlist()]);
    const account = accounts.find((each) => each.id === accountId && each.status === "active");
    if (!account) throw notFound();
    const quote = watched.find((each) => each.symbol === symbol)?.quote ?? null;
    const fresh = quote && (quote.open ? !quote.stale : true) ? quote : null;
    return { accounts, positions, account, open: quote?.open ?? true, prices: fresh && pricesFor(account, fresh), blocked: blockOf(me, account) };
  };
  type Seen = Awaited<ReturnType<typeof seenBy>>;

  const formPage = (order: WrittenOrder, { accounts, account, positions, prices, blocked }: Seen, { errors, message, status }: Fault = NONE) => ({
    title: "Place an Order",
    surface: "product" as const,
    status,
    body: (
      <NewOrderPage
        {...{ accounts, account, order, prices, blocked, errors, message }}
        at={`${instantText(new Date(marketTime()).toISOString()).slice(11, 19)} UTC`}
        partners={positions.filter((each) => each.status === "pending" && each.orderType !== "market" && each.accountId === account.id)}
        back={listOf(account.id)}
      />
    ),
  });

  const previewed = (order: WrittenOrder, seen: Seen) => {
    const { account, positions, prices, blocked, open } = seen;
    const now = marketTime();
    const { body, fields: errors } = checkedOrder(order, prices, now, positions);
    if (!body || Object.keys(errors).length > 0) return formPage(order, seen, { errors, message: "", status: 400 });
    if (blocked) return formPage(order, seen, { errors: {}, message: "This account can't trade yet.", status: 422 });
    if (!prices)
      return formPage(order, seen, { errors: {}, message: `There is no current price for ${order.symbol}. Please try again in a moment.`, status: 503 });
    const hidden = { endsAt: body.expiresAt ?? "", currentPrice: priceText(openingPrice(order.side, prices)), key: crypto.randomUUID() };
    return {
      title: "Check Your Order",
      surface: "product" as const,
      body: (
        <CheckOrderPage
          {...{ account, order, positions, hidden }}
          sentence={orderSentence(body, now, !open)}
          prices={pricesAt(order, prices)}
          now={Date.now()}
        />
      ),
    };
  };

  /** Places what was previewed. A partner that has no group yet gets one first, as in the order panel. */
  const place = async (me: Me, order: WrittenOrder, { positions }: Seen, also: { endsAt: string; currentPrice: string; key: string }) => {
    const partner = partnerOf(order, positions);
    const body = fit(fullOrderBody, { ...bodyOf(order, marketTime(), positions), expiresAt: also.endsAt || null, currentPrice: also.currentPrice || null });
    if (!body.ok) return body.fields;
    if (order.orderType !== "market" && order.ocoGroup && !partner) return { ocoGroup: "That order no longer waits. Choose another." };
    if (partner && !partner.ocoGroup && body.value.ocoGroup) await trading.edit(me, partner.id, { ocoGroup: partner.id });
    await trading.place(me, orderOf(body.value), { key: also.key, fingerprint: Bun.hash(JSON.stringify(body.value)).toString(36) });
    return null;
  };

  /** The form with what it said before its sender signed in; nothing is previewed or placed. */
  const formPlace: FormPlace = {
    at: ({ accountId = "", symbol = "", side = "" }) => `/positions/new?${new URLSearchParams({ account: accountId, symbol, side }).toString()}`,
    page: async ({ me, form }) => {
      const asked = fit(orderForm, form);
      if (!asked.ok) throw notFound();
      const { step: _, endsAt: _end, currentPrice: _price, key: _key, ...order } = asked.value;
      return formPage(order, await seenBy(me, order));
    },
  };

  return new Routes(app, import.meta.path)
    .userPage("/positions/new", async ({ me, context }) => {
      const asked = context.url.searchParams;
      const account = accountFor(context, await accountsOf(sql, me.id, trading.board()));
      if (!account) return redirect("/accounts", 303);
      const symbol = instrumentOf(asked.get("symbol") ?? "")?.symbol ?? DEFAULT_SYMBOL;
      const side = asked.get("side") === "sell" ? "sell" : "buy";
      const order: WrittenOrder = { accountId: account.id, symbol, side, orderType: "market", amount: DEFAULT_AMOUNT, stopLoss: "", takeProfit: "" };
      return formPage(order, await seenBy(me, order));
    })
    .userForm("/positions/new", formPlace, async ({ me, form, context }) => {
      const asked = fit(orderForm, asItCame(form));
      if (!asked.ok) throw notFound();
      const { step, endsAt, currentPrice, key, ...order } = asked.value;
      const seen = await seenBy(me, order);
      if (form[UNFIT]) return formPage(order, seen, { errors: form[UNFIT], message: "", status: 400 });
      if (step === "change") return formPage(order, seen);
      if (step === "preview" || !key) return previewed(order, seen);
      const again = (refused: Record<string, string>, refusal?: Refusal) => {
        const isAtAField = Object.keys(refused).some((name) => name === "type" || name in fields);
        return formPage(order, seen, {
          errors: fieldsInWords(refused, order.orderType),
          message: refusal && !isAtAField ? inScreenWords(refusal.message, order.orderType) : "",
          status: refusal ? statusOf(refusal) : 400,
        });
      };
      try {
        const refused = await place(me, order, seen, { endsAt, currentPrice, key });
        return refused ? again(refused) : redirect(listOf(order.accountId), 303);
      } catch (error) {
        const refusal = refusedForm(app, context, error);
        return again(refusal.fields ?? {}, refusal);
      }
    });
}

const listOf = (accountId: string) => `/traders-portal?account=${accountId}&tab=positions#lists`;
