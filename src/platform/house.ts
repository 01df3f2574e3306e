import type { Config } from "../config";
import type { Bus } from "./bus";
import type { Db } from "./db";
import type { Log } from "./log";
import type { Streams } from "./stream";
import type { Me, Visit } from "./visit";

export type { Me } from "./visit";

/** A staff deed's actor: who, from where. Staff commands take it second, so a deed without an actor does not compile. */
export type Act = { admin: Me; ip: string; userAgent: string };

/** Who is at the door; `identity` implements it. */
export type Gate = { whoIs(visit: Visit): Promise<Me | null> };

/** What every room of the house may use. Made once, in `app.ts`. */
export type House = {
  config: Config;
  sql: Db;
  log: Log;
  bus: Bus;
  /** The open event streams of this process. */
  streams: Streams;
  gate: Gate;
};
