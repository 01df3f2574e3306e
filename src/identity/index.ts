import type { AppContext } from "../platform/app_context";
import { identityRoutes } from "./routes";
import { letterRoutes } from "./routes_letters";
import { twoFactorRoutes } from "./routes_two_factor";
import { passkeyRoutes } from "./routes_passkeys";
import { identityStaffRoutes } from "./staff";

export const routes = ({ app }: { app: AppContext }) => [
  identityRoutes(app),
  twoFactorRoutes(app),
  letterRoutes(app),
  passkeyRoutes(app),
  identityStaffRoutes(app),
];
