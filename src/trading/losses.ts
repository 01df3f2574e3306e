import { HOUR } from "../lib/time";
import type { House } from "../platform/house";
import { lossCounts } from "./queries_losses";
import { losingShare } from "./rules_losses";

/** Measures what the risk warning says of live accounts; kept pages follow within the hour. */
export async function measureLosses(house: House) {
  house.losingShare = losingShare(await lossCounts(house.sql));
}

/** Measures at the start and once an hour. Returns the way to stop. */
export function watchLosses(house: House): () => void {
  const measure = () =>
    measureLosses(house).catch((error: unknown) => house.log.warn("the share of losing accounts could not be measured, will try again", { error }));
  void measure();
  const timer = setInterval(() => void measure(), HOUR);
  return () => clearInterval(timer);
}
