import { monthOf } from "../../views/funding/months";
import { HomePage } from "../../views/portal/HomePage";
import { DashboardPage } from "../../views/portal/DashboardPage";
import { dashboardTabOf } from "../../views/portal/dashboard_tabs";
import { accountOf, accountsOf, accountTypes } from "../accounts/queries";
import { offeredPayments } from "../funding/queries_payments";
import { bonusOf, depositsOf, promotions, withdrawalsOf } from "../funding/queries";
import { referralsOf } from "../funding/queries_history";
import { notFound } from "../lib/refusal";
import type { Market } from "../market/market";
import { isListedCoin } from "../market/rules_coins";
import { marketItems } from "../market/quotes";
import type { Sql } from "../platform/database/db";
import type { AppContext, Me } from "../platform/app_context";
import { Routes, type RequestContext } from "../platform/http/routes";
import type { Page } from "../platform/page/page";
import { openPositionsOf } from "../trading/queries";
import { spreadsOf } from "../trading/queries_spreads";
import type { Trading } from "../trading/trading";
import { accountFor } from "./chosen";
import { historyFor } from "./history";
import { accountResultOf, hasDeposited, standingOf } from "./queries";
import { activityOf } from "./queries_activity";
import { getAccountResult, getOverview, type Overview } from "./schema";

const LIST = 100;
const RECENT = 8;

async function overviewOf(sql: Sql, userId: string): Promise<Overview> {
  const [standing, activity] = await Promise.all([standingOf(sql, userId), activityOf(sql, userId, RECENT)]);
  if (!standing) throw notFound();
  return { ...standing, activity };
}

/** The page at `/` for the signed-in. */
export const homeOf =
  ({ sql, config }: AppContext, market: Market, trading: Trading) =>
  async (me: Me, context: RequestContext): Promise<Page> => {
    const board = trading.board();
    const [overview, accounts, positions, types, offered, referrals, deposited] = await Promise.all([
      overviewOf(sql, me.id),
      accountsOf(sql, me.id, board),
      openPositionsOf(sql, me.id, board),
      accountTypes(sql),
      promotions(sql, me.id),
      referralsOf(sql, me.id, 1),
      hasDeposited(sql, me.id),
    ]);
    const coins = marketItems(market).filter(({ symbol }) => isListedCoin(symbol));
    return {
      title: "Home",
      surface: "product",
      body: (
        <HomePage
          {...{ overview, accounts, positions, coins, types, deposited, promotions: offered }}
          chosen={accountFor(context, accounts)?.id ?? null}
          registrationPending={me.registrationStatus === "pending"}
          demonstration={config.siteMode === "demo"}
          simulated={market.simulated}
          referralLink={new URL(referrals.link, config.publicUrl ?? context.url.origin).href}
        />
      ),
    };
  };

/** The dashboard, and what it and home look at anew. */
export function homeRoutes(app: AppContext, trading: Trading): Routes {
  const { sql } = app;
  return new Routes(app, import.meta.path)
    .user(getOverview, ({ me }) => overviewOf(sql, me.id))
    .user(getAccountResult, async ({ me, params }) => {
      if (!(await accountOf(sql, me.id, params.id, trading.board()))) throw notFound();
      return accountResultOf(sql, me.id, params.id);
    })
    .userPage("/dashboard", async ({ me, context }) => {
      const board = trading.board();
      const tab = dashboardTabOf(context.url.searchParams.get("tab"));
      const [overview, accounts, positions, history, deposits, withdrawals, payments, bonus] = await Promise.all([
        overviewOf(sql, me.id),
        accountsOf(sql, me.id, board),
        openPositionsOf(sql, me.id, board),
        tab === "transactions" ? historyFor(sql, me.id, context.url.searchParams) : null,
        tab === "requests" ? depositsOf(sql, me.id, { limit: LIST }) : [],
        tab === "requests" ? withdrawalsOf(sql, me.id, { limit: LIST }) : [],
        tab === "requests" ? offeredPayments(sql) : [],
        bonusOf(sql, me.id),
      ]);
      const account = accounts.find(({ id }) => id === context.url.searchParams.get("account"));
      const details = account && {
        account,
        result: await accountResultOf(sql, me.id, account.id),
        spreads: await spreadsOf(sql, account.id),
        positions: positions.filter(({ accountId }) => accountId === account.id),
        month: monthOf(new Date()),
      };
      const registrationPending = me.registrationStatus === "pending";
      return {
        title: "Dashboard",
        surface: "product",
        body: (
          <DashboardPage
            {...{ tab, overview, registrationPending, accounts, positions, history, deposits, withdrawals, payments, bonus }}
            details={tab === "accounts" ? details : undefined}
          />
        ),
      };
    });
}
