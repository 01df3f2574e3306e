import { IntegrityPage } from "../../views/integrity/IntegrityPage";
import { VerifyPage } from "../../views/proof/VerifyPage";
import { shared } from "../lib/shared";
import { MINUTE } from "../lib/time";
import type { Market } from "../market/market";
import type { AppContext } from "../platform/app_context";
import { Routes } from "../platform/http/routes";
import { declaredHolding, liabilityDays, writtenFigures } from "./queries";

/** The public page of integrity, and each client's own check of what is owed to him. */
export function integrityRoutes(app: AppContext, market: Market): Routes {
  const { sql, config } = app;
  // Whoever asks, and however often: what was written down is read once a minute.
  const facts = shared(MINUTE, async (_what: "all") => {
    const [written, days, holding] = await Promise.all([writtenFigures(sql), liabilityDays(sql, 1), declaredHolding(sql)]);
    return { written, days, holding };
  });
  const routes = new Routes(app, import.meta.path).page("/verify", ({ me }) => ({
    title: "Verify a proof",
    description: "Checks in your browser that a fill, a statement or what you are owed is in the public log, and that its figures follow from each other.",
    body: <VerifyPage logKey={null} signedIn={me !== null} />,
    keep: { forMs: MINUTE },
  }));
  return routes.page("/integrity", async () => {
    const { written, days, holding } = await facts("all");
    return {
      title: "Integrity",
      description: "Whether the books balance, slippage both ways, what is owed to clients and what is held, and what a public log proves of all that.",
      body: (
        <IntegrityPage
          brand={config.brandName}
          demonstration={config.siteMode === "demo"}
          {...{ written, days, holding }}
          referenceSet={config.referenceFeed}
          feedLabel={market.feedLabel}
          log={null}
        />
      ),
      keep: { forMs: written ? MINUTE : 1 },
    };
  });
}
