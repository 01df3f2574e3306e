import { ExecutionQualityPage } from "../../views/trading/ExecutionQualityPage";
import { shared } from "../lib/shared";
import { SECOND } from "../lib/time";
import type { AppContext } from "../platform/app_context";
import { Routes } from "../platform/http/routes";
import { executionQuality } from "../trading/queries_quality";

/** It counts the fills of all accounts, for everybody who asks meanwhile. */
const SHARED_FOR = 10 * SECOND;

/** The page on which the signed-in read how orders are filled here. */
export function qualityRoutes(app: AppContext, clock: () => number): Routes {
  const quality = shared(SHARED_FOR, () => executionQuality(app.sql), { now: clock });
  return new Routes(app, import.meta.path).userPage("/execution-quality", async () => ({
    title: "Execution quality",
    surface: "product",
    body: <ExecutionQualityPage books={await quality("all")} />,
  }));
}
