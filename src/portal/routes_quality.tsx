import { ExecutionQualityPage } from "../../views/portal/ExecutionQualityPage";
import type { House } from "../platform/house";
import { Doors } from "../platform/http";
import { executionQuality } from "../trading/queries_quality";

/** The page on which the signed-in read how orders are filled here. */
export const qualityDoors = (house: House): Doors =>
  new Doors(house).userPage("/execution-quality", async () => ({
    title: "Execution quality",
    look: "product",
    body: <ExecutionQualityPage books={await executionQuality(house.sql)} />,
  }));
