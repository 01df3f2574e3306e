import type { AppContext } from "../platform/app_context";
import { Routes } from "../platform/http/routes";
import { declare } from "./commands";
import { declareHoldings } from "./schema";

/** The staff's route to what the operator declares to hold for clients. */
export const integrityStaffRoutes = (app: AppContext) =>
  new Routes(app, import.meta.path).decision("holdings.change", declareHoldings, ({ act, body }) => declare(app, act, body));
