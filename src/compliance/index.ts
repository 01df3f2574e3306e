import type { AppContext } from "../platform/app_context";
import { verificationRoutes } from "./routes";
import { complianceStaffRoutes } from "./staff";
import { ruleRoutes } from "./staff_rules";
import { openVault } from "./vault";

export const routes = ({ app }: { app: AppContext }) => {
  const vault = openVault(app.config, app.log);
  return [verificationRoutes(app, vault), complianceStaffRoutes(app, vault), ruleRoutes(app)];
};
