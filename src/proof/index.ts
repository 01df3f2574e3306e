import type { AppContext } from "../platform/app_context";
import { logRoutes } from "./routes";

export const routes = ({ app }: { app: AppContext }) => [logRoutes(app)];
