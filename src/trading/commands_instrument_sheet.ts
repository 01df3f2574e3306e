import type { InferOutput } from "valibot";
import { refuseTwo } from "../identity/commands_signatures";
import { fit } from "../lib/fit";
import { invalidField, Refusal } from "../lib/refusal";
import type { previewBody, sheetBody, SheetChange, SheetPreview } from "../lib/sheet";
import type { Market } from "../market/market";
import type { Listing } from "../market/schema_listings";
import type { Act, AppContext } from "../platform/app_context";
import type { Sql } from "../platform/database/db";
import * as sheets from "../platform/sheets";
import { addIn, changedListing, newListing, setIn, tell } from "./commands_instruments";
import { instrumentDeeds } from "./commands_signed";
import { staffInstruments } from "./queries_instruments";
import { changesOf, INSTRUMENT_COLUMNS, instrumentCells, termsText } from "./rules_instrument_words";
import { instrumentBody, type NewInstrument, newInstrumentBody, type StaffInstrument } from "./schema_instruments";

/** All instruments from a file. */

/** A row as it was read and looked at, before anything is written. */
type Asked = { lines: string[] } & (
  { now: StaffInstrument; body: InferOutput<typeof instrumentBody>; listing: Partial<Listing> } | { now: undefined; body: NewInstrument; listing: Listing }
);

/** What a cell says of sessions is several lines; a fault's row is one of them, not of the file. */
const linesOf = (cell: string) => cell.replace(/\s*;\s*/g, "\n");
const misread = (fields: Record<string, string>): Refusal =>
  new Refusal(
    "invalid",
    "The row can't be read.",
    Object.fromEntries(
      Object.entries(fields).map(([field, message]) => [
        field,
        field === "sessions" ? message.replace("Row ", "Session ").replace(" row ", " session ") : message,
      ]),
    ),
  );

/** Reads a row and asks the feed about it; null where it changes nothing. Refuses with the field. */
async function read(market: Market, { cells }: sheets.SheetRow, now: StaffInstrument | undefined): Promise<Asked | null> {
  const given = { ...cells, ...(cells.sessions === undefined ? {} : { sessions: linesOf(cells.sessions) }), reason: "Read from a file" };
  if (!now) {
    const body = fit(newInstrumentBody, given);
    if (!body.ok) throw misread(body.fields);
    const listing = await newListing(market, body.value);
    return { now, body: body.value, listing, lines: [newText(body.value)] };
  }
  // Hours and the simulator's beginning are said whole: what the file leaves out is as it was.
  const before = instrumentCells(now);
  const said: Record<string, string> = { ...before, sessions: linesOf(before.sessions ?? ""), ...given };
  if (said.group !== now.group) throw invalidField("group", `It stays ${now.group}: an instrument's class is never another.`);
  // What can't be read is no difference, and must not pass for a row that changes nothing.
  const body = fit(instrumentBody, said);
  if (!body.ok) throw misread(body.fields);
  const lines = changesOf(now, said);
  if (lines.length === 0) return null;
  if (!cells.version) throw invalidField("version", "A version is required");
  return { now, body: body.value, listing: await changedListing(market, now, body.value), lines };
}

const newText = ({ group, digits, state = "tradable", ...body }: NewInstrument) =>
  [
    group,
    `${digits} digits`,
    termsText({
      ...{ state, minimum: body.minimum ?? null, step: body.step ?? null, maximum: body.maximum ?? null, marginPercent: body.marginPercent ?? null },
      ...{ marginSteps: body.marginSteps ?? null, clientLimit: body.clientLimit ?? null, houseLimit: body.houseLimit ?? null, markup: body.markup ?? null },
    }),
  ].join("; ");

/** When the newest version of an instrument takes effect, and holds for what is open, where that is later. */
async function momentsOf(sql: Sql, symbol: string): Promise<Pick<SheetChange, "effectiveAt" | "appliesAt">> {
  const [row] = await sql<{ effectiveAt: string | null; appliesAt: string | null }[]>`
    select case when effective_at > clock_timestamp() then iso(effective_at) end as "effectiveAt", case when applies_at > effective_at then iso(applies_at) end as "appliesAt"
    from instrument_terms where symbol = ${symbol} order by version desc limit 1
  `;
  return { effectiveAt: row?.effectiveAt ?? null, ...(row?.appliesAt ? { appliesAt: row.appliesAt } : {}) };
}

async function take(
  { sql, act, deeds }: { sql: Sql; act: Act; deeds: ReturnType<typeof instrumentDeeds> },
  number: number,
  { lines, ...asked }: Asked,
  { reason, effectiveAt }: sheets.SheetWhen,
): Promise<SheetChange> {
  if (!asked.now) {
    if (effectiveAt !== null) throw invalidField("symbol", "A new instrument is listed at once.");
    const { symbol, name } = asked.body;
    await addIn(sql, act, { ...asked.body, reason }, asked.listing);
    return { row: number, id: symbol, name: `${symbol}, ${name}`, isNew: true, effectiveAt: null, lines };
  }
  const { symbol, coming } = asked.now;
  const { costs, margin } = deeds;
  for (const deed of [costs, margin]) await refuseTwo(sql, act, deed, { symbol, ...asked.body });
  await setIn(sql, act, symbol, { ...asked.body, reason, effectiveAt }, asked.listing);
  const replaces = coming ? ["This takes the place of the change that waits."] : [];
  return { row: number, id: symbol, name: symbol, isNew: false, ...(await momentsOf(sql, symbol)), lines: [...lines, ...replaces] };
}

/** The feed is asked before the transaction, which keeps every deal waiting. */
async function plan(app: AppContext, market: Market, act: Act): Promise<sheets.SheetPlan> {
  const listed = new Map((await staffInstruments(app.sql)).map((row) => [row.symbol, row]));
  const asked = new Map<number, Asked | null>();
  const deeds = instrumentDeeds(app, market);
  return {
    columns: INSTRUMENT_COLUMNS,
    one: "instrument",
    many: "instruments",
    look: async (row) => void asked.set(row.number, await read(market, row, listed.get(row.cells.symbol ?? ""))),
    begin:
      async () =>
      async (part, { number }, when) => {
        const what = asked.get(number);
        return what ? take({ sql: part, act, deeds }, number, what, when) : null;
      },
  };
}

/** What a file would change, by row, and what is wrong with it, by row and column. Nothing of it stays. Refuses (unavailable) where the feed can't be asked. */
export const previewSheet = async (app: AppContext, market: Market, act: Act, body: InferOutput<typeof previewBody>): Promise<SheetPreview> =>
  sheets.previewSheet(app.sql, await plan(app, market, act), body);

/** Changes and lists what a file says, all of it or nothing: refuses (invalid) with each fault's row and column. */
export async function takeSheet(app: AppContext, market: Market, act: Act, body: InferOutput<typeof sheetBody>): Promise<SheetPreview> {
  const done = await sheets.takeSheet(app.sql, await plan(app, market, act), body);
  await tell(app);
  return done;
}
