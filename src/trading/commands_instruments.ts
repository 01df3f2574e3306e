import type { InferOutput } from "valibot";
import { invalidField, notFound, Refusal } from "../lib/refusal";
import { NEW_YORK } from "../lib/time";
import { holdListings } from "../market/listings";
import type { Market } from "../market/market";
import { instrumentOf } from "../market/rules_listed";
import { readHolidays, readSessions } from "../market/rules_hours";
import type { Listing } from "../market/schema_listings";
import type { Act, AppContext } from "../platform/app_context";
import type { Sql } from "../platform/database/db";
import { refused } from "./commands";
import { listedInstruments, staffInstruments } from "./queries_instruments";
import type { instrumentBody, NewInstrument, StaffInstrument } from "./schema_instruments";

/** What each field is called in the table. */
const COLUMNS = {
  state: "state",
  minimum: "minimum",
  step: "step",
  maximum: "maximum",
  marginPercent: "margin_percent",
  marginSteps: "margin_steps",
  clientLimit: "client_limit",
  houseLimit: "house_limit",
  markup: "markup",
} as const;
type Body = Omit<InferOutput<typeof instrumentBody>, "reason" | "version" | "effectiveAt">;

/** What a body says of the terms, by the names of the table. */
const termsSaid = (body: Body) =>
  Object.fromEntries(
    Object.entries(COLUMNS).flatMap(([field, column]) =>
      body[field as keyof typeof COLUMNS] === undefined ? [] : [[column, body[field as keyof typeof COLUMNS]]],
    ),
  );

const numberOr = (text: string | null | undefined) => (text ? Number(text) : undefined);

/** What a body says of the listing. Refuses (invalid) hours and beginnings that are said in part, and a pip finer than the digits. */
function listingSaid(body: Body, before: Partial<Listing> = {}): Partial<Listing> {
  const { name, digits, kraken, replay, sessions, holidays, zone } = body;
  const said: Partial<Listing> = {};
  if (name !== undefined) said.name = name;
  if (digits !== undefined) said.digits = digits;
  const decimals = digits ?? before.digits ?? 0;
  if (body.pip !== undefined || before.pip === undefined) said.pip = body.pip ?? (10 / 10 ** decimals).toFixed(decimals - 1);
  if (Number(said.pip ?? before.pip) * 10 ** decimals < 0.999) throw invalidField("pip", "pip must not be finer than the last digit of a price.");
  if (sessions !== undefined) said.hours = hoursSaid(sessions, zone, holidays);
  else if (zone !== undefined || holidays !== undefined) throw invalidField("sessions", "Say the sessions together with their zone and holidays.");
  const simulator = [body.simulatorStart, body.simulatorVolatility, body.simulatorSpread];
  // An instrument that the simulator does not quote stays so where its fields are empty.
  if (simulator.some((each) => each !== undefined) && (before.simulator !== null || simulator.some(Boolean))) said.simulator = simulatorSaid(body);
  if (kraken !== undefined) said.kraken = kraken;
  if (replay !== undefined) said.replay = replay;
  return said;
}

const hoursSaid = (sessions: string, zone = "", holidays = ""): Listing["hours"] =>
  sessions.trim() === "" ? null : { zone: zone || NEW_YORK, sessions: readSessions(sessions), holidays: readHolidays(holidays) };

function simulatorSaid({ simulatorStart, simulatorVolatility, simulatorSpread }: Body): Listing["simulator"] {
  const [start, volatility, spread] = [numberOr(simulatorStart), numberOr(simulatorVolatility), numberOr(simulatorSpread)];
  return { ...(start === undefined ? {} : { start }), ...(volatility === undefined ? {} : { volatility }), ...(spread === undefined ? {} : { spread }) };
}

const decimalsOf = (price: number) =>
  price
    .toFixed(8)
    .replace(/\.?0+$/, "")
    .split(".")[1]?.length ?? 0;

/** Refuses (invalid) a listing that the feed in use can't quote, by the field that says how. */
async function refuseUnquoted(market: Market, symbol: string, listing: Listing): Promise<void> {
  const { start } = listing.simulator ?? {};
  if (start !== undefined && decimalsOf(start) > listing.digits)
    throw invalidField("digits", "digits must be at least as many as the simulator's first price has.");
  const fault = await market.cannotQuote(symbol, listing);
  if (fault) throw invalidField(fault.field, fault.message);
}

/** What a new instrument's body says of its listing. Refuses (conflict) a symbol that is listed, and what `refuseUnquoted` and `listingSaid` do. */
export async function newListing(market: Market, { symbol, ...body }: NewInstrument): Promise<Listing> {
  if (instrumentOf(symbol)) throw new Refusal("conflict", "An instrument of this symbol is listed already.", { symbol: "It is listed already." });
  const said = listingSaid(body);
  const listing: Listing = {
    name: body.name,
    digits: body.digits,
    pip: said.pip ?? "",
    hours: said.hours ?? null,
    simulator: said.simulator ?? {},
    kraken: body.kraken ?? symbol,
    replay: body.replay ?? symbol,
  };
  await refuseUnquoted(market, symbol, listing);
  return listing;
}

/** Lists it in a transaction of the caller's, who tells of it (`tell`). */
export async function addIn(sql: Sql, act: Act, { symbol, group, reason, ...body }: NewInstrument, listing: Listing): Promise<void> {
  const terms = JSON.stringify({ ...termsSaid(body), listing });
  const of = group === "crypto" ? group : group.slice("forex-".length);
  await sql`select instrument_add(${act.admin.id}, ${symbol}, ${of}, ${terms}::text::jsonb, ${reason}, ${act.ip}, ${act.userAgent})`;
}

/**
 * Lists a new instrument with its first terms, at once. Refuses (invalid, by field) what does not fit, a symbol that is listed, and what the
 * feed in use can't quote; (unavailable) where the feed can't be asked.
 */
export async function addToList(app: AppContext, market: Market, act: Act, body: NewInstrument): Promise<StaffInstrument> {
  const listing = await newListing(market, body);
  await refused(() => addIn(app.sql, act, body, listing));
  await tell(app);
  return staffInstrument(app.sql, body.symbol);
}

export type Change = InferOutput<typeof instrumentBody>;
/** What a body changes of how an instrument is listed. Refuses as `newListing` does. */
export async function changedListing(market: Market, { symbol, listing: now }: StaffInstrument, body: Change): Promise<Partial<Listing>> {
  const listing = Object.fromEntries(
    Object.entries(listingSaid(body, now)).filter(([name, said]) => !Bun.deepEquals(said, now[name as keyof Listing])),
  ) as Partial<Listing>;
  if (Object.keys(listing).length > 0) await refuseUnquoted(market, symbol, { ...now, ...listing });
  return listing;
}

/** Changes it in a transaction of the caller's, who tells of it (`tell`). */
export async function setIn(sql: Sql, act: Act, symbol: string, { reason, version, effectiveAt, ...body }: Change, listing: Partial<Listing>): Promise<void> {
  const said = JSON.stringify({ ...termsSaid(body), listing });
  await sql`
    select instrument_set(
      ${act.admin.id}, ${symbol}, ${version ?? null}, ${said}::text::jsonb, ${effectiveAt ?? null}::text::timestamptz, ${reason}, ${act.ip},
      ${act.userAgent}
    )
  `;
}

/**
 * Changes how an instrument is listed and dealt, at once or from an instant on; a change takes the place of one that waits. Refuses (conflict)
 * whose version is not the newest any more and hiding what people hold, and (invalid) what does not fit, by field.
 */
export async function setInstrument(app: AppContext, market: Market, act: Act, symbol: string, body: Change): Promise<StaffInstrument> {
  const listing = await changedListing(market, await staffInstrument(app.sql, symbol), body);
  await refused(() => setIn(app.sql, act, symbol, body, listing));
  await tell(app);
  return staffInstrument(app.sql, symbol);
}

export async function staffInstrument(sql: Sql, symbol: string): Promise<StaffInstrument> {
  const found = (await staffInstruments(sql)).find((each) => each.symbol === symbol);
  if (!found) throw notFound();
  return found;
}

/** Tells every program that instruments are others; this one knows it when it answers. */
export async function tell(app: AppContext): Promise<void> {
  holdListings(await listedInstruments(app.sql));
  app.bus.publish("staff", { about: "setting" });
}
