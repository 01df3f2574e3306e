import type { BoardArrays } from "../market/board_sql";
import type { Market } from "../market/market";
import type { Bus } from "../platform/cluster/bus";
import type { Db } from "../platform/database/db";
import type { Log } from "../platform/log";
import type { Epoch } from "./commands";

/** What the engine works with. */
export type EngineParts = {
  sql: Db;
  market: Market;
  bus: Bus;
  log: Log;
  board: () => BoardArrays;
  /** In which this program leads; null: alone on its database. */
  epoch?: Epoch;
  /** Another program turned out to lead. */
  onDeposed?: () => void;
};
