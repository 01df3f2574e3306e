import { SHORTCUTS } from "../ui/shortcut_keys";

const LIST: { key: string; does: string }[] = [
  { key: SHORTCUTS.buy, does: "Set the order to BUY" },
  { key: SHORTCUTS.sell, does: "Set the order to SELL" },
  { key: SHORTCUTS.instrument, does: "Go to the currency pair" },
  { key: SHORTCUTS.amount, does: "Go to the amount" },
  { key: SHORTCUTS.stop, does: "Go to the stop loss" },
  { key: SHORTCUTS.target, does: "Go to the take profit" },
  { key: "Enter", does: "In the order: execute it" },
  { key: SHORTCUTS.preview, does: "Preview the trade" },
  { key: SHORTCUTS.closeAll, does: "Close all positions, after a question" },
  { key: SHORTCUTS.search, does: "Search instruments" },
  { key: "1 – 6", does: "Open a tab of the lists" },
  { key: "← →", does: "On the chart: go from candle to candle, ten with Shift; Home and End: the first and last shown; Escape lets go" },
  { key: "↑ ↓", does: "On a stop or target of the chart: move it; Enter confirms, Escape puts it back" },
  { key: SHORTCUTS.help, does: "Show this list" },
];

/** What the keys do while no field has the focus. */
export default function Shortcuts() {
  return (
    <dl className="flex flex-col gap-3">
      {LIST.map(({ key, does }) => (
        <div key={key} className="grid grid-cols-[4rem_1fr] items-center gap-4">
          <dt>
            <kbd className="inline-flex min-h-8 min-w-8 items-center justify-center rounded-control border border-control px-2 font-mono text-table">
              {key.length === 1 ? key.toUpperCase() : key}
            </kbd>
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
  );
}
