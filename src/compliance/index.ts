import type { AppContext } from "../platform/app_context";
import { privacyRoutes } from "./routes_privacy";
import { verificationRoutes } from "./routes";
import { complianceStaffRoutes } from "./staff";
import { eraseRoutes } from "./staff_privacy";
import { ruleRoutes } from "./staff_rules";
import type { Vault } from "./vault";

export const routes = ({ app, vault }: { app: AppContext; vault: Vault }) => [
  verificationRoutes(app, vault),
  complianceStaffRoutes(app, vault),
  ruleRoutes(app),
  eraseRoutes(app),
  privacyRoutes(app, vault),
];
