const LISTED = "BTC ETH LTC XRP ADA DOT LINK AVAX SOL MATIC BNB DOGE SHIB TRX ATOM UNI FIL ALGO VET ICP".split(" ");

/** The coins that the signed-in home lists. */
export const isListedCoin = (symbol: string): boolean => LISTED.some((ticker) => symbol.includes(ticker));

const GROUPED = "BTC ETH LTC XRP ADA DOT LINK AVAX SOL MATIC".split(" ");

/** The portal's Cryptocurrency list; every other instrument stands in its Forex Watchlist. */
export const inCryptoGroup = (symbol: string): boolean => GROUPED.some((ticker) => symbol.includes(ticker));
