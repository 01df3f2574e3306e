import { useEffect } from "react";
import { myStream } from "../../src/portal/schema";
import { useDesk } from "./desk";
import { refreshPurse } from "./purse";
import { listen } from "./stream";

/** Hears of one's requests as they are made and decided, on whatever tab or desk: the lists and the balance are asked for anew. */
export function usePurseNews() {
  useDesk({});
  useEffect(() => listen<{ purse: object }>(myStream.path, { purse: () => void refreshPurse() }), []);
}
