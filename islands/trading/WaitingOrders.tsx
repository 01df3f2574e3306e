import { useSignals } from "@preact/signals-react/runtime";
import { type FormEvent, type MouseEvent, type ReactNode, useEffect, useRef, useState } from "react";
import type { TradingAccount } from "../../src/accounts/schema";
import { displayMoney, priceText, priceUnits } from "../../src/lib/money";
import { myStream } from "../../src/portal/schema";
import { openingPrice } from "../../src/trading/rules";
import { dealPrice, pricesFor, sideWord } from "../../src/trading/rules_prices";
import { ORDER_TYPE_WORDS } from "../../src/trading/rules_prices";
import { distanceText, orderWords } from "../../src/trading/rules_waiting";
import { endWords } from "../../src/trading/rules_words";
import { cancelOrder, type Position } from "../../src/trading/schema";
import { cancelAll } from "../../src/trading/schema_orders";
import { Badge } from "../../views/ui/Badge";
import { Button, ButtonLink } from "../../views/ui/Button";
import { instantText } from "../../views/ui/instant";
import { type Column, Table } from "../../views/ui/Table";
import { later } from "../runtime/later";
import { useNear, useQuote } from "../runtime/live";
import { idOf, useSteady } from "../runtime/steady";
import { connected, positions, takePosition } from "../runtime/trading_store";
import { Fresh } from "../ui/Fresh";
import { call } from "../wire/api";
import { attempt } from "../wire/attempt";
import { listen } from "../wire/stream";
import { toast } from "../wire/toasts";
import { EditLink } from "./PositionActions";

const CloseDialog = later(() => import("../../views/trading/CloseDialog"));

type Props = {
  orders: Position[];
  own: TradingAccount[];
  /** Only this account's; null for all of them. */
  accountId: string | null;
  /** The browser has taken over, and quotes come. */
  here: boolean;
  /** The instrument's cell, with the account's name where there are several. */
  symbol: Column<Position>;
  onEdit: (order: Position) => void;
};

/** Orders that wait, those placed last first: what each waits for, how far the market is from it, and what can be done. No row moves under a pointer. */
export function WaitingOrders({ orders, own, accountId, here, symbol, onEdit }: Props) {
  const [list, area] = useSteady(orders, idOf);
  const ended = useEnded();
  const gone = (id: string) => {
    const end = ended.get(id);
    if (end) return endWords(end);
    return positions.peek()?.some((each) => each.id === id) ? "Filled" : "No longer waits";
  };
  const actions: Column<Position> = {
    key: "actions",
    title: "Actions",
    numeric: true,
    cell: (order) =>
      list.gone.has(order.id) ? (
        <span className="text-note text-soft">{gone(order.id)}</span>
      ) : (
        <Actions order={order} onEdit={onEdit} onCancelled={() => list.decide(order.id, { text: "Cancelled by you" })} />
      ),
  };
  return (
    <section aria-labelledby="waiting-orders" className="mt-6 border-t border-line pt-2">
      <div className="flex min-h-11 flex-wrap items-center gap-x-4 max-md:px-4">
        <h2 id="waiting-orders" className="text-[0.9375rem] font-semibold">
          Waiting Orders
        </h2>
        <Fresh list={list} />
        {orders.length > 0 ? <CancelAll accountId={accountId} count={orders.length} /> : null}
      </div>
      {list.rows.length === 0 ? (
        <p className="pb-4 text-product text-soft max-md:px-4">No order waits. A limit or stop order stands here until its price comes.</p>
      ) : (
        <div ref={area} className="md:overflow-x-auto">
          <Table
            caption="Waiting orders, newest first"
            columns={[symbol, ...COLUMNS, distance(own, here), ...TERMS, actions]}
            rows={list.rows}
            rowKey={idOf}
            className="md:max-lg:[&_td]:px-1 md:max-lg:[&_th]:px-1"
          />
        </div>
      )}
    </section>
  );
}

/** The orders that ended unfilled while this was open, by their ids: the list has them no more. */
function useEnded(): ReadonlyMap<string, Position> {
  const [ended, setEnded] = useState<ReadonlyMap<string, Position>>(new Map());
  useEffect(
    () =>
      listen<{ position: Position }>(myStream.path, {
        position: (news) => news.status === "cancelled" && setEnded((before) => new Map(before).set(news.id, news)),
      }),
    [],
  );
  return ended;
}

/** Two facts of one cell, one below the other. */
const Lines = ({ children, also }: { children: ReactNode; also: ReactNode }) => (
  <span className="block max-md:text-right">
    {children}
    {also ? <span className="block text-note text-soft">{also}</span> : null}
  </span>
);

const COLUMNS: Column<Position>[] = [
  {
    key: "order",
    title: "Order",
    brief: "1",
    cell: ({ type, orderType, amount, ocoGroup }) => (
      <Lines also={<span className="tabular-nums max-md:hidden">{displayMoney(amount)}</span>}>
        <span className="inline-flex flex-wrap items-center gap-1">
          <Badge tone={type === "buy" ? "gain" : "destructive"}>{sideWord(type)}</Badge>
          {ORDER_TYPE_WORDS[orderType]}
          {ocoGroup ? (
            <Badge tone="secondary">
              <span data-tip="One cancels the other: the first of its group that fills cancels the others">OCO</span>
            </Badge>
          ) : null}
        </span>
      </Lines>
    ),
  },
  { key: "amount", title: "Amount", phone: true, brief: "2", cell: ({ amount }) => displayMoney(amount) },
  {
    key: "trigger",
    title: "Waits for",
    numeric: true,
    brief: "1-end",
    cell: ({ triggerPrice, limitPrice, setOff, symbol }) =>
      triggerPrice === null ? (
        "The market's opening"
      ) : (
        <Lines also={limitPrice && (setOff ? `set off at ${dealPrice(triggerPrice, symbol)}` : `limit ${dealPrice(limitPrice, symbol)}`)}>
          {dealPrice(setOff ? limitPrice : triggerPrice, symbol)}
        </Lines>
      ),
  },
];

const distance = (own: TradingAccount[], here: boolean): Column<Position> => ({
  key: "distance",
  title: "Away",
  numeric: true,
  brief: "2-end",
  cell: (order) => (order.triggerPrice === null ? null : <Distance order={order} own={own} here={here} />),
});

const TERMS: Column<Position>[] = [
  {
    key: "exits",
    title: "Stop and target",
    numeric: true,
    cell: ({ stopLoss, takeProfit, trailingDistance, breakEvenAt, symbol }) => {
      const words = [
        stopLoss && `stop ${dealPrice(stopLoss, symbol)}`,
        takeProfit && `target ${dealPrice(takeProfit, symbol)}`,
        trailingDistance && `trails ${distanceText(trailingDistance, symbol)}`,
        breakEvenAt && `break-even at ${distanceText(breakEvenAt, symbol)}`,
      ].filter(Boolean);
      if (words.length === 0) return null;
      return (
        <span className="text-right">
          {words.map((each) => (
            <span key={each} className="block whitespace-normal">
              {each}
            </span>
          ))}
        </span>
      );
    },
  },
  {
    key: "expires",
    title: "Expires (UTC)",
    cell: ({ expiresAt, createdAt }) => (
      <Lines also={<time dateTime={createdAt}>{`placed ${minuteText(createdAt)}`}</time>}>
        {expiresAt ? <time dateTime={expiresAt}>{minuteText(expiresAt)}</time> : "when cancelled"}
      </Lines>
    ),
  },
];

const minuteText = (iso: string) => instantText(iso).slice(0, 16);

/** How far the account's price is from what the order waits for; follows the quotes while it is in sight. */
function Distance({ order, own, here }: { order: Position; own: TradingAccount[]; here: boolean }) {
  useSignals();
  const place = useRef<HTMLSpanElement>(null);
  const quote = useQuote(order.symbol, null, here, useNear(place));
  const account = own.find(({ id }) => id === order.accountId);
  const level = (order.setOff ? order.limitPrice : order.triggerPrice) ?? "0";
  const old = quote !== null && (quote.stale || !connected.value);
  return (
    <span ref={place} className={old ? "text-soft" : ""}>
      {quote && account ? distanceText(priceText(Math.abs(priceUnits(level) - openingPrice(order.type, pricesFor(account, quote)))), order.symbol) : "–"}
    </span>
  );
}

type ActionsProps = { order: Position; onEdit: (order: Position) => void; onCancelled: () => void };

/** A link and a form, which work without scripts too. */
function Actions({ order, onEdit, onCancelled }: ActionsProps) {
  const [busy, setBusy] = useState(false);
  const { id, symbol } = order;
  const of = `${orderWords(order)} ${symbol}`;
  const cancel = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    const done = await attempt("Cancelling failed", () => call(cancelOrder, undefined, { params: { id } }));
    setBusy(false);
    if (!done) return;
    onCancelled();
    takePosition(done);
    toast({ title: "Order cancelled", description: `The waiting ${of} order was cancelled.` });
  };
  return (
    <span className="inline-flex gap-2 md:max-lg:flex-col">
      <EditLink id={id} of={of} onEdit={() => onEdit(order)} />
      <form method="post" action="/positions/cancel" onSubmit={(event) => void cancel(event)}>
        <input type="hidden" name="id" value={id} />
        <Button type="submit" variant="secondary" size="small" disabled={busy} aria-label={`Cancel ${of}`}>
          {busy ? "Cancelling..." : "Cancel"}
        </Button>
      </form>
    </span>
  );
}

/** Cancels every waiting order of the account, after a question; without scripts the question is a page. */
function CancelAll({ accountId, count }: { accountId: string | null; count: number }) {
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const ask = (event: MouseEvent) => {
    event.preventDefault();
    setAsking(true);
  };
  const cancel = async () => {
    setBusy(true);
    const done = await attempt("Cancelling failed", () => call(cancelAll, { accountId }));
    setBusy(false);
    setAsking(false);
    if (!done) return;
    for (const order of done.cancelled) takePosition(order);
    toast({ title: ordersText(done.cancelled.length, "cancelled") });
  };
  return (
    <>
      <ButtonLink variant="danger" size="small" className="ml-auto" href={`/positions/cancel${accountId ? `?account=${accountId}` : ""}`} onClick={ask}>
        Cancel All Orders
      </ButtonLink>
      {asking ? (
        <CloseDialog
          id="cancel-all"
          title="Cancel All Orders"
          open
          busy={busy}
          words={{ keep: "Keep them waiting", close: `Cancel ${ordersText(count)}`, busy: "Cancelling..." }}
          onClose={() => setAsking(false)}
          onConfirm={() => void cancel()}
        >
          {`${ordersText(count, "waiting")} ${accountId ? "of this account" : "of all your accounts"} ${count === 1 ? "is" : "are"} cancelled. What has filled stays open.`}
        </CloseDialog>
      ) : null}
    </>
  );
}

const ordersText = (count: number, what = "") =>
  `${count} ${what === "waiting" ? "waiting " : ""}${count === 1 ? "order" : "orders"}${what === "cancelled" ? " cancelled" : ""}`;
