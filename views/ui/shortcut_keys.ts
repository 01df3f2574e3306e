/** The keys of the trading screen, as `event.key` in lower case. The digits open the tabs. */
export const SHORTCUTS = {
  buy: "b",
  sell: "s",
  amount: "a",
  stop: "l",
  target: "t",
  preview: "p",
  instrument: "i",
  search: "/",
  closeAll: "c",
  help: "?",
} as const;
