import { AccountsPage } from "../../views/accounts/AccountsPage";
import { CreateAccountPage } from "../../views/accounts/CreateAccountPage";
import { ProfileLoading, ProfilePage } from "../../views/portal/ProfilePage";
import { monthOf } from "../../views/funding/months";
import { accountsOf, accountTypes, financialsOf } from "../accounts/queries";
import { bonusOf } from "../funding/queries";
import { referralsOf } from "../funding/queries_history";
import { findUser, sessionsOf } from "../identity/queries";
import { keepingOf } from "../notifications/commands_keeping";
import { noticeChoicesOf } from "../identity/queries_notices";
import { twoFactorOf } from "../identity/queries_two_factor";
import { notFound } from "../lib/refusal";
import { inTime } from "../lib/time";
import type { Market } from "../market/market";
import type { AppContext } from "../platform/app_context";
import { Routes, redirect } from "../platform/http/routes";

const LIST = 100;
/** After so many ms the page is sent without its data, which it then fetches itself. */
const PATIENCE_MS = 1500;
const PRODUCT = { surface: "product" } as const;

/** A person's own pages: the trading accounts, and the person. */
export function accountPageRoutes(app: AppContext, market: Market): Routes {
  const { sql, config } = app;
  const board = () => market.board.arrays();

  return new Routes(app, import.meta.path)
    .userPage("/profile", async ({ me, context }) => {
      const found = await inTime(
        Promise.all([
          findUser(sql, me.id),
          financialsOf(sql, me.id),
          accountsOf(sql, me.id, board()),
          sessionsOf(sql, me.id, me.sessionId),
          twoFactorOf(sql, me.id),
          noticeChoicesOf(sql, me.id),
          referralsOf(sql, me.id, LIST),
          bonusOf(sql, me.id),
          keepingOf(sql, me.id),
        ]),
        PATIENCE_MS,
      );
      if (!found) return { title: "Profile", ...PRODUCT, body: <ProfileLoading /> };
      const [user, financials, accounts, sessions, twoFactor, notices, referrals, bonus, keeping] = found;
      if (!user || !financials) throw notFound();
      const referralLink = new URL(referrals.link, config.publicUrl ?? context.url.origin).href;
      const month = monthOf(new Date());
      return {
        title: "Profile",
        ...PRODUCT,
        body: <ProfilePage {...{ user, financials, accounts, sessions, twoFactor, notices, referrals, referralLink, month, bonus, keeping }} />,
      };
    })
    .userPage("/accounts", async ({ me }) => {
      const [accounts, types] = await Promise.all([inTime(accountsOf(sql, me.id, board()), PATIENCE_MS), accountTypes(sql)]);
      return { title: "Trading Accounts", ...PRODUCT, body: <AccountsPage {...{ accounts, types }} /> };
    })
    .userPage("/settings", () => redirect("/profile"))
    .userPage("/accounts/create", async ({ context }) => {
      const types = await accountTypes(sql);
      const chosen = context.url.searchParams.get("type") ?? "";
      return { title: "Create New Trading Account", ...PRODUCT, body: <CreateAccountPage {...{ types, chosen }} /> };
    });
}
