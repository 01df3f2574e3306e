import { IntegrityPage } from "../../views/integrity/IntegrityPage";
import { MinePage } from "../../views/integrity/MinePage";
import { VerifyPage } from "../../views/proof/VerifyPage";
import { shared } from "../lib/shared";
import { MINUTE } from "../lib/time";
import type { Market } from "../market/market";
import type { AppContext } from "../platform/app_context";
import { Routes } from "../platform/http/routes";
import { currentLog, keysOfLogs } from "../proof/queries";
import { proofResponse } from "../proof/queries_files";
import { written } from "../proof/rules_files";
import { ticksBetween } from "../proof/schema_between";
import { Refusal } from "../lib/refusal";
import { declaredHolding, liabilityDays, writtenFigures } from "./queries";
import { batchesFor } from "./queries_between";
import { liabilityFile } from "./queries_proofs";
import { ownLiability } from "./schema";

/** The public page of integrity, and each client's own check of what is owed to him. */
export function integrityRoutes(app: AppContext, market: Market): Routes {
  const { sql, config } = app;
  // Whoever asks, and however often: what was written down is read once a minute.
  const facts = shared(MINUTE, async (_what: "all") => {
    const [written, days, holding, log] = await Promise.all([writtenFigures(sql), liabilityDays(sql, 1), declaredHolding(sql), currentLog(sql)]);
    return { written, days, holding, log };
  });
  return new Routes(app, import.meta.path)
    .user(ownLiability, async ({ me, query }) => {
      const file = await liabilityFile(sql, me.id, query.day, query.since);
      return proofResponse(file, `owed-${file.owed.day}`);
    })
    .user(ticksBetween, ({ me, query }) => app.pace.keep(me.id, () => batchesFor(sql, query.after, query.before)))
    .page("/integrity", async () => {
      const { written: figures, days, holding, log } = await facts("all");
      return {
        title: "Integrity",
        description: "Whether the books balance, slippage both ways, what is owed to clients and what is held, and what a public log proves of all that.",
        body: (
          <IntegrityPage
            brand={app.brand.name}
            demonstration={config.siteMode === "demo"}
            written={figures}
            {...{ days, holding }}
            referenceSet={config.referenceFeed}
            feedLabel={market.feedLabel}
            log={log && { key: log.key, size: log.size, covers: figures?.figures.log.number === log.number ? figures.figures.log.kinds : {} }}
          />
        ),
        keep: { forMs: figures ? MINUTE : 1 },
      };
    })
    .userPage("/integrity/mine", async ({ me }) => {
      const file = await liabilityFile(sql, me.id, null, null).catch((error: unknown) => {
        if (error instanceof Refusal) return null;
        throw error;
      });
      const logKeys = await keysOfLogs(sql);
      return {
        title: "What you are owed",
        surface: "product",
        body: <MinePage text={file && written(file)} day={file?.owed.day ?? null} logKeys={logKeys} />,
      };
    })
    .page("/verify", async ({ me }) => {
      const logKeys = await keysOfLogs(sql);
      return {
        title: "Verify a proof",
        description: "Checks in your browser that a fill, a statement or what you are owed is in the public log, and that its figures follow from each other.",
        body: <VerifyPage logKeys={logKeys} signedIn={me !== null} />,
        keep: { forMs: logKeys.length > 0 ? MINUTE : 1 },
      };
    });
}
