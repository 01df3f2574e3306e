import type { AppContext } from "../platform/app_context";
import { Routes } from "../platform/http/routes";
import { setPromotion } from "./commands_promotions";
import { promotionVersions, staffPromotions } from "./queries_promotions";
import * as calls from "./schema_promotions";

/** The staff's routes to what is offered for deposits. */
export const promotionRoutes = (app: AppContext) =>
  new Routes(app, import.meta.path)
    .admin("promotions.read", calls.listStaffPromotions, () => staffPromotions(app.sql))
    .admin("promotions.read", calls.listPromotionVersions, ({ params }) => promotionVersions(app.sql, params.id))
    .decision("promotions.change", calls.changePromotion, ({ act, params, body }) => setPromotion(app, act, params.id, body));
