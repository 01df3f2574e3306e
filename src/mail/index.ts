import type { AppContext } from "../platform/app_context";
import { mailStaffRoutes } from "./staff";

export const routes = ({ app }: { app: AppContext }) => [mailStaffRoutes(app)];
