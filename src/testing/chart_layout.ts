/** A chart of candles with three indicators, of which two have panes of their own, as it is kept for a person. */
export const THREE_INDICATORS = {
  ...{ kind: "candles", interval: "5m", log: false, utc: true, bidAsk: false, fills: false, compare: null, drawings: [], charts: [] },
  indicators: [
    { name: "SMA", params: [20] },
    { name: "RSI", params: [14] },
    { name: "MACD", params: [12, 26, 9] },
  ],
};
