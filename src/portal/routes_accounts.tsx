import { AccountsPage } from "../../views/accounts/AccountsPage";
import { CreateAccountPage } from "../../views/accounts/CreateAccountPage";
import { ProfileLoading, ProfilePage } from "../../views/portal/ProfilePage";
import { monthOf } from "../../views/funding/months";
import { accountsOf, accountTypes } from "../accounts/queries";
import { financialsIn } from "../accounts/rules";
import type { AccountType, TradingAccount } from "../accounts/schema";
import { bonusOf } from "../funding/queries";
import { referralsOf } from "../funding/queries_history";
import { findUser, sessionsOf } from "../identity/queries";
import { keepingOf } from "../notifications/commands_keeping";
import { noticeChoicesOf } from "../identity/queries_notices";
import { twoFactorOf } from "../identity/queries_two_factor";
import { found } from "../lib/refusal";
import type { Market } from "../market/market";
import type { AppContext } from "../platform/app_context";
import type { Page } from "../platform/page/page";
import { together } from "../platform/database/reading";
import { Routes, redirect } from "../platform/http/routes";

const LIST = 100;
/** After so many ms the page is sent without its data, which it then fetches itself. */
const PATIENCE_MS = 1500;
const PRODUCT = { surface: "product" } as const;

const accountsPage = (accounts: TradingAccount[] | null, types: AccountType[]): Page => ({
  title: "Trading Accounts",
  ...PRODUCT,
  body: <AccountsPage {...{ accounts, types }} />,
});

/** A person's own pages: the trading accounts, and the person. */
export function accountPageRoutes(app: AppContext, market: Market): Routes {
  const { sql, config } = app;
  const board = () => market.board.arrays();

  return new Routes(app, import.meta.path)
    .readPage("/profile", {
      read: ({ personId }) =>
        together(sql, {
          user: findUser(sql, personId).map(found),
          accounts: accountsOf(sql, personId, board()),
          sessions: sessionsOf(sql, personId, null),
          twoFactor: twoFactorOf(sql, personId),
          notices: noticeChoicesOf(sql, personId),
          referrals: referralsOf(sql, personId, LIST),
          bonus: bonusOf(sql, personId),
          keeping: keepingOf(sql, personId),
        }),
      draw: ({ me, context, data }) => {
        const sessions = data.sessions.map((session) => ({ ...session, current: session.id === me.sessionId }));
        const referralLink = new URL(data.referrals.link, config.publicUrl ?? context.url.origin).href;
        return {
          title: "Profile",
          ...PRODUCT,
          body: <ProfilePage {...data} {...{ sessions, referralLink }} financials={financialsIn(data.user)} month={monthOf(new Date())} />,
        };
      },
      late: { afterMs: PATIENCE_MS, draw: () => ({ title: "Profile", ...PRODUCT, body: <ProfileLoading /> }) },
    })
    .readPage("/accounts", {
      read: ({ personId }) => together(sql, { accounts: accountsOf(sql, personId, board()), types: accountTypes(sql) }),
      draw: ({ data }) => accountsPage(data.accounts, data.types),
      late: { afterMs: PATIENCE_MS, draw: async () => accountsPage(null, await accountTypes(sql)) },
    })
    .userPage("/settings", () => redirect("/profile"))
    .userPage("/accounts/create", async ({ context }) => {
      const types = await accountTypes(sql);
      const chosen = context.url.searchParams.get("type") ?? "";
      return { title: "Create New Trading Account", ...PRODUCT, body: <CreateAccountPage {...{ types, chosen }} /> };
    });
}
