/** What the site lists as tradable, with the spread it names for each. */
export type Asset = {
  symbol: string;
  name: string;
  /** With its unit. Of currencies in pips, of indices and commodities in points of their quote, of coins as a share of the price. */
  spread: string;
};
export type AssetGroup = { title: string; assets: Asset[] };
export const ASSET_TABS = [
  { id: "forex", label: "Forex" },
  { id: "indices", label: "Indices" },
  { id: "commodities", label: "Commodities" },
  { id: "crypto", label: "Crypto" },
] as const;
export type AssetTab = (typeof ASSET_TABS)[number]["id"];

const CURRENCIES: Record<string, string> = {
  AUD: "Australian Dollar",
  CAD: "Canadian Dollar",
  CHF: "Swiss Franc",
  CNH: "Chinese Yuan (offshore)",
  CZK: "Czech Koruna",
  DKK: "Danish Krone",
  EUR: "Euro",
  GBP: "British Pound",
  HKD: "Hong Kong Dollar",
  HUF: "Hungarian Forint",
  ILS: "Israeli Shekel",
  JPY: "Japanese Yen",
  MXN: "Mexican Peso",
  NOK: "Norwegian Krone",
  NZD: "New Zealand Dollar",
  PLN: "Polish Zloty",
  SEK: "Swedish Krona",
  SGD: "Singapore Dollar",
  THB: "Thai Baht",
  TRY: "Turkish Lira",
  USD: "US Dollar",
  ZAR: "South African Rand",
};

const pairs = (text: string): Asset[] =>
  text.split(", ").map((each) => {
    const [symbol = "", pips = ""] = each.split(" ");
    const [base = "", quote = ""] = symbol.split("/");
    return { symbol, name: `${CURRENCIES[base]} / ${CURRENCIES[quote]}`, spread: `${pips} pips` };
  });
/** "symbol|name|spread" each. */
const listed = (unit: string, ...lines: string[]): Asset[] =>
  lines.map((line) => {
    const [symbol = "", name = "", spread = ""] = line.split("|");
    return { symbol, name, spread: `${spread}${unit}` };
  });

export const assetGroups: Record<AssetTab, AssetGroup[]> = {
  forex: [
    { title: "Major pairs", assets: pairs("EUR/USD 0.8, GBP/USD 1.0, USD/JPY 0.9, AUD/USD 0.9, USD/CHF 1.2, USD/CAD 1.2, NZD/USD 1.3") },
    { title: "Minor pairs", assets: pairs("EUR/GBP 1.1, EUR/JPY 1.4, GBP/JPY 2.1, AUD/JPY 1.7, EUR/CHF 1.5, EUR/AUD 2.0, GBP/CHF 2.2, CAD/JPY 1.9") },
    {
      title: "Further crosses",
      assets: pairs(
        "EUR/CAD 2.1, EUR/NZD 2.6, GBP/AUD 2.7, GBP/CAD 2.8, GBP/NZD 3.6, AUD/CAD 1.9, AUD/CHF 1.9, AUD/NZD 2.1, NZD/JPY 2.0, NZD/CAD 2.4, NZD/CHF 2.4, CAD/CHF 2.0, CHF/JPY 2.1",
      ),
    },
    {
      title: "Exotic pairs",
      assets: pairs(
        "USD/SEK 28, USD/NOK 30, USD/DKK 12, USD/PLN 22, USD/HUF 25, USD/CZK 26, USD/TRY 140, USD/ZAR 95, USD/MXN 48, USD/SGD 2.6, USD/HKD 3.2, USD/CNH 4.5, USD/THB 35, USD/ILS 40, EUR/SEK 32, EUR/NOK 34, EUR/DKK 14, EUR/PLN 26, EUR/HUF 30, EUR/CZK 30, EUR/TRY 160, EUR/ZAR 110, GBP/SEK 42, GBP/NOK 45",
      ),
    },
  ],
  indices: [
    {
      title: "Stock indices",
      assets: listed(
        " points",
        "US500|S&P 500, United States|0.5",
        "US100|Nasdaq 100, United States|1.2",
        "US30|Dow Jones 30, United States|2.0",
        "US2000|Russell 2000, United States|0.4",
        "GER40|DAX 40, Germany|1.1",
        "UK100|FTSE 100, United Kingdom|1.0",
        "FRA40|CAC 40, France|1.2",
        "EU50|Euro Stoxx 50, Euro area|1.5",
        "ESP35|IBEX 35, Spain|4.5",
        "ITA40|FTSE MIB 40, Italy|8.0",
        "SUI20|SMI 20, Switzerland|2.8",
        "JPN225|Nikkei 225, Japan|7.0",
        "HK50|Hang Seng 50, Hong Kong|6.5",
        "AUS200|ASX 200, Australia|1.4",
      ),
    },
  ],
  commodities: [
    {
      title: "Metals",
      assets: listed(
        "",
        "XAU/USD|Gold, troy ounce|$0.25",
        "XAG/USD|Silver, troy ounce|$0.025",
        "XPT/USD|Platinum, troy ounce|$1.80",
        "XPD/USD|Palladium, troy ounce|$4.50",
        "COPPER|Copper, pound|$0.004",
      ),
    },
    {
      title: "Energy",
      assets: listed(
        "",
        "WTI|Crude oil, West Texas, barrel|$0.03",
        "BRENT|Crude oil, North Sea, barrel|$0.03",
        "NGAS|Natural gas, million BTU|$0.006",
        "GASOLINE|Gasoline, gallon|$0.004",
      ),
    },
    {
      title: "Agriculture",
      assets: listed(
        "",
        "COFFEE|Coffee, pound|$0.0025",
        "COCOA|Cocoa, tonne|$8.00",
        "SUGAR|Sugar, pound|$0.0004",
        "COTTON|Cotton, pound|$0.0018",
        "WHEAT|Wheat, bushel|$0.011",
        "CORN|Corn, bushel|$0.009",
        "SOYBEAN|Soybeans, bushel|$0.018",
      ),
    },
  ],
  crypto: [
    {
      title: "Cryptocurrencies",
      assets: listed(
        "%",
        "BTC/USD|Bitcoin|0.01",
        "ETH/USD|Ethereum|0.01",
        "LTC/USD|Litecoin|0.04",
        "XRP/USD|XRP|0.04",
        "ADA/USD|Cardano|0.04",
        "DOT/USD|Polkadot|0.04",
        "LINK/USD|Chainlink|0.04",
        "AVAX/USD|Avalanche|0.04",
        "SOL/USD|Solana|0.04",
        "MATIC/USD|Polygon|0.04",
        "BNB/USD|BNB|0.04",
        "DOGE/USD|Dogecoin|0.04",
        "SHIB/USD|Shiba Inu|0.04",
        "TRX/USD|TRON|0.04",
        "ATOM/USD|Cosmos|0.04",
        "UNI/USD|Uniswap|0.04",
        "FIL/USD|Filecoin|0.04",
        "ALGO/USD|Algorand|0.04",
        "VET/USD|VeChain|0.04",
        "ICP/USD|Internet Computer|0.04",
      ),
    },
  ],
};
