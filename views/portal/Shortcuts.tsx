/** The keys of the trading screen, as `event.key` in lower case. */
export const SHORTCUTS = { buy: "b", sell: "s", amount: "a", help: "?" } as const;

const LIST = [
  { key: SHORTCUTS.buy, does: "Set the order to BUY" },
  { key: SHORTCUTS.sell, does: "Set the order to SELL" },
  { key: SHORTCUTS.amount, does: "Go to the amount" },
  { key: SHORTCUTS.help, does: "Show this list" },
];

/** What the keys do while no field has the focus. */
export const Shortcuts = () => (
  <dl className="flex flex-col gap-3">
    {LIST.map(({ key, does }) => (
      <div key={key} className="flex items-center gap-4">
        <dt>
          <kbd className="inline-flex min-h-8 min-w-8 items-center justify-center rounded-control border border-control px-2 font-mono text-table uppercase">
            {key}
          </kbd>
        </dt>
        <dd>{does}</dd>
      </div>
    ))}
  </dl>
);
