import type { AppContext } from "../platform/app_context";
import { supportChannel } from "./channel";
import { supportRoutes } from "./routes";
import { chatRoutes } from "./routes_chat";
import { contactRoutes } from "./routes_contact";
import { supportStaffRoutes } from "./staff";
import { contactStaffRoutes } from "./staff_contact";

type Parts = { app: AppContext };

export const routes = ({ app }: Parts) => [supportRoutes(app), chatRoutes(app), supportStaffRoutes(app), contactRoutes(app), contactStaffRoutes(app)];
export const channels = ({ app }: Parts) => [supportChannel(app)];
