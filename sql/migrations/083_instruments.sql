-- What each instrument is, as data; its versions may say it otherwise.
alter table instruments add column place integer, add column listing jsonb;
update instruments i
set place = s.place, listing = s.said -> 1
from jsonb_array_elements($seed$[
  ["EUR/USD", {"name": "Euro / US Dollar", "digits": 5, "pip": "0.0001", "hours": null, "simulator": {"start": 1.0842, "volatility": 0.07, "spread": 0.6}, "kraken": "EUR/USD", "replay": "EUR/USD"}],
  ["GBP/USD", {"name": "British Pound / US Dollar", "digits": 5, "pip": "0.0001", "hours": null, "simulator": {"start": 1.2715, "volatility": 0.08, "spread": 0.9}, "kraken": "GBP/USD", "replay": "GBP/USD"}],
  ["USD/JPY", {"name": "US Dollar / Japanese Yen", "digits": 3, "pip": "0.01", "hours": null, "simulator": {"start": 151.2, "volatility": 0.1, "spread": 0.8}, "kraken": "USD/JPY", "replay": "USD/JPY"}],
  ["AUD/USD", {"name": "Australian Dollar / US Dollar", "digits": 5, "pip": "0.0001", "hours": null, "simulator": {"start": 0.6584, "volatility": 0.1, "spread": 0.8}, "kraken": "AUD/USD", "replay": "AUD/USD"}],
  ["USD/CHF", {"name": "US Dollar / Swiss Franc", "digits": 5, "pip": "0.0001", "hours": null, "simulator": {"start": 0.8826, "volatility": 0.08, "spread": 1.1}, "kraken": "USD/CHF", "replay": "USD/CHF"}],
  ["USD/CAD", {"name": "US Dollar / Canadian Dollar", "digits": 5, "pip": "0.0001", "hours": null, "simulator": {"start": 1.3645, "volatility": 0.065, "spread": 1.1}, "kraken": "USD/CAD", "replay": "USD/CAD"}],
  ["NZD/USD", {"name": "New Zealand Dollar / US Dollar", "digits": 5, "pip": "0.0001", "hours": null, "simulator": {"start": 0.6012, "volatility": 0.105, "spread": 1.2}, "kraken": "NZD/USD", "replay": "NZD/USD"}],
  ["EUR/GBP", {"name": "Euro / British Pound", "digits": 5, "pip": "0.0001", "hours": null, "simulator": {"spread": 1}, "kraken": "EUR/GBP", "replay": "EUR/GBP"}],
  ["EUR/JPY", {"name": "Euro / Japanese Yen", "digits": 3, "pip": "0.01", "hours": null, "simulator": {"spread": 1.3}, "kraken": "EUR/JPY", "replay": "EUR/JPY"}],
  ["GBP/JPY", {"name": "British Pound / Japanese Yen", "digits": 3, "pip": "0.01", "hours": null, "simulator": {"spread": 2}, "kraken": "GBP/JPY", "replay": "GBP/JPY"}],
  ["AUD/JPY", {"name": "Australian Dollar / Japanese Yen", "digits": 3, "pip": "0.01", "hours": null, "simulator": {"spread": 1.6}, "kraken": "AUD/JPY", "replay": "AUD/JPY"}],
  ["EUR/CHF", {"name": "Euro / Swiss Franc", "digits": 5, "pip": "0.0001", "hours": null, "simulator": {"spread": 1.4}, "kraken": "EUR/CHF", "replay": "EUR/CHF"}],
  ["EUR/AUD", {"name": "Euro / Australian Dollar", "digits": 5, "pip": "0.0001", "hours": null, "simulator": {"spread": 1.9}, "kraken": "EUR/AUD", "replay": "EUR/AUD"}],
  ["GBP/CHF", {"name": "British Pound / Swiss Franc", "digits": 5, "pip": "0.0001", "hours": null, "simulator": {"spread": 2.1}, "kraken": "GBP/CHF", "replay": "GBP/CHF"}],
  ["CAD/JPY", {"name": "Canadian Dollar / Japanese Yen", "digits": 3, "pip": "0.01", "hours": null, "simulator": {"spread": 1.8}, "kraken": "CAD/JPY", "replay": "CAD/JPY"}],
  ["BTC/USD", {"name": "Bitcoin", "digits": 2, "pip": "0.1", "hours": null, "simulator": {"start": 97250, "volatility": 0.5}, "kraken": "BTC/USD", "replay": "BTC/USD"}],
  ["ETH/USD", {"name": "Ethereum", "digits": 2, "pip": "0.1", "hours": null, "simulator": {"start": 3420, "volatility": 0.65}, "kraken": "ETH/USD", "replay": "ETH/USD"}],
  ["LTC/USD", {"name": "Litecoin", "digits": 2, "pip": "0.1", "hours": null, "simulator": {"start": 92.4, "volatility": 0.75}, "kraken": "LTC/USD", "replay": "LTC/USD"}],
  ["XRP/USD", {"name": "XRP", "digits": 5, "pip": "0.0001", "hours": null, "simulator": {"start": 2.18, "volatility": 0.8}, "kraken": "XRP/USD", "replay": "XRP/USD"}],
  ["ADA/USD", {"name": "Cardano", "digits": 5, "pip": "0.0001", "hours": null, "simulator": {"start": 0.742, "volatility": 0.85}, "kraken": "ADA/USD", "replay": "ADA/USD"}],
  ["DOT/USD", {"name": "Polkadot", "digits": 4, "pip": "0.001", "hours": null, "simulator": {"start": 6.35, "volatility": 0.85}, "kraken": "DOT/USD", "replay": "DOT/USD"}],
  ["LINK/USD", {"name": "Chainlink", "digits": 4, "pip": "0.001", "hours": null, "simulator": {"start": 18.4, "volatility": 0.85}, "kraken": "LINK/USD", "replay": "LINK/USD"}],
  ["AVAX/USD", {"name": "Avalanche", "digits": 3, "pip": "0.01", "hours": null, "simulator": {"start": 31.2, "volatility": 0.9}, "kraken": "AVAX/USD", "replay": "AVAX/USD"}],
  ["SOL/USD", {"name": "Solana", "digits": 3, "pip": "0.01", "hours": null, "simulator": {"start": 188.5, "volatility": 0.8}, "kraken": "SOL/USD", "replay": "SOL/USD"}],
  ["MATIC/USD", {"name": "Polygon", "digits": 5, "pip": "0.0001", "hours": null, "simulator": {"start": 0.485, "volatility": 0.9}, "kraken": "POL/USD", "replay": "MATIC/USD"}],
  ["BNB/USD", {"name": "BNB", "digits": 2, "pip": "0.1", "hours": null, "simulator": {"start": 642, "volatility": 0.55}, "kraken": "BNB/USD", "replay": "BNB/USD"}],
  ["DOGE/USD", {"name": "Dogecoin", "digits": 6, "pip": "0.00001", "hours": null, "simulator": {"start": 0.2145, "volatility": 0.95}, "kraken": "DOGE/USD", "replay": "DOGE/USD"}],
  ["SHIB/USD", {"name": "Shiba Inu", "digits": 8, "pip": "0.0000001", "hours": null, "simulator": {"start": 0.00001834, "volatility": 0.95}, "kraken": "SHIB/USD", "replay": "SHIB/USD"}],
  ["TRX/USD", {"name": "TRON", "digits": 6, "pip": "0.00001", "hours": null, "simulator": {"start": 0.2462, "volatility": 0.6}, "kraken": "TRX/USD", "replay": "TRX/USD"}],
  ["ATOM/USD", {"name": "Cosmos", "digits": 4, "pip": "0.001", "hours": null, "simulator": {"start": 6.12, "volatility": 0.85}, "kraken": "ATOM/USD", "replay": "ATOM/USD"}],
  ["UNI/USD", {"name": "Uniswap", "digits": 4, "pip": "0.001", "hours": null, "simulator": {"start": 9.85, "volatility": 0.9}, "kraken": "UNI/USD", "replay": "UNI/USD"}],
  ["FIL/USD", {"name": "Filecoin", "digits": 4, "pip": "0.001", "hours": null, "simulator": {"start": 4.75, "volatility": 0.9}, "kraken": "FIL/USD", "replay": "FIL/USD"}],
  ["ALGO/USD", {"name": "Algorand", "digits": 5, "pip": "0.0001", "hours": null, "simulator": {"start": 0.2815, "volatility": 0.9}, "kraken": "ALGO/USD", "replay": "ALGO/USD"}],
  ["VET/USD", {"name": "VeChain", "digits": 6, "pip": "0.00001", "hours": null, "simulator": {"start": 0.0384, "volatility": 0.95}, "kraken": "VET/USD", "replay": "VET/USD"}],
  ["ICP/USD", {"name": "Internet Computer", "digits": 4, "pip": "0.001", "hours": null, "simulator": {"start": 9.64, "volatility": 0.9}, "kraken": "ICP/USD", "replay": "ICP/USD"}]
]$seed$) with ordinality as s (said, place)
where i.symbol = s.said ->> 0;
alter table instruments
  alter column place set not null, alter column listing set not null, add constraint instruments_place_key unique (place),
  add constraint instruments_listing_check check (listing ->> 'name' is not null and (listing ->> 'digits')::integer between 1 and 8 and (listing ->> 'pip')::numeric > 0);
alter table instrument_terms
  -- Null: as it was when it was listed.
  add column listing jsonb,
  add constraint instrument_terms_listing_check check ((listing ->> 'digits')::integer between 1 and 8 and (listing ->> 'pip')::numeric > 0);
