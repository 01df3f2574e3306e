import AdminCorrection, { type TradeControlProps } from "../../islands/AdminCorrection";
import AdminExposure, { type ExposureProps } from "../../islands/AdminExposure";
import { instruments } from "../../src/market/schema";
import { addressOf, panelTab } from "./address";
import { ExportLink, FilterForm, SearchForm, StatusLinks } from "./Filters";
import { tradeViews, VIEW_LABELS } from "./trade_words";

const AT = panelTab("trades");
const SYMBOLS = [{ id: "", label: "All symbols" }, ...instruments.map(({ symbol }) => ({ id: symbol, label: symbol }))];
const ACCOUNTS = [
  { id: "all", label: "Live and demo" },
  { id: "live", label: "Live" },
  { id: "demo", label: "Demo" },
];
const SIDES = [
  { id: "all", label: "BUY and SELL" },
  { id: "buy", label: "BUY" },
  { id: "sell", label: "SELL" },
];

/** The calls that list the others, and give them as files. */
const FILES = { waiting: "/api/admin/corrections", corrections: "/api/admin/trades/manipulations", disputes: "/api/admin/disputes" } as const;

/** The Trade Control tab: one of its lists at a time; over the open positions, what they amount to. */
export const TradeControlPage = ({ exposure, ...props }: TradeControlProps & { exposure: ExposureProps | null }) => {
  const { query, list } = props;
  return (
    <div className="flex flex-col gap-3">
      <div className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-2">
        <SearchForm at={AT} query={query} label="Search by person, account, symbol or position ID" />
        <StatusLinks at={AT} query={{ q: query.q, status: list.view }} choices={tradeViews.map((id) => ({ id, label: VIEW_LABELS[id] }))} label="Lists" />
        {list.view === "positions" ? null : (
          <span className="md:ml-auto">
            <ExportLink path={FILES[list.view]} query={{ q: query.q, sort: query.sort }} />
          </span>
        )}
      </div>
      {list.view === "positions" ? (
        <div className="flex flex-wrap items-end justify-between gap-2">
          <FilterForm
            at={AT}
            query={query}
            label="Filter positions"
            fields={[
              { name: "symbol", label: "Symbol", choices: SYMBOLS },
              { name: "account", label: "Account kind", choices: ACCOUNTS },
              { name: "side", label: "Side", choices: SIDES },
            ]}
          />
          <div className="flex flex-wrap items-center gap-2">
            {query.userId ? (
              <a href={addressOf(AT, { ...query, userId: "" })} className="inline-flex min-h-11 items-center px-3 text-table text-accent md:min-h-9">
                Show all clients
              </a>
            ) : null}
            <ExportLink path="/api/admin/trading-positions" query={{ ...query, status: "open" }} />
          </div>
        </div>
      ) : null}
      {exposure ? <AdminExposure {...exposure} /> : null}
      <AdminCorrection {...props} />
    </div>
  );
};
