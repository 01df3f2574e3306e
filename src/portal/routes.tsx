import { PortalPage } from "../../views/portal/PortalPage";
import { ReceiptPage } from "../../views/portal/ReceiptPage";
import { tabOf } from "../../views/portal/tabs";
import { accountsOf, financialsOf } from "../accounts/queries";
import type { TradingAccount } from "../accounts/schema";
import { findUser } from "../identity/queries";
import { fit } from "../lib/fit";
import { displayMoney, compare } from "../lib/money";
import { notFound } from "../lib/refusal";
import { idParams } from "../lib/shapes";
import type { Market } from "../market/market";
import { instrumentOf } from "../market/schema";
import type { House, Me } from "../platform/house";
import { Doors } from "../platform/http";
import { supportLater, supportOf } from "../support/routes";
import { historyOf, openPositionsOf, receiptOf } from "../trading/queries";
import type { Trading } from "../trading/trading";
import { Sparks, watchedOf } from "./watch";

const LIST = 100;
const DEFAULT_SYMBOL = "EUR/USD";

/** The traders portal and what its lists lead to. */
export function portalDoors(house: House, market: Market, trading: Trading): Doors {
  const { sql } = house;
  const sparks = new Sparks(market);

  return new Doors(house)
    .userPage("/traders-portal", async ({ me, visit }) => {
      const asked = visit.url.searchParams;
      const board = trading.board();
      const [user, financials, accounts, positions, paths] = await Promise.all([
        findUser(sql, me.id),
        financialsOf(sql, me.id),
        accountsOf(sql, me.id, board),
        openPositionsOf(sql, me.id, board),
        sparks.paths(),
      ]);
      if (!user || !financials) throw notFound();
      const { creditScore, riskLevel, tradingExperience, accountStatus, kycStatus, registrationStatus } = user;
      const account = chosenAccount(accounts, asked.get("account"));
      const tab = tabOf(asked.get("tab"));
      const path = asked.has("account") && account ? `/traders-portal?account=${account.id}` : "/traders-portal";
      const support = tab === "support" ? await supportOf(house, me, asked, tabPath(path, tab)) : supportLater(house, me, tabPath(path, "support"));
      const history = tab === "history" ? await historyOf(sql, me.id, { limit: LIST, accountId: account?.id }) : null;
      return {
        title: "Traders Portal",
        look: "product",
        body: (
          <PortalPage
            {...{ financials, accounts, positions, history }}
            accountId={account?.id ?? null}
            path={path}
            tab={tab}
            support={support}
            symbol={instrumentOf(asked.get("symbol") ?? "")?.symbol ?? DEFAULT_SYMBOL}
            watched={watchedOf(market, paths)}
            simulated={market.simulated}
            blocked={account ? blockOf(me, account) : null}
            standing={{ creditScore, riskLevel, tradingExperience, accountStatus, kycStatus, registrationStatus }}
          />
        ),
      };
    })
    .userPage("/positions/:id/receipt", async ({ me, params }) => {
      const asked = fit(idParams, params);
      if (!asked.ok) throw notFound();
      const receipt = await receiptOf(sql, me.id, asked.value.id);
      return { title: `Receipt ${receipt.position.symbol}`, look: "product", body: <ReceiptPage receipt={receipt} brand={house.config.brandName} /> };
    });
}

const tabPath = (path: string, tab: string) => `${path}${path.includes("?") ? "&" : "?"}tab=${tab}`;

/** The account that the address names, else the one that orders without an account go to: last traded on, else the oldest. */
export function chosenAccount(accounts: TradingAccount[], asked: string | null): TradingAccount | undefined {
  const active = accounts.filter(({ status }) => status === "active");
  return active.find(({ id }) => id === asked) ?? active[0];
}

/** What a live account still lacks before it may trade, as the server would refuse it. */
export function blockOf(me: Me, { isDemo, fundedTotal, minimumDeposit }: TradingAccount): string | null {
  if (isDemo) return null;
  if (me.registrationStatus !== "approved") return "Your registration is awaiting approval.";
  if (compare(fundedTotal, minimumDeposit) >= 0) return null;
  return `It can trade once ${displayMoney(minimumDeposit)} has been moved into it; so far it is ${displayMoney(fundedTotal)}.`;
}
