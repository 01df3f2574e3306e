import { MINUTE } from "../lib/time";
import { heldTerms, holdTerms } from "../market/rules_terms";
import type { AppContext } from "../platform/app_context";
import { nextTerms, termsInForce } from "./queries_instruments";

/**
 * Keeps the terms of instruments at hand for pages and streams: looked up when staff set something, when a version takes effect, and once a
 * minute. Returns the way to stop.
 */
export async function watchInstruments(app: AppContext): Promise<() => Promise<void>> {
  let turn: Promise<void> = Promise.resolve();
  let timer: Timer | undefined;
  let isStopped = false;
  const look = async () => {
    clearTimeout(timer);
    let wait = MINUTE;
    try {
      holdTerms(await termsInForce(app.sql));
      wait = Math.min(MINUTE, (await nextTerms(app.sql)) ?? MINUTE);
    } catch (error) {
      app.log.warn("the terms of instruments could not be looked up, will try again", { error });
    }
    if (!isStopped) timer = setTimeout(again, Math.ceil(Math.max(wait, 1)));
  };
  const again = () => void (turn = turn.then(look));
  const unsubscribe = app.bus.subscribe("staff", ({ about }) => about === "setting" && again());
  app.instrumentTerms = heldTerms;
  await look();
  return () => {
    isStopped = true;
    clearTimeout(timer);
    unsubscribe();
    return turn;
  };
}
