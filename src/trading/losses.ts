import { HOUR } from "../lib/time";
import type { AppContext } from "../platform/app_context";
import { lossCounts } from "./queries_losses";
import { losingShare } from "./rules_losses";

/** Measures what the risk warning says of live accounts; kept pages follow within the hour. */
export async function measureLosses(app: AppContext) {
  app.losingShare = losingShare(await lossCounts(app.sql));
}

/** Measures at the start and once an hour. Returns the way to stop. */
export function watchLosses(app: AppContext): () => void {
  const measure = () =>
    measureLosses(app).catch((error: unknown) => app.log.warn("the share of losing accounts could not be measured, will try again", { error }));
  void measure();
  const timer = setInterval(() => void measure(), HOUR);
  return () => clearInterval(timer);
}
