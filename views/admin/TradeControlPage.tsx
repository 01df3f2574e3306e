import AdminCorrection, { type TradeControlProps } from "../../islands/AdminCorrection";
import { Filters } from "./Filters";
import { tradeViews, VIEW_LABELS } from "./trade_words";

/** The Trade Control tab: one of its lists at a time. */
export const TradeControlPage = (props: TradeControlProps) => (
  <div className="flex flex-col gap-3">
    <Filters
      tab="trades"
      q={props.query.q}
      status={props.list.view}
      choices={tradeViews.map((id) => ({ id, label: VIEW_LABELS[id] }))}
      searchLabel="Search by person, account, symbol or position ID"
      statusLabel="Lists"
    />
    <AdminCorrection {...props} />
  </div>
);
