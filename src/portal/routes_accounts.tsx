import { AccountsPage } from "../../views/account/AccountsPage";
import { CreateAccountPage } from "../../views/account/CreateAccountPage";
import { ProfileLoading, ProfilePage } from "../../views/account/ProfilePage";
import { monthOf } from "../../views/funding/months";
import { accountsOf, accountTypes, financialsOf } from "../accounts/queries";
import { referralsOf } from "../funding/queries_history";
import { findUser, sessionsOf } from "../identity/queries";
import { noticeChoicesOf } from "../identity/queries_notices";
import { twoFactorOf } from "../identity/queries_two_factor";
import { notFound } from "../lib/refusal";
import { inTime } from "../lib/time";
import { boardWriter } from "../market/board_sql";
import type { Market } from "../market/market";
import type { House } from "../platform/house";
import { Doors, redirect } from "../platform/http";

const LIST = 100;
/** Longer than this nobody looks at an empty window: the page then comes without its data, and asks for it. */
const PATIENCE_MS = 1500;
const PRODUCT = { look: "product" } as const;

/** A person's own pages: the trading accounts, and the person. */
export function accountPageDoors(house: House, market: Market): Doors {
  const { sql, config } = house;
  const board = boardWriter(market.board);

  return new Doors(house)
    .userPage("/profile", async ({ me, visit }) => {
      const found = await inTime(
        Promise.all([
          findUser(sql, me.id),
          financialsOf(sql, me.id),
          accountsOf(sql, me.id, board()),
          sessionsOf(sql, me.id, me.sessionId),
          twoFactorOf(sql, me.id),
          noticeChoicesOf(sql, me.id),
          referralsOf(sql, me.id, LIST),
        ]),
        PATIENCE_MS,
      );
      if (!found) return { title: "Profile", ...PRODUCT, body: <ProfileLoading /> };
      const [user, financials, accounts, sessions, twoFactor, notices, referrals] = found;
      if (!user || !financials) throw notFound();
      const referralLink = new URL(referrals.link, config.publicUrl ?? visit.url.origin).href;
      const month = monthOf(new Date());
      return {
        title: "Profile",
        ...PRODUCT,
        body: <ProfilePage {...{ user, financials, accounts, sessions, twoFactor, notices, referrals, referralLink, month }} />,
      };
    })
    .userPage("/accounts", async ({ me }) => {
      const [accounts, types] = await Promise.all([inTime(accountsOf(sql, me.id, board()), PATIENCE_MS), accountTypes(sql)]);
      return { title: "Trading Accounts", ...PRODUCT, body: <AccountsPage {...{ accounts, types }} /> };
    })
    .userPage("/settings", () => redirect("/profile"))
    .userPage("/accounts/create", async ({ visit }) => {
      const types = await accountTypes(sql);
      const chosen = visit.url.searchParams.get("type") ?? "";
      return { title: "Create New Trading Account", ...PRODUCT, body: <CreateAccountPage {...{ types, chosen }} /> };
    });
}
