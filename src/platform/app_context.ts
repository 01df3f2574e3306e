import type { Config } from "../config";
import type { ArchiveState } from "./archive/archiver";
import type { Bus } from "./cluster/bus";
import type { Db } from "./database/db";
import type { Reading } from "./database/reading";
import type { Log } from "./log";
import type { Brand } from "./page/brand";
import type { Page } from "./page/page";
import type { Metrics } from "./metrics";
import type { Inflow } from "./http/inflow";
import type { Pace } from "./http/pace";
import type { Patience } from "./http/patience";
import type { Stream, Streams } from "./http/stream";
import type { Me, RequestContext } from "./http/request_context";

export type { Me } from "./http/request_context";

/** A staff command's actor: who, from where. Staff commands take it second, so a command without an actor does not compile. */
export type Act = { admin: Me; ip: string; userAgent: string };

/** Says who makes a request, and whether the session proved it less than fifteen minutes ago; `identity` implements it. */
export type Authenticator = {
  whoIs(context: RequestContext): Promise<Me | null>;
  callerOf(context: RequestContext): Caller | null;
  /** Whose session a request carries, and what reads whether it still opens anything; null where nobody knows yet whose it is. */
  meetingOf(context: RequestContext): Meeting | null;
  isProven(me: Me): Promise<boolean>;
  /** The id of who signed in last in this browser, whether that session is over or not; null where that is not known any more. */
  lastHere(context: RequestContext): Promise<string | null>;
};

/** A caller whose session the command itself looks up, in its own statement: one round trip. */
export type Caller = {
  readonly session: string;
  /** The session's person; known after the first look-up. Refuses (unauthorized) where the session opens nothing. */
  person(): Promise<string>;
  /** Looks the session up in a statement of its own. Refuses (unauthorized) where it opens nothing. */
  meet(): Promise<Me>;
  /** Notes that the session was used, if the last note is old enough; `idle` is its age in seconds. */
  used(idle: number): void;
};
/** Somebody whose session is looked up in the statement that reads what he asks for: it is shown to nobody where there is no `me`. */
export type Meeting = { readonly personId: string; readonly me: Reading<Me | null> };
/** Who does a command: somebody met already, or a caller. */
export type By = { readonly id: string } | Caller;

/** What a browser asks of its stream: how often quotes may come, and the id of the last event that it has heard. */
type StreamWish = { quotes: "live" | "slow"; since: string | null };

/** A domain's part of the signed-in's one stream: sends what comes first, begins to listen, and returns how to stop. Staff's channels look at `me.role`. */
export type Channel = (stream: Stream, me: Me, wish: StreamWish) => () => void;

/** Something that staff, or somebody at a route of theirs, wanted and was refused. */
export type Attempt = { userId: string; method: string; path: string; code: string; reason: string; ipAddress: string; requestId: string };

/** What every domain may use. Made once, in `app.ts`. */
export type AppContext = {
  config: Config;
  sql: Db;
  /** Connections of the engine's own, which whatever people send can't use up. */
  engineSql: Db;
  /** Where what may be long is read: a replica that holds all that the primary holds at this moment, or the primary. */
  reading: () => Promise<Db>;
  log: Log;
  bus: Bus;
  /** The open event streams of this process. */
  streams: Streams;
  metrics: Metrics;
  /** The bodies of requests that are still on their way. */
  inflow: Inflow;
  /** How much of one person is worked on. */
  pace: Pace;
  /** The longest that an answer may take, where it is not the product's own. */
  longest?: Patience;
  /** The archive that the database's log is brought to; null or missing where there is none. */
  archive?: { readonly state: ArchiveState } | null;
  authenticator: Authenticator;
  /** The sign-in page in answer to a form that came without a session, which did nothing; `held`: what the form said, to be carried back to it. */
  signInPage?: (context: RequestContext, undone: { returnTo: string; held: string | null }) => Page;
  /** Keeps what staff were refused; `audit` implements it. */
  keepAttempt?: (attempt: Attempt) => void;
  /** When the database last had no room on its disk, by performance.now(). */
  diskFullAt?: number;
  /** This program ends in a moment, and nothing new should be sent to it. */
  leaving?: boolean;
  /** When `ledger` last checked the books here, and how many accounts, entries or books were off. */
  booksChecked?: { at: string; off: number };
  /** What the risk warning says: per cent of live accounts that have lost money. Measured by `trading`; null or missing where too few have traded. */
  losingShare?: number | null;
  /** Which version of the terms a person has still to accept; null: none. Kept by `texts`. */
  termsDue?: (userId: string) => Promise<number | null>;
  /** Name, colours and pictures of the house. Kept by `texts`. */
  brand: Brand;
  /** How instruments are listed and dealt, as pages with islands carry it. Kept by `trading`. */
  instruments?: () => string;
  /** The countries with rules of their own: the risk warning in the place of the site's, and whether leverage is bounded. Kept by `compliance`. */
  countries?: ReadonlyMap<string, { warning: string | null; boundsLeverage: boolean }>;
};

/** The same for one request that only reads: `sql` is where long reads go. */
export const reader = async (app: AppContext): Promise<AppContext> => ({ ...app, sql: await app.reading() });
