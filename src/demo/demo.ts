import type { Config } from "../config";
import { endSessions } from "../identity/commands";
import { DAY, MINUTE } from "../lib/time";
import { marketHours } from "../market/hours";
import { holdListings } from "../market/listings";
import { randomFrom } from "../market/random";
import { keepNewest } from "../notifications/commands";
import { localBus } from "../platform/cluster/bus";
import type { Db } from "../platform/database/db";
import { firstBrand } from "../platform/page/brand";
import type { AppContext } from "../platform/app_context";
import type { Log } from "../platform/log";
import { Inflow } from "../platform/http/inflow";
import { Pace } from "../platform/http/pace";
import { Metrics } from "../platform/metrics";
import { StartError } from "../platform/start_error";
import { Streams } from "../platform/http/stream";
import { listedInstruments } from "../trading/queries_instruments";
import { Calendar } from "./calendar";
import { castOf } from "./cast";
import { ToldMarket } from "./market";
import { Months } from "./months";
import { firstAdmin, hasTraders } from "./queries";

/** News for staff that stay; those of months would only be noise. */
const NEWS = 30;

export type Demo = { people: number; deals: number; email: string; password: string };
type Options = {
  /** Days that are told, people who appear, and moments a day. */
  days?: number;
  people?: number;
  moments?: number;
  onDay?: (day: number, of: number) => void;
};

/**
 * Fills a database without traders with months of fictional people: they register, pay in, trade, ask and withdraw, staff
 * decide, each by the command that the screens use. The same FEED_SEED tells the same story. Needs an administrator.
 * Throws StartError where somebody registered already.
 */
export async function fillDemo(parts: { config: Config; sql: Db; log: Log }, { days = 90, people = 48, moments = 12, onDay }: Options = {}): Promise<Demo> {
  const { sql } = parts;
  // Who registers and signs in here is part of the story, and nothing that happened to this site.
  const log: Log = { ...parts.log, info: () => {} };
  // All of them come from this machine.
  const config = { ...parts.config, registrationsPerNetwork: Number.POSITIVE_INFINITY };
  const admin = await firstAdmin(sql);
  if (!admin) throw new StartError("There is no administrator yet: make one first (halyard admin create).");
  if (await hasTraders(sql)) throw new StartError("People have registered here already. The demo fills a fresh database only; nothing was changed.");

  holdListings(await listedInstruments(sql));
  const dice = randomFrom(config.feedSeed, "what people do");
  const end = Math.floor(Date.now() / MINUTE) * MINUTE;
  const start = end - days * DAY;
  const samples = samplesOf(start, days, moments, dice);
  const market = await ToldMarket.walk(sql, { seed: config.feedSeed, hours: marketHours(config.marketHours), end, span: days * DAY, samples });

  const metrics = new Metrics();
  const bus = localBus((error) => log.error("a listener failed", { error }));
  const authenticator = { whoIs: async () => null, callerOf: () => null, meetingOf: () => null, isProven: async () => false, lastHere: async () => null };
  const app: AppContext = {
    config,
    sql,
    log,
    bus,
    streams: new Streams({ log }),
    metrics,
    inflow: new Inflow(),
    pace: new Pace(),
    engineSql: sql,
    reading: () => Promise.resolve(sql),
    brand: firstBrand(config),
    authenticator,
  };
  const password = crypto.randomUUID().slice(0, 13);
  const act = { admin, ip: "", userAgent: "halyard demo" };
  const calendar = new Calendar(sql);
  const months = new Months({ app, market, dice, act, names: castOf(people), password, start, end });

  await calendar.turnTo(start);
  await months.prepare();
  for (const [n, at] of samples.entries()) {
    if (n % moments === 0) onDay?.(n / moments + 1, days);
    await calendar.turnTo(at);
    market.turnTo(at);
    await months.live(at);
  }
  await months.finish();
  await calendar.settle();
  for (const { id } of months.people) await endSessions(sql, id);
  await keepNewest(sql, NEWS);
  metrics.close();
  return { people: months.people.length, deals: months.dealing.deals, email: months.people.at(5)?.email ?? "", password };
}

/** The minutes at which something happens: so many a day, not on the hour. */
function samplesOf(start: number, days: number, moments: number, dice: () => number): number[] {
  const slot = Math.floor(DAY / moments / MINUTE);
  return Array.from({ length: days * moments }, (_, n) => start + (n * slot + Math.floor(dice() * (slot - 1))) * MINUTE);
}
