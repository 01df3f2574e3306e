import * as v from "valibot";
import { many } from "../platform/database/db";
import type { AppContext } from "../platform/app_context";

const stampRow = v.strictObject({ id: v.string(), stamp: v.string() });

/** The stamp of each group's terms by its id; an open page compares it with those of its accounts (`stampOf`). */
export type GroupStamps = Readonly<Record<string, string>>;

/**
 * Tells each listener the groups' stamps: when it comes, and whenever one is another, whoever changed it and in whichever program. They are read
 * once for all listeners, when staff set something or what was decided earlier came in force.
 */
export function groupStamps({ sql, bus, log }: Pick<AppContext, "sql" | "bus" | "log">): (listener: (stamps: GroupStamps) => void) => () => void {
  const listeners = new Set<(stamps: GroupStamps) => void>();
  let known: GroupStamps | null = null;
  let turn = Promise.resolve();
  let looks = 0;
  const look = async () => {
    try {
      const rows = await many(stampRow, sql`select id, format('%s/%s', version, applied) as stamp from account_types order by place limit 1000`);
      const stamps = Object.fromEntries(rows.map(({ id, stamp }) => [id, stamp]));
      if (JSON.stringify(stamps) === JSON.stringify(known)) return;
      known = stamps;
      for (const listener of listeners) listener(stamps);
    } catch (error) {
      log.warn("the groups' terms could not be read for open pages, will try again", { error });
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
