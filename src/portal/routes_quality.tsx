import { ExecutionQualityPage } from "../../views/trading/ExecutionQualityPage";
import type { AppContext } from "../platform/app_context";
import { Routes } from "../platform/http/routes";
import { executionQuality } from "../trading/queries_quality";

/** The page on which the signed-in read how orders are filled here. */
export const qualityRoutes = (app: AppContext): Routes =>
  new Routes(app, import.meta.path).userPage("/execution-quality", async () => ({
    title: "Execution quality",
    surface: "product",
    body: <ExecutionQualityPage books={await executionQuality(app.sql)} />,
  }));
