import { useSignals } from "@preact/signals-react/runtime";
import { useMemo, useRef, useState } from "react";
import type { TradingAccount } from "../../src/accounts/schema";
import { displayMoney } from "../../src/lib/money";
import type { Position } from "../../src/trading/schema";
import { accountName } from "../../views/accounts/account_name";
import { dealPrice, sideWord, standingOf } from "../../src/trading/rules_prices";
import { distanceText } from "../../src/trading/rules_waiting";
import { Profit } from "../../views/accounts/Profit";
import { SwapNote } from "../../views/trading/SwapNote";
import { Badge } from "../../views/ui/Badge";
import { EmptyState } from "../../views/ui/States";
import { type Column, Table } from "../../views/ui/Table";
import { CloseAll } from "./CloseAll";
import { accounts, connected, positions, quoteOf, useTradingStore } from "../runtime/trading_store";
import { island } from "../runtime/island";
import { later } from "../runtime/later";
import { useNear, useQuote, useTint } from "../runtime/live";
import { PositionActions } from "./PositionActions";
import { WaitingOrders } from "./WaitingOrders";

const PositionDialog = later(() => import("./PositionDialog"));

export type PositionsProps = {
  positions: Position[];
  accounts: TradingAccount[];
  /** Only this account's; null for all of them, each then named. */
  accountId: string | null;
  /** The orders that wait, without the positions. */
  only?: "waiting" | null;
};

/** Open positions and waiting orders with what they bring at this moment, and what can be done with them. */
export function Positions({ positions: first, accounts: firstAccounts, accountId, only = null }: PositionsProps) {
  useSignals();
  const here = useTradingStore({ positions: first, accounts: firstAccounts });
  const own = (here && accounts.value) || firstAccounts;
  const all = (here && positions.value) || first;
  const [open, waiting] = useMemo(() => {
    const shown = accountId ? all.filter((each) => each.accountId === accountId) : all;
    return [shown.filter(({ status }) => status === "open"), shown.filter(({ status }) => status === "pending")];
  }, [all, accountId]);
  const [edited, setEdited] = useState<Position | null>(null);
  const nameCell = accountId ? symbol : symbolAndAccount(own);

  return (
    <>
      {only ? null : open.length === 0 ? (
        <EmptyState icon="layers" title="No open positions">
          {all.some((each) => each.status === "open")
            ? "Your other accounts have open positions: switch the account above to see them."
            : "A trade that you place appears here and moves with the market."}
        </EmptyState>
      ) : (
        <div className="md:overflow-x-auto">
          <Table
            caption="Open positions, newest first"
            columns={[nameCell, ...columns(own, here), actions(own, setEdited)]}
            rows={open}
            rowKey={({ id }) => id}
            className="md:max-lg:[&_td]:px-1 md:max-lg:[&_th]:px-1"
          />
        </div>
      )}
      {accountId && open.length > 0 && !only ? (
        <div className="js-only flex justify-end pt-4">
          <CloseAll accountId={accountId} open={open.length} size="small" />
        </div>
      ) : null}
      <WaitingOrders orders={waiting} own={own} accountId={accountId} here={here} symbol={nameCell} onEdit={setEdited} />
      {edited ? (
        <PositionDialog
          position={edited}
          now={all.find(({ id }) => id === edited.id)}
          demo={accountOf(edited, own)?.isDemo ?? false}
          onClose={() => setEdited(null)}
        />
      ) : null}
    </>
  );
}

const symbol: Column<Position> = { key: "symbol", title: "Symbol", lead: true, brief: "1", cell: (position) => position.symbol };

const symbolAndAccount = (own: TradingAccount[]): Column<Position> => ({
  ...symbol,
  title: "Symbol and account",
  cell: (position) => {
    const account = own.find(({ id }) => id === position.accountId);
    return (
      <>
        {position.symbol}
        {account ? (
          <span className="block max-w-48 truncate text-note font-normal text-soft">
            {accountName(account)} {account.isDemo ? "demo" : "live"}
          </span>
        ) : null}
      </>
    );
  },
});

const columns = (own: TradingAccount[], here: boolean): Column<Position>[] => [
  { key: "type", title: "Type", brief: "1", cell: ({ type }) => <Badge tone={type === "buy" ? "gain" : "destructive"}>{sideWord(type)}</Badge> },
  { key: "amount", title: "Amount", numeric: true, brief: "2", cell: ({ amount }) => displayMoney(amount) },
  {
    key: "open",
    title: "Open price",
    numeric: true,
    cell: ({ openPrice, symbol }) => dealPrice(openPrice, symbol),
  },
  { key: "current", title: "Current price", numeric: true, brief: "2-end", cell: (position) => <Current position={position} own={own} here={here} /> },
  { key: "stop", title: "Stop loss", numeric: true, cell: (position) => <Stop position={position} /> },
  { key: "target", title: "Take profit", numeric: true, cell: ({ takeProfit, symbol }) => dealPrice(takeProfit, symbol) },
  { key: "profit", title: "Profit", numeric: true, brief: "1-end", cell: (position) => <Brings position={position} own={own} here={here} /> },
];

/** What it would bring now, and what its nights brought so far. */
const Brings = (props: { position: Position; own: TradingAccount[]; here: boolean }) => (
  <>
    <Floating {...props} />
    <SwapNote swap={props.position.swap} />
  </>
);

/** Where the stop loss stands now, and what moves it. */
function Stop({ position: { stopLoss, trailingDistance, breakEvenAt, brokeEven, symbol } }: { position: Position }) {
  const moves = [
    trailingDistance && `trails ${distanceText(trailingDistance, symbol)}`,
    breakEvenAt && (brokeEven ? "broke even" : `break-even at ${distanceText(breakEvenAt, symbol)}`),
  ].filter(Boolean);
  const price = dealPrice(stopLoss, symbol);
  if (moves.length === 0) return price;
  return (
    <span className="block text-right">
      {price}
      {moves.map((words) => (
        <span key={words} className="block whitespace-normal text-note text-soft">
          {words}
        </span>
      ))}
    </span>
  );
}

const actions = (own: TradingAccount[], onEdit: (position: Position) => void): Column<Position> => ({
  key: "actions",
  title: "Actions",
  numeric: true,
  cell: (position) => (
    <PositionActions
      position={position}
      demo={accountOf(position, own)?.isDemo ?? false}
      priceNow={() => priceNow(position, own)}
      onEdit={() => onEdit(position)}
    />
  ),
});

const accountOf = ({ accountId }: Position, own: TradingAccount[]) => own.find(({ id }) => id === accountId);

const priceNow = (position: Position, own: TradingAccount[]) =>
  standingOf(
    position,
    own.find(({ id }) => id === position.accountId),
    quoteOf(position.symbol).value,
  ).price;

type Cell = { position: Position; own: TradingAccount[]; here: boolean };

/** Reads one symbol's quote, so that a tick redraws only the cells that it changes, and only those in sight. */
function useStanding({ position, own, here }: Cell, near: boolean) {
  const quote = useQuote(position.symbol, null, here, near);
  const tier = own.find(({ id }) => id === position.accountId);
  return { ...standingOf(position, tier, quote), old: quote !== null && (quote.stale || !connected.value) };
}

function Current(cell: Cell) {
  useSignals();
  const place = useRef<HTMLSpanElement>(null);
  const standing = useStanding(cell, useNear(place));
  useTint(standing.price, place);
  return (
    <span ref={place} className={standing.old ? "text-soft" : ""}>
      {dealPrice(standing.price, cell.position.symbol)}
    </span>
  );
}

function Floating(cell: Cell) {
  useSignals();
  const place = useRef<HTMLSpanElement>(null);
  const { profit, old } = useStanding(cell, useNear(place));
  useTint(profit, place);
  return (
    <span ref={place} className={old ? "grayscale" : ""}>
      {profit === null ? "–" : <Profit value={profit} className="font-semibold" />}
    </span>
  );
}

export default island("Positions", Positions);
