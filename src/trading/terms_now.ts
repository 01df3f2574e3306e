import * as v from "valibot";
import { many } from "../platform/database/db";
import type { AppContext } from "../platform/app_context";
import type { LeverageBounds } from "./rules_prices";

/** What an open page's accounts are dealt at, as staff set it: told to all of them, that each may find out whether it is of before. */

type Needs = Pick<AppContext, "sql" | "bus" | "log">;
type Follow<T> = (listener: (now: T) => void) => () => void;

/**
 * Tells each listener what `read` finds: when it comes, and whenever that is something else, whoever changed it and in whichever program. It is read
 * once for all listeners, when staff set something or what was decided earlier came in force. `what`: for the log.
 */
function followed<T>({ bus, log }: Pick<Needs, "bus" | "log">, what: string, read: () => Promise<T>): Follow<T> {
  const listeners = new Set<(now: T) => void>();
  let known: T | null = null;
  let turn = Promise.resolve();
  let looks = 0;
  const look = async () => {
    try {
      const found = await read();
      if (JSON.stringify(found) === JSON.stringify(known)) return;
      known = found;
      for (const listener of listeners) listener(found);
    } catch (error) {
      log.warn(`${what} could not be read for open pages, will try again`, { error });
      known = null;
    }
  };
  // What is set while a look is under way may be missing in it.
  const again = () => {
    looks++;
    turn = turn.then(look).finally(() => looks--);
  };
  bus.subscribe("staff", ({ about }) => about === "setting" && again());
  bus.subscribe("renewed", again);
  return (listener) => {
    listeners.add(listener);
    if (known) listener(known);
    else if (looks === 0) again();
    return () => void listeners.delete(listener);
  };
}

/** The stamp of each group's terms by its id; an open page compares it with those of its accounts (`stampOf`). */
export type GroupStamps = Readonly<Record<string, string>>;
const stampRow = v.strictObject({ id: v.string(), stamp: v.string() });

/** Follows the groups' stamps. */
export const groupStamps = (app: Needs): Follow<GroupStamps> =>
  followed(app, "the groups' terms", async () => {
    const rows = await many(stampRow, app.sql`select id, format('%s/%s', version, applied) as stamp from account_types order by place limit 1000`);
    return Object.fromEntries(rows.map(({ id, stamp }) => [id, stamp]));
  });

/** What each country with rules of its own allows, by its code. */
export type CountryBounds = Readonly<Record<string, LeverageBounds>>;
const boundsRow = v.strictObject({ country: v.string(), bounds: v.record(v.string(), v.number()) });

/** Follows the leverage that countries allow. */
export const countryBounds = (app: Needs): Follow<CountryBounds> =>
  followed(app, "the countries' leverage", async () => {
    const rows = await many(
      boundsRow,
      app.sql`
        select country, jsonb_strip_nulls(jsonb_build_object('forex-major', leverage_major, 'forex-minor', leverage_minor, 'crypto', leverage_crypto)) as bounds
        from jurisdictions
        order by country
        limit 300
      `,
    );
    return Object.fromEntries(rows.map(({ country, bounds }) => [country, bounds]));
  });
