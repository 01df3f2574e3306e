import type { Config } from "../config";
import type { Bus } from "./bus";
import type { Db } from "./db";
import type { Log } from "./log";
import type { Metrics } from "./metrics";
import type { Stream, Streams } from "./stream";
import type { Me, Visit } from "./visit";

export type { Me } from "./visit";

/** A staff deed's actor: who, from where. Staff commands take it second, so a deed without an actor does not compile. */
export type Act = { admin: Me; ip: string; userAgent: string };

/** Who is at the door; `identity` implements it. */
export type Gate = { whoIs(visit: Visit): Promise<Me | null>; callerOf(visit: Visit): Caller | null };

/** Somebody whose session a deed looks up in its own statement, so that both are one round trip. */
export type Caller = {
  readonly session: string;
  /** Looks the session up apart from a deed. Refuses (unauthorized) where it opens nothing. */
  meet(): Promise<Me>;
  /** Notes that the session was used, where that is due after so many seconds without a note. */
  used(idle: number): void;
};
/** Who does a deed: somebody met already, or a caller. */
export type By = { readonly id: string } | Caller;

/** What a browser asks of its stream: how often quotes may come, and the id of the last event that it has heard. */
type StreamWish = { quotes: "live" | "slow"; since: string | null };

/** A domain's part of the signed-in's one stream: sends what comes first, begins to listen, and returns how to stop. Staff's channels look at `me.role`. */
export type Channel = (stream: Stream, me: Me, wish: StreamWish) => () => void;

/** What every room of the house may use. Made once, in `app.ts`. */
export type House = {
  config: Config;
  sql: Db;
  log: Log;
  bus: Bus;
  /** The open event streams of this process. */
  streams: Streams;
  metrics: Metrics;
  gate: Gate;
  /** When the database last had no room on its disk, by performance.now(). */
  diskFullAt?: number;
  /** What the risk warning says: per cent of live accounts that have lost money. Measured by `trading`; null or missing where too few have traded. */
  losingShare?: number | null;
};
