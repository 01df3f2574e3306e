import { DESK_HEAD_ID, PortalPage } from "../../views/portal/PortalPage";
import { ReceiptPage } from "../../views/trading/ReceiptPage";
import { namedTab } from "../../views/portal/tabs";
import { accountsOf } from "../accounts/queries";
import { blockOf, financialsIn } from "../accounts/rules";
import { findUser } from "../identity/queries";
import { fit } from "../lib/fit";
import { found, notFound } from "../lib/refusal";
import { idParams } from "../lib/shapes";
import type { Market } from "../market/market";
import { instrumentOf } from "../market/rules_listed";
import type { AppContext } from "../platform/app_context";
import { together } from "../platform/database/reading";
import { Routes } from "../platform/http/routes";
import { supportLater, supportOf } from "../support/queries_portal";
import { layoutsOf } from "../trading/queries_layouts";
import { cancelledOf, historyOf, openPositionsOf, receiptOf } from "../trading/queries";
import type { Watched } from "../trading/rules_prices";
import type { Trading } from "../trading/trading";
import { accountFor } from "./chosen";

const LIST = 100;
const DEFAULT_SYMBOL = "EUR/USD";

/** The traders portal and what its lists lead to. */
export function portalRoutes(app: AppContext, market: Market, trading: Trading, watchlist: () => Promise<Watched[]>): Routes {
  const { sql } = app;

  return new Routes(app, import.meta.path)
    .readPage("/traders-portal", {
      read: ({ personId }) => {
        const board = trading.board();
        return together(sql, {
          user: findUser(sql, personId).map(found),
          accounts: accountsOf(sql, personId, board),
          positions: openPositionsOf(sql, personId, board),
          layouts: layoutsOf(sql, personId),
        });
      },
      draw: async ({ me, context, data: { user, accounts, positions, layouts } }) => {
        const asked = context.url.searchParams;
        const { creditScore, riskLevel, tradingExperience, accountStatus, kycStatus, registrationStatus } = user;
        const account = accountFor(context, accounts);
        const tab = namedTab(asked.get("tab"));
        const cards = /(?:^|;\s*)watch=cards(?:;|$)/.test(context.request.headers.get("cookie") ?? "");
        const path = account ? `/traders-portal?account=${account.id}` : "/traders-portal";
        const support = tab === "support" ? await supportOf(app, me, asked, tabPath(path, tab)) : supportLater(app, me, tabPath(path, "support"));
        const newest = { limit: LIST, accountId: account?.id };
        const [history, cancelled] = tab === "history" ? await Promise.all([historyOf(sql, me.id, newest), cancelledOf(sql, me.id, newest)]) : [null, null];
        return {
          title: "Traders Portal",
          surface: "product",
          isDesk: true,
          firstPaint: DESK_HEAD_ID,
          body: (
            <PortalPage
              {...{ accounts, positions, history, cancelled }}
              financials={financialsIn(user)}
              accountId={account?.id ?? null}
              path={path}
              tab={tab}
              support={support}
              symbol={instrumentOf(asked.get("symbol") ?? "")?.symbol ?? DEFAULT_SYMBOL}
              watched={await watchlist()}
              cards={cards}
              simulated={market.simulated}
              hasLayouts={layouts.length > 0}
              blocked={account ? blockOf(me, account) : null}
              standing={{ creditScore, riskLevel, tradingExperience, accountStatus, kycStatus, registrationStatus }}
            />
          ),
        };
      },
    })
    .userPage("/positions/:id/receipt", async ({ me, params }) => {
      const asked = fit(idParams, params);
      if (!asked.ok) throw notFound();
      const receipt = await receiptOf(sql, me.id, asked.value.id);
      return { title: `Receipt ${receipt.position.symbol}`, surface: "product", body: <ReceiptPage receipt={receipt} brand={app.brand.name} /> };
    });
}

const tabPath = (path: string, tab: string) => `${path}${path.includes("?") ? "&" : "?"}tab=${tab}`;
