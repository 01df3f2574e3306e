import { MINUTE } from "../lib/time";
import { holdListings } from "../market/listings";
import { heldInstruments } from "../market/rules_listed";
import type { AppContext } from "../platform/app_context";
import { listedInstruments, nextTerms } from "./queries_instruments";

/**
 * Keeps the instruments at hand, as they are listed and dealt: looked up when staff set something, when a version takes effect, once a
 * minute, and after deals where what clients hold is bounded. Throws where they can't be read at first. Returns the way to stop.
 */
export async function watchInstruments(app: AppContext): Promise<() => Promise<void>> {
  let turn: Promise<void> = Promise.resolve();
  let timer: Timer | undefined;
  let isStopped = false;
  let isBounded = false;
  const read = async () => {
    await app.sql`select instruments_come_due()`;
    const listed = await listedInstruments(app.sql);
    isBounded = listed.some((each) => each.isBounded);
    holdListings(listed);
  };
  const look = async () => {
    clearTimeout(timer);
    let wait = MINUTE;
    try {
      await read();
      wait = Math.min(MINUTE, (await nextTerms(app.sql)) ?? MINUTE);
    } catch (error) {
      app.log.warn("the instruments could not be looked up, will try again", { error });
    }
    if (!isStopped) timer = setTimeout(again, Math.ceil(Math.max(wait, 1)));
  };
  let waits = false;
  const again = () => {
    if (waits) return;
    waits = true;
    turn = turn.then(() => {
      waits = false;
      return look();
    });
  };
  const unsubscribe = [
    app.bus.subscribe("staff", ({ about }) => about === "setting" && again()),
    app.bus.subscribe("renewed", again),
    app.bus.subscribe("position", () => isBounded && again()),
  ];
  app.instruments = heldInstruments;
  await read();
  await look();
  return () => {
    isStopped = true;
    clearTimeout(timer);
    for (const stop of unsubscribe) stop();
    return turn;
  };
}
