import { instrumentOf } from "./rules_listed";

/** The coins, which the signed-in home lists. */
export const isListedCoin = (symbol: string): boolean => instrumentOf(symbol)?.group === "crypto";

const AMONG_PAIRS = "BNB DOGE SHIB TRX ATOM UNI FIL ALGO VET ICP".split(" ");

/** The portal's Cryptocurrency list; these coins and every other instrument stand in its Forex Watchlist. */
export const inCryptoGroup = (symbol: string): boolean => isListedCoin(symbol) && !AMONG_PAIRS.includes(symbol.split("/")[0] ?? "");
