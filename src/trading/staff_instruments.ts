import { doOrAsk } from "../identity/commands_signatures";
import type { AppContext } from "../platform/app_context";
import { csvFile } from "../platform/http/csv";
import { Routes } from "../platform/http/routes";
import type { Market } from "../market/market";
import { addToList, setInstrument } from "./commands_instruments";
import { instrumentDeeds } from "./commands_signed";
import * as sheet from "./commands_instrument_sheet";
import { instrumentVersions, staffInstruments } from "./queries_instruments";
import { INSTRUMENT_COLUMNS, instrumentCells } from "./rules_instrument_words";
import * as calls from "./schema_instruments";

/** The staff's routes to how instruments are dealt. */
export const instrumentRoutes = (app: AppContext, market: Market) =>
  new Routes(app, import.meta.path)
    .admin("instruments.read", calls.listInstruments, ({ query }) => (query.format === "csv" ? instrumentsFile(app) : staffInstruments(app.sql)))
    .admin("instruments.read", calls.listInstrumentVersions, ({ params }) => instrumentVersions(app.sql, params.symbol))
    .decision("instruments.change", calls.addInstrument, ({ act, body }) => addToList(app, market, act, body))
    .decision("instruments.change", calls.changeInstrument, ({ act, params: { symbol }, body }) => {
      const { costs, margin } = instrumentDeeds(app, market);
      const { reason } = body;
      return doOrAsk(app, act, costs, { body: { symbol, ...body }, reason }, (seen) =>
        doOrAsk(app, act, margin, { body: seen, reason }, (last) => setInstrument(app, market, act, symbol, last)),
      );
    })
    .decision("instruments.change", calls.previewInstrumentSheet, ({ act, body }) => sheet.previewSheet(app, market, act, body))
    .decision("instruments.change", calls.takeInstrumentSheet, ({ act, body }) => sheet.takeSheet(app, market, act, body));

const instrumentsFile = (app: AppContext): Response =>
  csvFile<Record<string, string>>({
    name: "instruments",
    most: 1000,
    columns: INSTRUMENT_COLUMNS.map(({ name, title }) => [title, (cells) => cells[name] ?? ""] as const),
    rowsAfter: async (last) => (last ? [] : (await staffInstruments(app.sql)).map(instrumentCells)),
  });
