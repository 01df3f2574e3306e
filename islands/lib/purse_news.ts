import { useEffect } from "react";
import { myStream } from "../../src/portal/schema";
import { useDesk } from "./desk";
import { refreshPurse } from "./purse";
import { listen } from "./stream";

/**
 * Hears of one's requests as they are made and decided, on whatever tab or desk: the lists and the balance are asked for anew, also
 * when the stream comes back, and when it first comes where something may have been `missed` before.
 */
export function usePurseNews(missed = false) {
  useDesk({});
  useEffect(() => {
    let look = missed;
    return listen<{ purse: object }>(myStream.path, { purse: () => void refreshPurse() }, (state) => {
      if (state === "open" && look) void refreshPurse();
      look = state === "lost" || (look && state !== "open");
    });
  }, [missed]);
}
