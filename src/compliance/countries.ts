import { MINUTE } from "../lib/time";
import type { AppContext } from "../platform/app_context";
import { countryRules } from "./queries_rules";

/** Keeps the countries' rules at hand for every page and deal: looked up once a minute, and when somebody of the staff set something. Returns the way to stop. */
export function watchCountries(app: AppContext): () => Promise<void> {
  let turn: Promise<void> = Promise.resolve();
  const look = async () => {
    try {
      app.countries = await countryRules(app.sql);
    } catch (error) {
      app.log.warn("the countries' rules could not be looked up, will try again", { error });
    }
  };
  const again = () => void (turn = turn.then(look));
  const unsubscribe = app.bus.subscribe("staff", ({ about }) => about === "setting" && again());
  const timer = setInterval(again, MINUTE);
  again();
  return () => {
    clearInterval(timer);
    unsubscribe();
    return turn;
  };
}
