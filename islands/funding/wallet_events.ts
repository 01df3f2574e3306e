import { useEffect } from "react";
import { myStream } from "../../src/portal/schema";
import { useTradingStore } from "../runtime/trading_store";
import { refreshWallet } from "./wallet";
import { listen } from "../wire/stream";

/**
 * Follows the person's requests as they are made or decided anywhere, and fetches lists and balance anew: also when the stream comes back, and
 * when it first connects if something may have been `missed` before.
 */
export function useWalletEvents(missed = false) {
  useTradingStore({});
  useEffect(() => {
    let isStale = missed;
    return listen<{ purse: object }>(myStream.path, { purse: () => void refreshWallet() }, (state) => {
      if (state === "open" && isStale) void refreshWallet();
      isStale = state === "lost" || (isStale && state !== "open");
    });
  }, [missed]);
}
