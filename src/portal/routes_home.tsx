import { monthOf } from "../../views/funding/months";
import { HomePage } from "../../views/home/HomePage";
import { DashboardPage } from "../../views/portal/DashboardPage";
import { dashboardTabOf } from "../../views/portal/dashboard_tabs";
import { accountOf, accountsOf, accountTypes, financialsOf } from "../accounts/queries";
import { depositsOf, promotions, withdrawalsOf } from "../funding/queries";
import { referralsOf } from "../funding/queries_history";
import { notFound } from "../lib/refusal";
import type { Market } from "../market/market";
import { isListedCoin } from "../market/rules_coins";
import { marketItems } from "../market/routes";
import type { Sql } from "../platform/db";
import type { House, Me } from "../platform/house";
import { Doors, type Visit } from "../platform/http";
import type { Page } from "../platform/page";
import { openPositionsOf } from "../trading/queries";
import type { Trading } from "../trading/trading";
import { historyFor } from "./history";
import { accountResultOf, hasDeposited, monthResultOf, recordOf } from "./queries";
import { activityOf } from "./queries_activity";
import { getAccountResult, getOverview, type Overview } from "./schema";

const LIST = 100;
const RECENT = 8;

async function overviewOf(sql: Sql, userId: string): Promise<Overview> {
  const [financials, month, live, demo, activity] = await Promise.all([
    financialsOf(sql, userId),
    monthResultOf(sql, userId),
    recordOf(sql, userId, false),
    recordOf(sql, userId, true),
    activityOf(sql, userId, RECENT),
  ]);
  if (!financials) throw notFound();
  return { financials, month, live, demo, activity };
}

/** What the site's first address shows to who is signed in. */
export const homeOf =
  ({ sql, config }: House, market: Market, trading: Trading) =>
  async (me: Me, visit: Visit): Promise<Page> => {
    const board = trading.board();
    const [overview, accounts, positions, types, offered, referrals, deposited] = await Promise.all([
      overviewOf(sql, me.id),
      accountsOf(sql, me.id, board),
      openPositionsOf(sql, me.id, board),
      accountTypes(sql),
      promotions(sql),
      referralsOf(sql, me.id, 1),
      hasDeposited(sql, me.id),
    ]);
    const coins = marketItems(market).filter(({ symbol }) => isListedCoin(symbol));
    return {
      title: "Home",
      look: "product",
      body: (
        <HomePage
          {...{ overview, accounts, positions, coins, types, deposited, promotions: offered }}
          registrationPending={me.registrationStatus === "pending"}
          simulated={market.simulated}
          referralLink={new URL(referrals.link, config.publicUrl ?? visit.url.origin).href}
        />
      ),
    };
  };

/** The dashboard, and what it and home look at anew. */
export function homeDoors(house: House, trading: Trading): Doors {
  const { sql } = house;
  return new Doors(house)
    .user(getOverview, ({ me }) => overviewOf(sql, me.id))
    .user(getAccountResult, async ({ me, params }) => {
      if (!(await accountOf(sql, me.id, params.id, trading.board()))) throw notFound();
      return accountResultOf(sql, me.id, params.id);
    })
    .userPage("/dashboard", async ({ me, visit }) => {
      const board = trading.board();
      const tab = dashboardTabOf(visit.url.searchParams.get("tab"));
      const [overview, accounts, positions, history, deposits, withdrawals] = await Promise.all([
        overviewOf(sql, me.id),
        accountsOf(sql, me.id, board),
        openPositionsOf(sql, me.id, board),
        tab === "transactions" ? historyFor(sql, me.id, visit.url.searchParams) : null,
        tab === "requests" ? depositsOf(sql, me.id, { limit: LIST }) : [],
        tab === "requests" ? withdrawalsOf(sql, me.id, { limit: LIST }) : [],
      ]);
      const account = accounts.find(({ id }) => id === visit.url.searchParams.get("account"));
      const details = account && {
        account,
        result: await accountResultOf(sql, me.id, account.id),
        positions: positions.filter(({ accountId }) => accountId === account.id),
        month: monthOf(new Date()),
      };
      const registrationPending = me.registrationStatus === "pending";
      return {
        title: "Dashboard",
        look: "product",
        body: (
          <DashboardPage
            {...{ tab, overview, registrationPending, accounts, positions, history, deposits, withdrawals }}
            details={tab === "accounts" ? details : undefined}
          />
        ),
      };
    });
}
