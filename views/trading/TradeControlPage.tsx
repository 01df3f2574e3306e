import AdminCorrection, { type TradeControlProps } from "../../islands/trading/AdminCorrection";
import AdminExposure, { type ExposureProps } from "../../islands/trading/AdminExposure";
import SavedFilters from "../../islands/ui/SavedFilters";
import type { SavedFilter } from "../../src/admin/schema_queues";
import type { Evidence } from "../../src/trading/schema_evidence";
import { instruments } from "../../src/market/rules_listed";
import { addressOf, type ListQuery, panelTab, said } from "../ui/staff/address";
import { dayFields, ExportLink, FilterMenu, SearchForm, StatusLinks } from "../ui/staff/Filters";
import { EvidencePanel } from "./EvidencePanel";
import { type TradeView, tradeViews, VIEW_LABELS } from "./staff_words";

const AT = panelTab("trades");
const symbols = () => [{ id: "", label: "All symbols" }, ...instruments.map(({ symbol }) => ({ id: symbol, label: symbol }))];
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

const REVIEWS = [
  { id: "all", label: "All" },
  { id: "open", label: "Not reviewed" },
  { id: "done", label: "Reviewed" },
];

/** The calls that list the others, and give them as files. */
const FILES = {
  waiting: "/api/admin/corrections",
  corrections: "/api/admin/trades/manipulations",
  disputes: "/api/admin/disputes",
  exceptions: "/api/admin/exceptions",
} as const;

type Props = TradeControlProps & { exposure: ExposureProps | null; evidence: Evidence | null; filters: SavedFilter[] };

/** What can be kept under a name: which list it is filters nothing by itself. */
function filterOf(view: TradeView, query: ListQuery): ListQuery {
  const filter = view === "positions" ? query : { ...query, status: view };
  return said({ ...filter, cursor: undefined }).some(([name]) => name !== "status") ? filter : {};
}

/** The Trade Control tab: one of its lists at a time; over the open positions, what they amount to. */
export const TradeControlPage = ({ exposure, evidence, filters, ...props }: Props) => {
  const { query, list } = props;
  return (
    <div className="flex flex-col gap-1">
      <div className="relative flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
        <SearchForm at={AT} query={query} label="Search by person, account, symbol or position ID" />
        {list.view === "positions" ? (
          <FilterMenu
            at={AT}
            query={query}
            label="Filter positions"
            fields={[
              { name: "symbol", label: "Symbol", choices: symbols() },
              { name: "account", label: "Account kind", choices: ACCOUNTS },
              { name: "side", label: "Side", choices: SIDES },
              ...dayFields(),
            ]}
          />
        ) : null}
        {list.view === "exceptions" ? (
          <FilterMenu
            at={AT}
            query={{ ...query, status: list.view }}
            label="Filter exceptions"
            fields={[...dayFields(), { name: "review", label: "Review", choices: REVIEWS }]}
          />
        ) : null}
        {list.view === "waiting" || list.view === "corrections" || list.view === "disputes" ? (
          <FilterMenu at={AT} query={{ ...query, status: list.view }} label="Days of the list" fields={dayFields()} />
        ) : null}
        <StatusLinks at={AT} query={{ q: query.q, status: list.view }} choices={tradeViews.map((id) => ({ id, label: VIEW_LABELS[id] }))} label="Lists" />
        <SavedFilters queue="trades" query={filterOf(list.view, query)} filters={filters} />
        {list.view === "positions" && query.userId ? (
          <a href={addressOf(AT, { ...query, userId: "" })} className="inline-flex min-h-11 items-center px-3 text-table text-accent md:min-h-9">
            Show all clients
          </a>
        ) : null}
        <span className="md:ml-auto">
          {list.view === "positions" ? (
            <ExportLink path="/api/admin/trading-positions" query={{ ...query, status: "open" }} />
          ) : (
            <ExportLink path={FILES[list.view]} query={{ q: query.q, sort: query.sort, from: query.from, to: query.to, review: query.review }} />
          )}
        </span>
      </div>
      {evidence ? <EvidencePanel evidence={evidence} query={query} /> : null}
      {exposure ? <AdminExposure {...exposure} /> : null}
      <AdminCorrection {...props} />
    </div>
  );
};
