import type { AppContext } from "../platform/app_context";
import { Routes } from "../platform/http/routes";
import type { Market } from "../market/market";
import { addToList, setInstrument } from "./commands_instruments";
import { instrumentVersions, staffInstruments } from "./queries_instruments";
import * as calls from "./schema_instruments";

/** The staff's routes to how instruments are dealt. */
export const instrumentRoutes = (app: AppContext, market: Market) =>
  new Routes(app, import.meta.path)
    .admin("instruments.read", calls.listInstruments, () => staffInstruments(app.sql))
    .admin("instruments.read", calls.listInstrumentVersions, ({ params }) => instrumentVersions(app.sql, params.symbol))
    .decision("instruments.change", calls.addInstrument, ({ act, body }) => addToList(app, market, act, body))
    .decision("instruments.change", calls.changeInstrument, ({ act, params, body }) => setInstrument(app, market, act, params.symbol, body));
