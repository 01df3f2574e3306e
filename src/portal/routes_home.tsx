import { monthOf } from "../../views/funding/months";
import { HomePage } from "../../views/portal/HomePage";
import { DashboardPage } from "../../views/portal/DashboardPage";
import { dashboardTabOf } from "../../views/portal/dashboard_tabs";
import { accountOf, accountsOf, accountTypes } from "../accounts/queries";
import type { TradingAccount } from "../accounts/schema";
import { offeredPayments } from "../funding/queries_payments";
import { bonusOf, depositsOf, promotions, withdrawalsOf } from "../funding/queries";
import { referralsOf } from "../funding/queries_history";
import { found, notFound } from "../lib/refusal";
import type { Market } from "../market/market";
import { isListedCoin } from "../market/rules_listed";
import { marketItems } from "../market/quotes";
import type { Sql } from "../platform/database/db";
import { type Reading, together } from "../platform/database/reading";
import type { AppContext, Me } from "../platform/app_context";
import { Routes, type RequestContext } from "../platform/http/routes";
import type { Page } from "../platform/page/page";
import { openPositionsOf } from "../trading/queries";
import { spreadsOf } from "../trading/queries_spreads";
import { getSpreads } from "../trading/schema_spreads";
import type { Trading } from "../trading/trading";
import { accountFor } from "./chosen";
import { historyFor } from "./history";
import { accountResultOf, hasDeposited, standingOf } from "./queries";
import { activityOf } from "./queries_activity";
import { getAccountResult, getOverview, type Overview } from "./schema";

const LIST = 100;
const RECENT = 8;

const overviewOf = (sql: Sql, userId: string): Reading<Overview> =>
  together(sql, { standing: standingOf(sql, userId).map(found), activity: activityOf(sql, userId, RECENT) }).map(({ standing, activity }) => ({
    ...standing,
    activity,
  }));

const requestsOf = async (sql: Sql, userId: string) => {
  const [deposits, withdrawals, payments] = await Promise.all([
    depositsOf(sql, userId, { limit: LIST }),
    withdrawalsOf(sql, userId, { limit: LIST }),
    offeredPayments(sql),
  ]);
  return { deposits, withdrawals, payments };
};
const NO_REQUESTS: Awaited<ReturnType<typeof requestsOf>> = { deposits: [], withdrawals: [], payments: [] };

const detailsOf = async (sql: Sql, userId: string, account: TradingAccount) => {
  const [result, spreads] = await Promise.all([accountResultOf(sql, userId, account.id), spreadsOf(sql, account.id)]);
  return { account, result, spreads };
};

/** The page at `/` for the signed-in. */
export const homeOf =
  ({ sql, config }: AppContext, market: Market, trading: Trading) =>
  async (me: Me, context: RequestContext): Promise<Page> => {
    const board = trading.board();
    const { referrals, ...shown } = await together(sql, {
      overview: overviewOf(sql, me.id),
      accounts: accountsOf(sql, me.id, board),
      positions: openPositionsOf(sql, me.id, board),
      types: accountTypes(sql),
      promotions: promotions(sql, me.id),
      referrals: referralsOf(sql, me.id, 1),
      deposited: hasDeposited(sql, me.id),
    });
    const coins = marketItems(market).filter(({ symbol }) => isListedCoin(symbol));
    return {
      title: "Home",
      surface: "product",
      body: (
        <HomePage
          {...shown}
          coins={coins}
          chosen={accountFor(context, shown.accounts)?.id ?? null}
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
    .user(getSpreads, async ({ me, params }) => {
      if (!(await accountOf(sql, me.id, params.id, trading.board()))) throw notFound();
      return spreadsOf(sql, params.id);
    })
    .readPage("/dashboard", {
      read: ({ personId }) => {
        const board = trading.board();
        return together(sql, {
          overview: overviewOf(sql, personId),
          accounts: accountsOf(sql, personId, board),
          positions: openPositionsOf(sql, personId, board),
          bonus: bonusOf(sql, personId),
        });
      },
      draw: async ({ me, context, data }) => {
        const search = context.url.searchParams;
        const tab = dashboardTabOf(search.get("tab"));
        const account = tab === "accounts" ? data.accounts.find(({ id }) => id === search.get("account")) : undefined;
        const [history, requests, details] = await Promise.all([
          tab === "transactions" ? historyFor(sql, me.id, search) : null,
          tab === "requests" ? requestsOf(sql, me.id) : NO_REQUESTS,
          account && detailsOf(sql, me.id, account),
        ]);
        const shown = details && { ...details, positions: data.positions.filter(({ accountId }) => accountId === account?.id), month: monthOf(new Date()) };
        return {
          title: "Dashboard",
          surface: "product",
          body: <DashboardPage {...data} {...requests} {...{ tab, history }} registrationPending={me.registrationStatus === "pending"} details={shown} />,
        };
      },
    });
}
