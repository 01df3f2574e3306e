import type { AppContext } from "../platform/app_context";
import { identityRoutes } from "./routes";
import { twoFactorRoutes } from "./routes_two_factor";
import { identityStaffRoutes } from "./staff";

export const routes = ({ app }: { app: AppContext }) => [identityRoutes(app), twoFactorRoutes(app), identityStaffRoutes(app)];
