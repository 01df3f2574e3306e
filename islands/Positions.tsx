import { useSignals } from "@preact/signals-react/runtime";
import { useState } from "react";
import type { TradingAccount } from "../src/accounts/schema";
import { displayMoney, displayPrice } from "../src/lib/money";
import { closeAll, type Position } from "../src/trading/schema";
import { CloseAllDialog } from "../views/portal/CloseAllDialog";
import { digitsOf, type Quote, sideWord, standingOf } from "../views/portal/model";
import { Profit } from "../views/portal/SummaryCards";
import { Badge } from "../views/ui/Badge";
import { Button } from "../views/ui/Button";
import { EmptyState } from "../views/ui/States";
import { type Column, Table } from "../views/ui/Table";
import { call, newKey } from "./lib/api";
import { accounts, positions, quoteOf, takePosition, useDesk } from "./lib/desk";
import { island } from "./lib/island";
import { useTint } from "./lib/live";
import { PositionActions } from "./lib/PositionActions";
import { PositionDialog } from "./lib/PositionDialog";
import { attempt } from "./lib/deed";
import { toast } from "./lib/toasts";

export type PositionsProps = {
  positions: Position[];
  accounts: TradingAccount[];
  /** Only this account's; null for all of them, each then named. */
  accountId: string | null;
};

/** Open positions and waiting orders with what they bring at this moment, and what can be done with them. */
export function Positions({ positions: first, accounts: firstAccounts, accountId }: PositionsProps) {
  useSignals();
  const here = useDesk({ positions: first, accounts: firstAccounts });
  const own = (here && accounts.value) || firstAccounts;
  const all = (here && positions.value) || first;
  const shown = accountId ? all.filter((each) => each.accountId === accountId) : all;
  const [edited, setEdited] = useState<string | null>(null);
  const [closing, setClosing] = useState(false);
  const [busy, setBusy] = useState(false);

  const closeEvery = async () => {
    setBusy(true);
    const result = await attempt("Closing failed", () => call(closeAll, { accountId }, { idempotencyKey: newKey() }));
    setBusy(false);
    setClosing(false);
    if (!result) return;
    for (const position of result.closed) takePosition(position);
    const kept = result.refused.map(({ symbol, message }) => `${symbol}: ${message}`).join(" ");
    toast({
      title: result.closed.length === 1 ? "1 position closed" : `${result.closed.length} positions closed`,
      ...(kept ? { description: `Still open. ${kept}`, variant: "destructive" } : {}),
    });
  };

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
      <Table
        caption="Open positions, newest first"
        columns={[...(accountId ? [] : [accountColumn(own)]), ...columns(own, here), actions(own, setEdited)]}
        rows={shown}
        rowKey={({ id }) => id}
      />
      {accountId ? (
        <div className="js-only flex justify-end pt-4">
          <Button look="danger" size="small" onClick={() => setClosing(true)}>
            Close All Positions
          </Button>
        </div>
      ) : null}
      <CloseAllDialog
        open={closing}
        busy={busy}
        count={shown.filter(({ status }) => status === "open").length}
        onClose={() => setClosing(false)}
        onConfirm={() => void closeEvery()}
      />
      <PositionDialog position={position} onClose={() => setEdited(null)} />
    </>
  );
}

const price = (value: string | null, symbol: string) => (value ? displayPrice(value, digitsOf(symbol)) : "–");

const accountColumn = (own: TradingAccount[]): Column<Position> => ({
  key: "account",
  title: "Account",
  cell: ({ accountId }) => {
    const account = own.find(({ id }) => id === accountId);
    return account ? `${account.accountType} ${account.isDemo ? "demo" : "live"}` : "–";
  },
});

const columns = (own: TradingAccount[], here: boolean): Column<Position>[] => [
  { key: "symbol", title: "Symbol", lead: true, cell: ({ symbol }) => symbol },
  { key: "type", title: "Type", cell: ({ type }) => <Badge tone={type === "buy" ? "gain" : "destructive"}>{sideWord(type)}</Badge> },
  { key: "amount", title: "Amount", numeric: true, cell: ({ amount }) => displayMoney(amount) },
  {
    key: "open",
    title: "Open price",
    numeric: true,
    cell: ({ openPrice, symbol, status }) => (status === "pending" ? <Badge tone="secondary">Waiting for the market</Badge> : price(openPrice, symbol)),
  },
  { key: "current", title: "Current price", numeric: true, cell: (position) => <Current position={position} own={own} here={here} /> },
  { key: "stop", title: "Stop loss", numeric: true, cell: ({ stopLoss, symbol }) => price(stopLoss, symbol) },
  { key: "target", title: "Take profit", numeric: true, cell: ({ takeProfit, symbol }) => price(takeProfit, symbol) },
  { key: "profit", title: "Profit", numeric: true, cell: (position) => <Floating position={position} own={own} here={here} /> },
];

const actions = (own: TradingAccount[], onEdit: (id: string) => void): Column<Position> => ({
  key: "actions",
  title: "Actions",
  numeric: true,
  cell: (position) => <PositionActions position={position} priceNow={() => priceNow(position, own)} onEdit={() => onEdit(position.id)} />,
});

const priceNow = (position: Position, own: TradingAccount[]) =>
  standingOf(
    position,
    own.find(({ id }) => id === position.accountId),
    quoteOf(position.symbol).value,
  ).price;

type Cell = { position: Position; own: TradingAccount[]; here: boolean };

/** Reads one symbol's quote, so that a tick draws anew only the cells that it moves. */
function useStanding({ position, own, here }: Cell) {
  const quote: Quote | null = here ? quoteOf(position.symbol).value : null;
  const tier = own.find(({ id }) => id === position.accountId);
  return { ...standingOf(position, tier, quote), old: quote !== null && quote.stale };
}

function Current(cell: Cell) {
  useSignals();
  const standing = useStanding(cell);
  const element = useTint(standing.price);
  return (
    <span ref={element} className={standing.old ? "text-soft" : ""}>
      {price(standing.price, cell.position.symbol)}
    </span>
  );
}

function Floating(cell: Cell) {
  useSignals();
  const { profit, old } = useStanding(cell);
  const element = useTint(profit);
  if (profit === null) return "–";
  return (
    <span ref={element} className={old ? "opacity-60" : ""}>
      <Profit value={profit} className="font-semibold" />
    </span>
  );
}

export default island("Positions", Positions);
