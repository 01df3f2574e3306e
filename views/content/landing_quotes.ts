/** A price as the landing page shows it. */
export type LandingQuote = {
  symbol: string;
  name: string;
  digits: number;
  bid: string;
  ask: string;
  /** The trading day's first mid price. */
  dayOpen: string;
  stale: boolean;
  /** Fixed figures in the place of the first quote, marked as such; the page's script puts the live ones in. */
  sample: boolean;
};

const sample = (symbol: string, name: string, digits: number, bid: string, ask: string, dayOpen: string): LandingQuote => ({
  ...{ symbol, name, digits, bid, ask, dayOpen },
  stale: false,
  sample: true,
});

/** What stands in the table and on the cards until a feed has spoken. */
const SAMPLES = [
  sample("EUR/USD", "Euro / US Dollar", 5, "1.08418", "1.08424", "1.08290"),
  sample("GBP/USD", "British Pound / US Dollar", 5, "1.27146", "1.27155", "1.27201"),
  sample("USD/JPY", "US Dollar / Japanese Yen", 3, "151.196", "151.204", "150.980"),
  sample("AUD/USD", "Australian Dollar / US Dollar", 5, "0.65836", "0.65844", "0.65790"),
  sample("BTC/USD", "Bitcoin", 2, "97245.10", "97254.90", "96120.00"),
  sample("ETH/USD", "Ethereum", 2, "3419.80", "3420.20", "3462.00"),
];
export const sampleOf = (symbol: string): LandingQuote | undefined => SAMPLES.find((each) => each.symbol === symbol);
