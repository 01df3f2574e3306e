import type { AppContext } from "../platform/app_context";
import { watchlistChannel } from "./channel";
import { watchlistRoutes } from "./routes";

type Parts = { app: AppContext };

export const routes = ({ app }: Parts) => [watchlistRoutes(app)];
export const channels = ({ app }: Parts) => [watchlistChannel(app)];
