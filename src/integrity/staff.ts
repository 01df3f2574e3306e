import type { AppContext } from "../platform/app_context";
import { Routes } from "../platform/http/routes";
import { declare } from "./commands";
import { declaredHolding } from "./queries";
import { declareHoldings, readHoldings } from "./schema";

/** The staff's route to what the operator declares to hold for clients. */
export const integrityStaffRoutes = (app: AppContext) =>
  new Routes(app, import.meta.path)
    .admin("wallets.read", readHoldings, async () => ({ holding: await declaredHolding(app.sql) }))
    .decision("holdings.change", declareHoldings, async ({ act, body }) => ({ holding: await declare(app, act, body) }));
