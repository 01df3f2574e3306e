import { useSignals } from "@preact/signals-react/runtime";
import { useEffect, useState } from "react";
import { CLOSE_REASONS } from "../../src/trading/rules_words";
import { type ClosedPosition, type Position, positionHistory } from "../../src/trading/schema";
import { HistoryTable } from "../../views/trading/HistoryTable";
import { Button } from "../../views/ui/Button";
import { SelectField } from "../../views/ui/Field";
import { EmptyState, Skeleton } from "../../views/ui/States";
import { call } from "../wire/api";
import { attempt } from "../wire/attempt";
import { fetchHistory, HISTORY_PAGE, history as news } from "../runtime/trading_store";
import { CancelledOrders } from "./CancelledOrders";

type Props = { history: ClosedPosition[] | null; /** Orders that ended unfilled. */ cancelled: Position[] | null; accountId: string | null };
type Filter = { symbol: string; result: string; reason: string };

const ALL: Filter = { symbol: "", result: "", reason: "" };
const FITS: Record<keyof Filter, (position: ClosedPosition, wanted: string) => boolean> = {
  symbol: ({ symbol }, wanted) => symbol === wanted,
  result: ({ profit }, wanted) => (wanted === "loss") === (profit ?? "").startsWith("-"),
  reason: ({ closeReason }, wanted) => closeReason === wanted,
};

/** The closed positions of an account, and its orders that ended unfilled; where the page did not bring them they are asked for first. */
export default function TradeHistory({ history, cancelled, accountId }: Props) {
  return (
    <>
      <Closed history={history} accountId={accountId} />
      <CancelledOrders orders={cancelled} accountId={accountId} />
    </>
  );
}

function Closed({ history: first, accountId }: Omit<Props, "cancelled">) {
  useSignals();
  const [tries, setTries] = useState(0);
  const [failed, setFailed] = useState<number | null>(null);
  useEffect(() => {
    if (!first && !news.peek()) fetchHistory(accountId).catch(() => setFailed(tries));
  }, [first, accountId, tries]);
  const newest = news.value ?? first;
  if (newest) return <History newest={newest.filter((each) => each.accountId === accountId)} accountId={accountId} />;
  if (failed !== tries) return <Skeleton className="h-40 w-full" />;
  return (
    <div role="alert" className="flex flex-col items-center gap-3 py-8">
      <p>The trade history could not be loaded.</p>
      <Button variant="secondary" onClick={() => setTries(tries + 1)}>
        Try again
      </Button>
    </div>
  );
}

/** Filtered in place; older ones come when they are asked for. */
function History({ newest, accountId }: { newest: ClosedPosition[]; accountId: string | null }) {
  const [filter, setFilter] = useState(ALL);
  const [older, setOlder] = useState<ClosedPosition[]>([]);
  const [more, setMore] = useState(newest.length >= HISTORY_PAGE);
  const [busy, setBusy] = useState(false);
  const all = [...newest, ...older.filter(({ id }) => !newest.some((each) => each.id === id))];
  const names = Object.keys(ALL) as (keyof Filter)[];
  const shown = all.filter((position) => names.every((name) => !filter[name] || FITS[name](position, filter[name])));

  const load = async () => {
    const last = all.at(-1);
    if (!last) return;
    setBusy(true);
    const query = { limit: String(HISTORY_PAGE), cursor: `${last.closedAt}_${last.id}`, ...(accountId ? { accountId } : {}) };
    const found = await attempt("Older trades could not be loaded", () => call(positionHistory, undefined, { query }));
    setBusy(false);
    if (!found) return;
    setOlder([...older, ...found]);
    setMore(found.length === HISTORY_PAGE);
  };
  const select = (name: keyof Filter, label: string, options: [string, string][]) => (
    <SelectField id={`history-${name}`} label={label} value={filter[name]} onChange={(event) => setFilter({ ...filter, [name]: event.target.value })}>
      <option value="">All</option>
      {options.map(([value, words]) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </SelectField>
  );
  const symbols = [...new Set(all.map(({ symbol }) => symbol))].sort().map((symbol): [string, string] => [symbol, symbol]);
  return (
    <>
      {all.length > 0 ? (
        <div role="group" aria-label="Filters" className="js-only mb-4 grid grid-cols-2 gap-4 md:grid-cols-[repeat(3,12rem)]">
          {select("symbol", "Symbol", symbols)}
          {select("result", "Result", [
            ["profit", "Profit"],
            ["loss", "Loss"],
          ])}
          {select("reason", "Reason", Object.entries(CLOSE_REASONS))}
        </div>
      ) : null}
      {all.length > 0 && shown.length === 0 ? (
        <EmptyState
          icon="search"
          title="No trade matches these filters."
          action={
            <Button variant="secondary" onClick={() => setFilter(ALL)}>
              Clear Filters
            </Button>
          }
        />
      ) : (
        <HistoryTable history={shown} />
      )}
      {more ? (
        <Button variant="secondary" className="js-only mt-2" disabled={busy} onClick={() => void load()}>
          {busy ? "Loading..." : "Show older trades"}
        </Button>
      ) : null}
    </>
  );
}
