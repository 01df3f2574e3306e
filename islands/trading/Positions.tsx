import { useSignals } from "@preact/signals-react/runtime";
import { useRef, useState } from "react";
import type { TradingAccount } from "../../src/accounts/schema";
import { displayMoney } from "../../src/lib/money";
import type { Position } from "../../src/trading/schema";
import { accountName } from "../../views/accounts/account_name";
import { dealPrice, sideWord, standingOf } from "../../src/trading/rules_prices";
import { Profit } from "../../views/accounts/SummaryCards";
import { Badge } from "../../views/ui/Badge";
import { EmptyState } from "../../views/ui/States";
import { type Column, Table } from "../../views/ui/Table";
import { CloseAll } from "./CloseAll";
import { accounts, connected, positions, quoteOf, useTradingStore } from "../runtime/trading_store";
import { island } from "../runtime/island";
import { useNear, useQuote, useTint } from "../runtime/live";
import { PositionActions } from "./PositionActions";
import { PositionDialog } from "./PositionDialog";

export type PositionsProps = {
  positions: Position[];
  accounts: TradingAccount[];
  /** Only this account's; null for all of them, each then named. */
  accountId: string | null;
};

/** Open positions and waiting orders with what they bring at this moment, and what can be done with them. */
export function Positions({ positions: first, accounts: firstAccounts, accountId }: PositionsProps) {
  useSignals();
  const here = useTradingStore({ positions: first, accounts: firstAccounts });
  const own = (here && accounts.value) || firstAccounts;
  const all = (here && positions.value) || first;
  const shown = accountId ? all.filter((each) => each.accountId === accountId) : all;
  const [edited, setEdited] = useState<string | null>(null);

  if (shown.length === 0)
    return (
      <EmptyState icon="layers" title="No open positions">
        {all.length
          ? "Your other accounts have open positions: switch the account above to see them."
          : "A trade that you place appears here and moves with the market."}
      </EmptyState>
    );
  const position = shown.find(({ id }) => id === edited) ?? null;
  return (
    <>
      <div className="md:overflow-x-auto">
        <Table
          caption="Open positions, newest first"
          columns={[accountId ? symbol : symbolAndAccount(own), ...columns(own, here), actions(own, setEdited)]}
          rows={shown}
          rowKey={({ id }) => id}
          className="md:max-lg:[&_td]:px-1 md:max-lg:[&_th]:px-1"
        />
      </div>
      {accountId ? (
        <div className="js-only flex justify-end pt-4">
          <CloseAll accountId={accountId} open={shown.filter(({ status }) => status === "open").length} size="small" />
        </div>
      ) : null}
      <PositionDialog position={position} demo={(position && accountOf(position, own)?.isDemo) ?? false} onClose={() => setEdited(null)} />
    </>
  );
}

const symbol: Column<Position> = { key: "symbol", title: "Symbol", lead: true, cell: (position) => position.symbol };

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
  { key: "type", title: "Type", cell: ({ type }) => <Badge tone={type === "buy" ? "gain" : "destructive"}>{sideWord(type)}</Badge> },
  { key: "amount", title: "Amount", numeric: true, cell: ({ amount }) => displayMoney(amount) },
  {
    key: "open",
    title: "Open price",
    numeric: true,
    cell: ({ openPrice, symbol, status }) => (status === "pending" ? <Badge tone="secondary">Waiting for the market</Badge> : dealPrice(openPrice, symbol)),
  },
  { key: "current", title: "Current price", numeric: true, cell: (position) => <Current position={position} own={own} here={here} /> },
  { key: "stop", title: "Stop loss", numeric: true, cell: ({ stopLoss, symbol }) => dealPrice(stopLoss, symbol) },
  { key: "target", title: "Take profit", numeric: true, cell: ({ takeProfit, symbol }) => dealPrice(takeProfit, symbol) },
  { key: "profit", title: "Profit", numeric: true, cell: (position) => <Floating position={position} own={own} here={here} /> },
];

const actions = (own: TradingAccount[], onEdit: (id: string) => void): Column<Position> => ({
  key: "actions",
  title: "Actions",
  numeric: true,
  cell: (position) => (
    <PositionActions
      position={position}
      demo={accountOf(position, own)?.isDemo ?? false}
      priceNow={() => priceNow(position, own)}
      onEdit={() => onEdit(position.id)}
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
    <span ref={place} className={old ? "opacity-60" : ""}>
      {profit === null ? "–" : <Profit value={profit} className="font-semibold" />}
    </span>
  );
}

export default island("Positions", Positions);
