import { useEffect } from "react";
import { myStream } from "../../src/trading/schema";
import { useDesk } from "./desk";
import { refreshPurse } from "./purse";
import { listen } from "./stream";

/** Hears of decisions on one's requests as they are made: the desk tells the notice, and the lists and the balance are asked for anew. */
export function usePurseNews() {
  useDesk({});
  useEffect(() => listen<{ notice: object }>(myStream.path, { notice: () => void refreshPurse() }), []);
}
